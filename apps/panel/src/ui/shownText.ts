/** Spaces at an end, and characters that show nothing or change how their surroundings are displayed (UAX 9, 2). */
const UNSEEN = /^\s+|\s+$|[\p{Control}\p{Format}\u2028\u2029]/gu;

/** A text of an application, with what cannot be seen as `\u{…}`, so that different ids look different. */
export function shownText(text: string): string {
  return text.replace(UNSEEN, (found) => Array.from(found, escapeOf).join(""));
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
