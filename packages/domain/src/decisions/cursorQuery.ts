import { AppError } from "./appError.ts";
import { badUserInput, type Refusal } from "./refusal.ts";

/** A part of the query that a cursor belongs to: an argument with its name, or a part that no caller chooses. */
export type QueryPart = string | readonly [argument: string, value: string];
/** The list, and everything that decides what is in it. */
export type CursorQuery = readonly QueryPart[];

export const INVALID_CURSOR = badUserInput(
  "`after` must be the `endCursor` of another page of this list, with the same arguments.",
);

export function queryValues(query: CursorQuery): readonly string[] {
  return query.map(textOf);
}

/**
 * A cursor's note about its query: one byte for each part, in hexadecimal. Enough to see which part differs, and too little to
 * read a value from.
 */
export function queryMarks(query: CursorQuery): string {
  return query.map((part) => byteOf(textOf(part)).toString(16).padStart(2, "0")).join("");
}

/** The refusal of a cursor that does not open for a query. Names the arguments that differ, if the cursor's marks tell. */
export function refuseCursor(query: CursorQuery, marks: string | undefined): Refusal {
  const expected = queryMarks(query);
  if (marks?.length !== expected.length) return INVALID_CURSOR;
  const differing = query.filter((_, at) => marks.slice(2 * at, 2 * at + 2) !== expected.slice(2 * at, 2 * at + 2));
  const names = differing.flatMap((part) => (typeof part === "string" ? [] : [part[0]]));
  // A cursor of another list or application, or one that was altered.
  if (names.length === 0 || names.length < differing.length) return INVALID_CURSOR;
  return badUserInput(`${INVALID_CURSOR.message} ${differText(names)} Use the values that the page was read with.`);
}

/** A sealed position with its query's marks, which only choose the message of a refusal. */
export function markCursor(sealed: string, query: CursorQuery): string {
  return `${sealed}.${queryMarks(query)}`;
}

/** The position of a cursor; `open` returns null for what was altered or sealed for another query. Throws BAD_USER_INPUT. */
export function openMarkedCursor(
  cursor: string,
  query: CursorQuery,
  open: (sealed: string) => string | null,
): readonly string[] {
  const at = cursor.lastIndexOf(".");
  const marks = cursor.slice(at + 1);
  const isMarked = marks.length === queryMarks(query).length;
  // Cursors of the previous release have no marks.
  const position = isMarked ? open(cursor.slice(0, at)) : open(cursor);
  if (position === null) throw new AppError(refuseCursor(query, marks));
  if (isMarked && marks !== queryMarks(query)) throw new AppError(INVALID_CURSOR);
  return JSON.parse(position);
}

/** A sentence that names arguments. */
export function differText(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop();
  return quoted.length === 0 ? `${last} differs.` : `${quoted.join(", ")} and ${last} differ.`;
}

function textOf(part: QueryPart): string {
  return typeof part === "string" ? part : part[1];
}

/** FNV-1a, folded to one byte. */
function byteOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & 0xff;
}
