import { inspect, isDeepStrictEqual } from "node:util";

/** A case found the service to be other than described. Nothing else makes a case fail in words of its own. */
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

/** Comparisons that count themselves: a case that compared nothing has shown nothing. */
export class Expectations {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  equal(actual: unknown, expected: unknown, what: string): void {
    this.#count += 1;
    if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(what, expected, actual);
  }

  /** `actual` is what to show when the statement does not hold. */
  holds(statement: boolean, what: string, actual: unknown = statement): void {
    this.#count += 1;
    if (!statement) throw new Mismatch(what, "that it holds", actual);
  }

  matches(actual: unknown, pattern: RegExp, what: string): void {
    this.#count += 1;
    if (typeof actual !== "string" || !pattern.test(actual)) throw new Mismatch(what, pattern, actual);
  }

  oneOf(actual: unknown, expected: readonly unknown[], what: string): void {
    this.#count += 1;
    if (!expected.includes(actual)) throw new Mismatch(what, `one of ${show(expected)}`, actual);
  }

  /** Equal but for so many milliseconds. */
  near(actual: string | number, expected: string | number, toleranceMs: number, what: string): void {
    this.#count += 1;
    const [found, wanted] = [actual, expected].map((value) => (typeof value === "string" ? Date.parse(value) : value));
    if (!(Math.abs((found ?? Number.NaN) - (wanted ?? Number.NaN)) <= toleranceMs)) {
      throw new Mismatch(`${what} (within ${toleranceMs} ms)`, expected, actual);
    }
  }
}
