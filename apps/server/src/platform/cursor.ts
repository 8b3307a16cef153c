import { AppError } from "./appError.ts";
import type { SecretBox } from "./secretBox.ts";

/**
 * Cursors are sealed with what they belong to: an opaque text that opens only for the query it was given out for, so a
 * foreign or altered one cannot be told from noise, and is refused as such.
 */
export function sealCursor(secretBox: SecretBox, binding: readonly string[], position: readonly string[]): string {
  return secretBox.seal(JSON.stringify(position), JSON.stringify(binding));
}

/** The position in a cursor. BAD_USER_INPUT when it was altered, or given out for another query. */
export function openCursor(secretBox: SecretBox, binding: readonly string[], cursor: string): string[] {
  try {
    return JSON.parse(secretBox.open(cursor, JSON.stringify(binding)));
  } catch (cause) {
    throw new AppError({ code: "BAD_USER_INPUT", message: "The cursor does not belong to this query.", cause });
  }
}
