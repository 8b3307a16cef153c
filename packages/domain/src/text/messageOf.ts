/**
 * The message of an error of any realm: in Jest, `instanceof Error` is false for the errors of Node. Any other value as text.
 */
export function messageOf(error: unknown): string {
  const message: unknown = Object(error).message;
  return typeof message === "string" ? message : String(error);
}

/** The code of a system error, such as EADDRINUSE; undefined without one. */
export function systemCodeOf(error: unknown): string | undefined {
  const code: unknown = Object(error).code;
  return typeof code === "string" ? code : undefined;
}
