/**
 * Longest message of a validation error, in UTF-16 units. JSON writes a unit as at most six bytes, so that an answer with
 * one error stays below 2 KB for any input.
 */
const MAX_MESSAGE_LENGTH = 300;
const ELLIPSIS = "\u2026";

/**
 * A validation error's message as a caller may read it. It has no suggestions, which would reveal the schema to someone who
 * guesses at it, and a long one is shortened in the middle, where the caller's names and values are; the reason is at both ends.
 */
export function validationMessage(message: string): string {
  const text = message.replace(/ ?Did you mean [\s\S]*$/, "");
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  const half = Math.floor((MAX_MESSAGE_LENGTH - ELLIPSIS.length) / 2);
  return text.slice(0, half) + ELLIPSIS + text.slice(-half);
}
