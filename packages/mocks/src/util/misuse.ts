/** A test used the mock in an invalid way. The message lists the valid values. */
export class MockMisuseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MockMisuseError";
  }
}

/** The record with an id. Throws a MockMisuseError that lists existing ids. */
export function found<Row>(rows: ReadonlyMap<string, Row>, id: string, what: string): Row {
  const row = rows.get(id);
  if (row !== undefined) return row;
  const ids = [...rows.keys()];
  const known = ids.length === 0 ? `No ${what} exists yet.` : `Existing: ${ids.slice(-10).join(", ")}.`;
  throw new MockMisuseError(`Unknown ${what} ${shown(id)}. ${known}`);
}

/** Never repeats a key that was passed as an id. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).replaceAll(/[0-9a-f]{64}/gi, "[redacted]");
}

export function oneOf<Value extends string>(value: unknown, possible: readonly Value[], what: string): Value {
  const match = possible.find((one) => one === value);
  if (match !== undefined) return match;
  throw new MockMisuseError(`${shown(value)} is not a valid ${what}. Possible: ${possible.join(", ")}.`);
}

/** Throws the refusal of a service rule. */
export function allowed(refusal: { readonly message: string } | null, what: string): void {
  if (refusal !== null) throw new MockMisuseError(`${what}: ${refusal.message}`);
}

/** An action that the record's status does not allow. */
export function notNow(what: string, status: string, action: string, possible: readonly string[]): MockMisuseError {
  const rest = possible.length === 0 ? "Its status is final." : `Possible now: ${possible.join(", ")}.`;
  return new MockMisuseError(`The ${what} is ${status} and cannot ${action}. ${rest}`);
}
