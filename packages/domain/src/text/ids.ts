const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id when it can name a record, in lower case; null when it cannot, which is answered as an unknown id is. */
export function asUuid(id: string): string | null {
  return UUID.test(id) ? id.toLowerCase() : null;
}

/** Fewer digits are a number more often than the start of an id, and begin too many ids. */
const DIGITS_OF_START = /^[0-9a-f]{8,32}$/;

/** The first and the last id that can begin with the text, with or without its dashes; null when no id is meant. */
export function idsFrom(text: string): readonly [first: string, last: string] | null {
  const digits = text.replaceAll("-", "").toLowerCase();
  if (!DIGITS_OF_START.test(digits)) return null;
  const id = (fill: string) => digits.padEnd(32, fill).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return [id("0"), id("f")];
}
