/** A test asked the mock for something that cannot be. The message says what was possible. */
export class MockMisuseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MockMisuseError";
  }
}

/** The record of an id; says which ids there are when it is none of them. */
export function found<Row>(rows: ReadonlyMap<string, Row>, id: string, what: string): Row {
  const row = rows.get(id);
  if (row !== undefined) return row;
  const ids = [...rows.keys()];
  const known = ids.length === 0 ? `There is no ${what} yet.` : `There are: ${ids.slice(-10).join(", ")}.`;
  throw new MockMisuseError(`There is no ${what} ${shown(id)}. ${known}`);
}

/** A key that was passed for an id is not told again. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).replaceAll(/[0-9a-f]{64}/gi, "[redacted]");
}

export function oneOf<Value extends string>(value: unknown, possible: readonly Value[], what: string): Value {
  const match = possible.find((one) => one === value);
  if (match !== undefined) return match;
  throw new MockMisuseError(`${shown(value)} is no ${what}. Possible: ${possible.join(", ")}.`);
}

/** Throws what a rule of the service says against something. */
export function allowed(refusal: { readonly message: string } | null, what: string): void {
  if (refusal !== null) throw new MockMisuseError(`${what}: ${refusal.message.replace(/\.$/, "")}.`);
}

/** Refuses a move that the record's state does not allow. */
export function notNow(what: string, status: string, wanted: string, possible: readonly string[]): MockMisuseError {
  const rest = possible.length === 0 ? "Nothing can happen to it any more." : `Possible now: ${possible.join(", ")}.`;
  return new MockMisuseError(`The ${what} is ${status} and cannot ${wanted}. ${rest}`);
}
