/**
 * Characters that move a terminal's cursor, colour its text, end its line or turn the direction of writing: controls,
 * format characters, line and paragraph separators, and what is no character at all.
 */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of somebody else's, as it may be shown in a terminal: what could do harm there is written as its number. */
export function printable(text: string): string {
  return text.replaceAll(HARMFUL, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON over several lines that does no harm in a terminal either, and is the same value to whoever reads it. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(HARMFUL, (character) =>
    character === "\n" ? character : character.split("").map(escapeOf).join(""),
  );
}

/** Of one UTF-16 unit, as JSON has it. */
function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
