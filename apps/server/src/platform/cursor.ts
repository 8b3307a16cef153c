import { AppError, INVALID_CURSOR } from "@social-connect/domain";
import type { SecretBox } from "./secrets/secretBox.ts";

/**
 * Cursors are encrypted with their query as binding: an opaque string that decrypts only for the query that returned
 * it, so a foreign or altered cursor is rejected.
 */
export function sealCursor(secretBox: SecretBox, binding: readonly string[], position: readonly string[]): string {
  return secretBox.seal(JSON.stringify(position), JSON.stringify(binding));
}

/** The position of a cursor. BAD_USER_INPUT when it was altered or belongs to another query. */
export function openCursor(secretBox: SecretBox, binding: readonly string[], cursor: string): string[] {
  try {
    return JSON.parse(secretBox.open(cursor, JSON.stringify(binding)));
  } catch (cause) {
    throw new AppError(INVALID_CURSOR, { cause });
  }
}
