import { inspect, isDeepStrictEqual } from "node:util";
import type { Outcome } from "../wire/documents.ts";

/** A case found the service to differ from the description. Only this error fails a case with its own message. */
export class Mismatch extends Error {
  readonly expected: string;
  readonly actual: string;

  constructor(what: string, expected: unknown, actual: unknown) {
    super(what);
    this.name = "Mismatch";
    this.expected = show(expected);
    this.actual = show(actual);
  }
}

function show(value: unknown): string {
  return typeof value === "string" ? value : inspect(value, { depth: 6, breakLength: 120, maxArrayLength: 20 });
}

/** Counts its comparisons: a case that compared nothing has proven nothing. */
export class Expectations {
  count = 0;

  equal(actual: unknown, expected: unknown, what: string): void {
    this.count += 1;
    if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(what, expected, actual);
  }

  /** The value of a call that has to succeed. */
  value<Value>(outcome: Outcome<Value>, what = "the call succeeds"): Value {
    if (!outcome.ok) throw new Mismatch(what, "an answer without errors", `${outcome.code}: ${outcome.message}`);
    this.holds(true, what);
    return outcome.value;
  }

  /** The failure of a call that has to fail with this code, and this reason if one is given; null: without a reason. */
  fails(outcome: Outcome<unknown>, code: string, what = `the call fails with ${code}`, reason?: string | null) {
    if (outcome.ok) throw new Mismatch(what, code, outcome.value ?? "an answer without errors");
    this.equal(outcome.code, code, what);
    if (reason !== undefined) this.equal(outcome.reason, reason, `${what}: reason`);
    return outcome;
  }

  /** Equal in the given fields; the others may have any value. */
  shows<Value extends object>(
    actual: Value | null | undefined,
    expected: { readonly [Field in keyof Value]?: Value[Field] | undefined },
    what: string,
  ): void {
    const fields = Object.keys(expected) as (keyof Value)[];
    this.equal(actual && Object.fromEntries(fields.map((field) => [field, actual[field]])), expected, what);
  }

  /** `actual` is shown when the statement is false. */
  holds(statement: boolean, what: string, actual: unknown = statement): void {
    this.count += 1;
    if (!statement) throw new Mismatch(what, "that it is true", actual);
  }

  some<Entry>(entries: readonly Entry[], isIt: (entry: Entry) => boolean, what: string): void {
    this.holds(entries.some(isIt), what, entries);
  }

  every<Entry>(entries: readonly Entry[], isIt: (entry: Entry) => boolean, what: string): void {
    this.holds(entries.every(isIt), what, entries);
  }

  matches(actual: unknown, pattern: RegExp, what: string): void {
    this.count += 1;
    if (typeof actual !== "string" || !pattern.test(actual)) throw new Mismatch(what, pattern, actual);
  }

  oneOf(actual: unknown, expected: readonly unknown[], what: string): void {
    this.count += 1;
    if (!expected.includes(actual)) throw new Mismatch(what, `one of ${show(expected)}`, actual);
  }

  /** Equal except for so many milliseconds. */
  near(actual: string | number, expected: string | number, toleranceMs: number, what: string): void {
    this.count += 1;
    const [found, wanted] = [actual, expected].map((value) => (typeof value === "string" ? Date.parse(value) : value));
    if (!(Math.abs((found ?? Number.NaN) - (wanted ?? Number.NaN)) <= toleranceMs)) {
      throw new Mismatch(`${what} (within ${toleranceMs} ms)`, expected, actual);
    }
  }
}

/** The message of an error of any realm: in Jest, `instanceof Error` is false for the errors of Node. */
export function messageOf(error: unknown): string {
  const message: unknown = Object(error).message;
  return typeof message === "string" ? message : String(error);
}
