import { AppError } from "@social-connect/domain";

/** Names and indexes from the outside to the inside, e.g. `connections`, 2, `account`. */
export type DataPath = readonly (string | number)[];

/** A test used the mock in an invalid way. The message lists the valid values. */
export class MockMisuseError extends Error {
  /** The invalid part of the options, such as `["connections", 2, "account"]`; empty when it is not a part. */
  readonly path: DataPath;

  constructor(message: string, path: DataPath = []) {
    super(message);
    this.name = "MockMisuseError";
    this.path = path;
  }
}

/** Reads a part of the options. A misuse and a refusal of the service become a MockMisuseError that names the part. */
export function within<Result>(part: string | number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MockMisuseError || error instanceof AppError)) throw error;
    const path = error instanceof MockMisuseError ? error.path : [];
    throw new MockMisuseError(error.message, [part, ...path]);
  }
}

/** The path as a caller writes it: `connections[2].account`. */
export function pathText(path: DataPath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${part}`))
    .join("");
}

/** The record with an id. Throws a MockMisuseError that lists existing ids. */
export function found<Row>(rows: ReadonlyMap<string, Row>, id: string, what: string): Row {
  const row = rows.get(id);
  if (row !== undefined) return row;
  const ids = [...rows.keys()];
  const known = ids.length === 0 ? `No ${what} exists yet.` : `Existing: ${ids.slice(-10).join(", ")}.`;
  throw new MockMisuseError(`Unknown ${what} ${shown(id)}. ${known}`);
}

const MAX_SHOWN = 100;

/** A value in a message: shortened, and never a key that was passed as an id. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? String(value)).replaceAll(/[0-9a-f]{64}/gi, "[redacted]");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
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

/** jsdom in Jest has none of these, although Node has them. */
const GLOBALS = ["Request", "Response", "TextDecoder", "TextEncoder", "structuredClone"];

/** Throws where the environment lacks what the mocks need. */
export function requireGlobals(): void {
  const missing = GLOBALS.filter((name) => typeof Reflect.get(globalThis, name) !== "function");
  if (missing.length === 0) return;
  throw new MockMisuseError(
    `This environment has no ${missing.join(", no ")}. In Jest, use node instead of jsdom: add \`@jest-environment node\` to the test.`,
  );
}
