/**
 * A provider's error code as it may stand in a log line: short, one word, plain characters. Whatever else an answer puts
 * where its code belongs (markup, line breaks, an echo of what was sent) stays out.
 */
export function errorLabel(code: string | number | null | undefined): string {
  if (code === null || code === undefined) return "no error code";
  return printableCode(code) ?? "an unprintable error code";
}

/** The code itself; null for anything else that stood in its place. */
export function printableCode(code: string | number): string | null {
  const text = String(code);
  return /^[\w.-]{1,48}$/.test(text) ? text : null;
}
