/**
 * Characters that move a terminal's cursor, colour its text, end its line or turn the direction of writing: controls,
 * format characters, line and paragraph separators, and what is no character at all.
 */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A text of somebody else's, as it may be shown in a terminal: what could do harm there is written as its number. */
export function printable(text: string): string {
  return text.replaceAll(HARMFUL, (run) => escaped(run, NUMBERS, (code) => `\\u{${code.toString(16)}}`));
}

/** JSON over several lines that does no harm in a terminal either, and is the same value to whoever reads it. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(HARMFUL, (run) => escaped(run, JSON_ESCAPES, jsonEscape));
}

/** Of one character, as JSON has it: each UTF-16 unit by its number. Line breaks in JSON are those between its lines. */
function jsonEscape(code: number): string {
  if (code === LINE_BREAK) return "\n";
  const units = String.fromCodePoint(code).split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

const LINE_BREAK = 10;
/** What was written before: a service that sends a million such characters sends few different ones. */
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
