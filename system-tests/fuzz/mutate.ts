import { HOSTILE_TEXTS, HOSTILE_VALUES } from "./hostileValues.ts";
import type { Random } from "./random.ts";

const DOCUMENT_PIECES = [
  "__typename",
  "@include(if: true)",
  "@skip(if: $x)",
  "@unknown",
  "...F",
  "... on Query { __typename }",
  "fragment F on Query { __typename }",
  "a: __typename",
  "$x",
  "($x: [[Int!]!]! = [[1]])",
  "mutation",
  "subscription",
  "{",
  "}",
  "(",
  ")",
  "!",
  "#",
  '"',
  '"""',
  '"\\u{D800}"',
  '"\\uD83D"',
  "\ufeff",
  "99999999999999999999",
  "1e999",
  "-",
  ",,,,",
  "\u2028",
];

/** A copy with one random change: a value replaced, removed, renamed or duplicated. */
export function mutateValue(value: unknown, random: Random): unknown {
  const goesDeeper = typeof value === "object" && value !== null && random.chance(0.85);
  if (!goesDeeper) return random.pick(HOSTILE_VALUES);
  if (Array.isArray(value)) return mutateList(value, random);
  const entries = Object.entries(value);
  if (entries.length === 0) return { [random.pick(HOSTILE_TEXTS)]: random.pick(HOSTILE_VALUES) };
  const at = random.below(entries.length);
  const [name, inner] = entries[at] ?? ["", null];
  const changed: [string, unknown][] = random.pick<() => [string, unknown][]>([
    () => [],
    () => [[random.pick(HOSTILE_TEXTS), inner]],
    () => [
      [name, inner],
      [random.pick(HOSTILE_TEXTS), random.pick(HOSTILE_VALUES)],
    ],
    () => [[name, mutateValue(inner, random)]],
    () => [[name, mutateValue(inner, random)]],
    () => [[name, mutateValue(inner, random)]],
  ])();
  return Object.fromEntries([...entries.slice(0, at), ...changed, ...entries.slice(at + 1)]);
}

function mutateList(list: readonly unknown[], random: Random): unknown[] {
  const at = random.below(Math.max(1, list.length));
  return random.pick<() => unknown[]>([
    () => [...list, ...list],
    () => list.toSpliced(at, 1),
    () => [...list, random.pick(HOSTILE_VALUES)],
    () => list.toSpliced(at, 1, mutateValue(list[at], random)),
  ])();
}

/** A GraphQL document with a few tokens removed, doubled, moved or put in. */
export function mutateDocument(text: string, random: Random): string {
  const tokens = text.split(/(\s+|[{}()[\]:!$@,"])/).filter((token) => token !== "");
  const times = 1 + random.below(4);
  for (let time = 0; time < times; time += 1) {
    const at = random.below(tokens.length + 1);
    const token = tokens[at] ?? "";
    random.pick([
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 0, token, " ", token),
      () => tokens.splice(at, 0, " ", random.pick(DOCUMENT_PIECES), " "),
      () => tokens.splice(at, 1, random.pick(HOSTILE_TEXTS)),
      () => tokens.splice(at, 0, ` ${random.pick(DOCUMENT_PIECES)}`.repeat(1 + random.below(300))),
      () => tokens.splice(at, 1, random.pick(tokens)),
    ])();
  }
  return tokens.join("");
}

/** Bytes with a few of them flipped, removed, doubled or put in. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  const times = 1 + random.below(4);
  for (let time = 0; time < times; time += 1) {
    const at = random.below(result.length + 1);
    const end = Math.min(result.length, at + 1 + random.below(20));
    const between = random.pick([
      () => random.bytes(1 + random.below(8)),
      () => Buffer.alloc(0),
      () => Buffer.concat([result.subarray(at, end), result.subarray(at, end)]),
      () => Buffer.from(random.pick(HOSTILE_TEXTS)),
    ])();
    result = Buffer.concat([result.subarray(0, at), between, result.subarray(end)]);
  }
  return result;
}
