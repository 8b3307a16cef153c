/** Booleans and lists of an issuer or a provider, in every form in which they write them. */

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** `true`, "true", 1 and "1" are true; `false`, "false", 0 and "0" are false; anything else is unknown, which is null. */
export function foreignBoolean(value: unknown): boolean | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const text = String(value);
  return text.length > MAX_BOOLEAN_LENGTH ? null : (BOOLEANS.get(text.trim().toLowerCase()) ?? null);
}

/** Longer text is not read. */
const MAX_BOOLEAN_LENGTH = 16;

/** The strings of a list; one string is a list of one. null for an empty list and for anything else. */
export function foreignList(value: unknown): readonly string[] | null {
  const strings = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one !== "");
  return strings.length === 0 ? null : strings;
}

/** Names of scopes: a list, or one text in which spaces or commas separate them. null when there is neither. */
export function foreignScopes(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.filter((name) => typeof name === "string");
  return typeof value === "string" ? value.split(/[\s,]+/).filter((name) => name !== "") : null;
}
