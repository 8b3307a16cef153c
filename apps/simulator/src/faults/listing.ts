import type { Account } from "../accounts/account.ts";
import type { World } from "../state/createWorld.ts";
import type { Grant } from "../state/grants.ts";

/** A page of a list, in which a script can repeat posts. */
export function pageOf<Entry>({ script }: Account, list: readonly Entry[], start: number, size: number): Entry[] {
  const page = list.slice(start, start + size);
  const repeated = script.repeatsPosts && page.length > 0 ? list.slice(Math.max(0, start - 1)).slice(0, 1) : [];
  return [...repeated, ...page];
}

/** Where the page after this one begins, as the script makes the provider say. */
export function nextStart({ script }: Account, start: number, size: number): number {
  if (script.cursors === "returning" && start >= 2 * size) return size;
  return script.cursors === "stuck" && start > 0 ? start : start + size;
}

/** Whether the provider rejects its own cursor: once for each grant. */
export function rejectsOnce(world: World, grant: Grant, { script }: Account): boolean {
  return script.cursors === "rejected-once" && isFirstTime(world, grant, "rejectedCursors");
}

/** Whether the provider does not find the list on a page after the first. */
export function losesList(world: World, grant: Grant, { script }: Account): boolean {
  if (script.listNotFound === "always") return true;
  return script.listNotFound === "once" && isFirstTime(world, grant, "lostLists");
}

function isFirstTime(world: World, grant: Grant, counter: string): boolean {
  if (grant.counters[counter] !== undefined) return false;
  grant.counters[counter] = 1;
  world.save();
  return true;
}
