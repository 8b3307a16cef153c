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
  throw new MockMisuseError(`There is no ${what} ${JSON.stringify(id)}. ${known}`);
}

export function oneOf<Value extends string>(value: string, possible: readonly Value[], what: string): Value {
  const match = possible.find((one) => one === value);
  if (match !== undefined) return match;
  throw new MockMisuseError(`${JSON.stringify(value)} is no ${what}. Possible: ${possible.join(", ")}.`);
}

/** Refuses a move that the record's state does not allow. */
export function notNow(what: string, status: string, wanted: string, possible: readonly string[]): MockMisuseError {
  const rest = possible.length === 0 ? "Nothing can happen to it any more." : `Possible now: ${possible.join(", ")}.`;
  return new MockMisuseError(`The ${what} is ${status} and cannot ${wanted}. ${rest}`);
}
