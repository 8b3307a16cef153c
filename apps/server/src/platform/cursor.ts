import {
  AppError,
  type CursorQuery,
  INVALID_CURSOR,
  queryMarks,
  queryValues,
  refuseCursor,
} from "@social-connect/domain";
import type { SecretBox } from "./secrets/secretBox.ts";

/** Three full stops are in every encrypted value. */
const WITH_MARKS = /^([^.]*\.[^.]*\.[^.]*\.[^.]*)\.([^.]*)$/;

/**
 * Cursors are encrypted with their query as binding: an opaque string that decrypts only for the query that returned
 * it, so a foreign or altered cursor is rejected. Marks of the query follow, which only choose the message of that rejection.
 */
export function sealCursor(secretBox: SecretBox, query: CursorQuery, position: readonly string[]): string {
  return `${secretBox.seal(JSON.stringify(position), bindingOf(query))}.${queryMarks(query)}`;
}

/** The position of a cursor. BAD_USER_INPUT when it was altered or belongs to another query. */
export function openCursor(secretBox: SecretBox, query: CursorQuery, cursor: string): string[] {
  // Cursors of the previous release have no marks.
  const [, sealed = cursor, marks] = WITH_MARKS.exec(cursor) ?? [];
  let position: string[];
  try {
    position = JSON.parse(secretBox.open(sealed, bindingOf(query)));
  } catch (cause) {
    throw new AppError(refuseCursor(query, marks), { cause });
  }
  if (marks !== undefined && marks !== queryMarks(query)) throw new AppError(INVALID_CURSOR);
  return position;
}

function bindingOf(query: CursorQuery): string {
  return JSON.stringify(queryValues(query));
}
