/**
 * Text for a terminal. Every console of this project prints through this file, because text of callers, providers and servers can
 * contain sequences that overwrite or forge lines.
 */

/**
 * Characters that move a terminal's cursor, change its colours, end a line or change the text direction: control and
 * format characters, line and paragraph separators, and unpaired surrogates.
 */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A string that is safe to print in a terminal: harmful characters are escaped by their code point. */
export function printable(text: string): string {
  return text.replaceAll(HARMFUL, (run) => escaped(run, NUMBERS, (code) => `\\u{${code.toString(16)}}`));
}

/** As `printable`, and keeps line breaks, for output of several lines. Pass foreign text in it to `printable` first. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** JSON that is safe to print in a terminal and parses to the same value. Indented by 2 unless `indent` is 0: one line. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(HARMFUL, (run) => escaped(run, JSON_ESCAPES, jsonEscape));
}

/** The JSON escape of a character, by UTF-16 unit. Line breaks between the lines of the JSON are not escaped. */
function jsonEscape(code: number): string {
  if (code === LINE_BREAK) return "\n";
  const units = String.fromCodePoint(code).split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

const LINE_BREAK = 10;
/** Caches escapes, because a response with many such characters contains few different ones. */
const NUMBERS = new Map<number, string>();
const JSON_ESCAPES = new Map<number, string>();

function escaped(run: string, known: Map<number, string>, write: (code: number) => string): string {
  const shown: string[] = [];
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    let text = known.get(code);
    if (text === undefined) {
      text = write(code);
      known.set(code, text);
    }
    shown.push(text);
  }
  return shown.join("");
}
