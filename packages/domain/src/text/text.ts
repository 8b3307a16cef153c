import { badUserInput, type Refusal } from "../decisions/refusal.ts";

/** In a `u` pattern a surrogate that is half of a pair is part of its code point, so only lone ones match. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * True for text that survives storage and JSON unchanged: no NUL (PostgreSQL refuses it) and no lone surrogate (it has
 * no UTF-8 form). Holds for every string argument of the API. Source: service description, part 7 (argument validation).
 */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/**
 * Text of a body; null for bytes that are not UTF-8. Read leniently, different bytes would become the same replacement
 * character, and the ids of two subjects the same id. A byte order mark stays, and is not JSON. Source: RFC 8259 8.1.
 */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Length in characters as the description counts them: Unicode code points, not UTF-16 units or bytes. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** BAD_USER_INPUT unless `text` is storable and has `minLength` to `maxLength` characters. `name` is the argument's. */
export function checkText(
  text: string,
  name: string,
  { minLength = 1, maxLength }: { minLength?: number; maxLength: number },
): Refusal | null {
  if (!isStorableText(text)) return badUserInput(`\`${name}\` must not contain NUL characters or unpaired surrogates.`);
  // A character takes two units at most, so a text that is far too long is not counted.
  const length = text.length > 2 * maxLength ? text.length : characterCount(text);
  if (length < minLength || length > maxLength)
    return badUserInput(`\`${name}\` must have ${minLength} to ${maxLength} characters.`);
  return null;
}

const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}]/u;
/** Line breaks and other controls, and bidirectional control characters (UAX 9, 2). */
const DISTURBING = /[\p{Control}\u2028-\u202E\u2066-\u2069]/u;

/**
 * BAD_USER_INPUT unless `text` can name something in a list that people read: on one line, with at least one visible
 * character, and without characters that change how it or its surroundings are displayed.
 */
export function checkName(text: string, name: string, { maxLength }: { maxLength: number }): Refusal | null {
  if (!VISIBLE.test(text)) return badUserInput(`\`${name}\` must not be blank.`);
  if (DISTURBING.test(text)) {
    return badUserInput(
      `\`${name}\` must not contain line breaks, control characters or bidirectional control characters.`,
    );
  }
  return checkText(text, name, { maxLength });
}
