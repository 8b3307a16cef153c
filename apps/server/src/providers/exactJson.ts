/** What the reviver of Node 22 and later is told about a primitive: the text it was parsed from. */
interface ReviverContext {
  readonly source?: string;
}

/**
 * Parses JSON and keeps whole numbers exact: one that a double cannot hold (a 20-digit post id) comes back as its digits
 * in a string. Gives undefined for text that is not JSON, an empty or a cut one included.
 */
export function parseExactJson(text: string): unknown {
  const reviver = (_key: string, value: unknown, context: ReviverContext): unknown => {
    if (typeof value !== "number" || Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
    return /^-?\d+$/.test(context.source ?? "") ? context.source : value;
  };
  try {
    return JSON.parse(text, reviver as (key: string, value: unknown) => unknown) as unknown;
  } catch {
    return undefined;
  }
}
