import { AppError, INVALID_CURSOR } from "@social-connect/domain";
import { seal, unseal } from "../util/hash.ts";
import type { World } from "../world/world.ts";

/** A place in a list as an opaque text, which opens only for the query it was given out for. */
export function sealCursor(world: World, binding: readonly string[], position: readonly string[]): string {
  return seal(world.sealKey, binding, JSON.stringify(position));
}

/** The place that a cursor names. BAD_USER_INPUT when it was altered, or given out for another query. */
export function openCursor(world: World, binding: readonly string[], cursor: string): string[] {
  const plain = unseal(world.sealKey, binding, cursor);
  if (plain !== null) return JSON.parse(plain) as string[];
  throw new AppError(INVALID_CURSOR);
}
