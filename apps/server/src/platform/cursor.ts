import { type CursorQuery, markCursor, openMarkedCursor, queryValues } from "@social-connect/domain";
import { type SecretBox, SecretBoxError } from "./secrets/secretBox.ts";

/**
 * Cursors are encrypted with their query as binding: an opaque string that decrypts only for the query that returned
 * it, so a foreign or altered cursor is rejected.
 */
export function sealCursor(secretBox: SecretBox, query: CursorQuery, position: readonly string[]): string {
  return markCursor(secretBox.seal(JSON.stringify(position), bindingOf(query)), query);
}

/** The position of a cursor. BAD_USER_INPUT when it was altered or belongs to another query. */
export function openCursor(secretBox: SecretBox, query: CursorQuery, cursor: string): readonly string[] {
  return openMarkedCursor(cursor, query, (sealed) => {
    try {
      return secretBox.open(sealed, bindingOf(query));
    } catch (error) {
      if (error instanceof SecretBoxError) return null;
      throw error;
    }
  });
}

function bindingOf(query: CursorQuery): string {
  return JSON.stringify(queryValues(query));
}
