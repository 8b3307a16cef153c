import {
  AppError,
  type CursorQuery,
  INVALID_CURSOR,
  queryMarks,
  queryValues,
  refuseCursor,
} from "@social-connect/domain";
import { seal, unseal } from "../util/hash.ts";
import type { World } from "../world/world.ts";

/** A place in a list as an opaque text, which opens only for the query it was given out for, and marks of that query. */
export function sealCursor(world: World, query: CursorQuery, position: readonly string[]): string {
  return `${seal(world.sealKey, queryValues(query), JSON.stringify(position))}.${queryMarks(query)}`;
}

/** The place that a cursor names. BAD_USER_INPUT when it was altered, or given out for another query. */
export function openCursor(world: World, query: CursorQuery, cursor: string): string[] {
  const [sealed = "", marks, ...more] = cursor.split(".");
  const plain = unseal(world.sealKey, queryValues(query), sealed);
  if (plain === null) throw new AppError(refuseCursor(query, marks));
  if (marks !== queryMarks(query) || more.length > 0) throw new AppError(INVALID_CURSOR);
  return JSON.parse(plain) as string[];
}
