import fc from "fast-check";
import { times } from "../times.ts";

export const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

/** Text that breaks parsers and validators. None contains a string that the judge searches for in responses. */
export const TEXT = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.webPath(),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.json(),
  fc
    .tuple(fc.constantFrom("a", "(", "[", "%00", "\u{1F600}"), fc.constantFrom(1, 64, 128, 129, 2_049, 5_000, 60_000))
    .map(([unit, count]) => unit.repeat(Math.min(count, 60_000 / unit.length))),
  fc.constantFrom(
    ...["", " ", "\0", "\ud800", "\udc00\ud800", "\u202e\u2066", "%ff%fe", "%", "../../../../etc/passwd", "..%2f..%2f"],
    ...["\r\nX-Injected: 1", "<script>alert(1)</script>", "'; --", `" onload="`, "{{7*7}}", "__proto__", "constructor"],
    ...["toString", "null", "NaN", "-0", "1e309", "9007199254740993", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z"],
    ...["9999-12-31T23:59:59.999Z", "2026-01-01T00:00:00+99:99", "http://[::1]:1/", "http:127.0.0.1", "//example.com"],
    ...["https://user:password@example.com:1/#x", "javascript:alert(1)", "https://www.youtube.com/watch?v="],
    ...["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "xn--nxasmq6b.example"],
  ),
);

/** Values of JSON that break parsers and validators. */
export const VALUE: fc.Arbitrary<unknown> = fc.oneof(
  TEXT,
  fc.jsonValue(),
  fc.constantFrom(null, true, 0, -0, -1, 1.5, 2_147_483_647, 2_147_483_648, -2_147_483_649, 1e308),
  fc.constantFrom(500, 2_000).map((depth) => JSON.parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`)),
  fc.constant(Array<number>(2_000).fill(1)),
);

/** The value, or in a third of the cases one that breaks it. */
export const odd = (value: fc.Arbitrary<unknown>) => fc.oneof(times(2, value), times(1, VALUE));

/** An object of which fields are odd, missing or foreign. */
export function oddObject(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const own = fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, odd(value)])), {
    requiredKeys: [],
  });
  const foreign = fc.oneof(times(3, fc.constant({})), times(1, fc.dictionary(TEXT, VALUE, { maxKeys: 2 })));
  return fc.tuple(own, foreign).map(([fits, more]) => ({ ...fits, ...more }));
}

export type Edit<Part> = (parts: readonly Part[]) => readonly Part[];

/** Removes, doubles, replaces or adds a few parts of a list. */
export function edits<Part>(others: fc.Arbitrary<readonly Part[]>): fc.Arbitrary<Edit<Part>> {
  const how = fc.constantFrom("remove", "double", "replace", "insert");
  const edit = fc.record({ how, at: fc.nat(1_000_000), count: fc.integer({ min: 1, max: 3 }), others });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((all) => (parts) => {
    return all.reduce<readonly Part[]>((left, { how, at, count, others }) => {
      const from = at % (left.length + 1);
      const cut = left.slice(from, from + count);
      const between = { remove: [], double: [...cut, ...cut], replace: others, insert: [...others, ...cut] }[how] ?? [];
      return [...left.slice(0, from), ...between, ...left.slice(from + count)];
    }, parts);
  });
}
