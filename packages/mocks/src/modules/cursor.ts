import { type CursorQuery, markCursor, openMarkedCursor, queryValues } from "@social-connect/domain";
import { seal, unseal } from "../util/hash.ts";
import type { World } from "../world/world.ts";

/** A place in a list as an opaque text, which opens only for the query it was given out for. */
export function sealCursor(world: World, query: CursorQuery, position: readonly string[]): string {
  return markCursor(seal(world.sealKey, queryValues(query), JSON.stringify(position)), query);
}

/** The place that a cursor names. BAD_USER_INPUT when it was altered, or given out for another query. */
export function openCursor(world: World, query: CursorQuery, cursor: string): readonly string[] {
  return openMarkedCursor(cursor, query, (sealed) => unseal(world.sealKey, queryValues(query), sealed));
}
