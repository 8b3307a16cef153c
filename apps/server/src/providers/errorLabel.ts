/**
 * A provider's error code for a log line: short, one word, plain characters. Anything else in its place (markup, line
 * breaks, echoed input) is replaced.
 */
export function errorLabel(code: string | number | null | undefined): string {
  if (code === null || code === undefined) return "no error code";
  return printableCode(code) ?? "an unprintable error code";
}

/** The code itself; null for any other value. */
export function printableCode(code: string | number): string | null {
  const text = String(code);
  return /^[\w.-]{1,48}$/.test(text) ? text : null;
}
