/** The message of an error of any realm: in Jest, `instanceof Error` is false for the errors of Node. */
export function messageOf(error: unknown): string {
  const message: unknown = Object(error).message;
  return typeof message === "string" ? message : String(error);
}
