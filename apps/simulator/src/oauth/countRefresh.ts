import type { FoundToken } from "../state/grants.ts";
import type { World } from "../state/world.ts";

/** Number of refreshes in progress, by grant. */
const inProgress = new WeakMap<World, Map<string, number>>();

/** Counts a grant's refreshes, concurrent refreshes, and refreshes with a replaced token. */
export async function countRefresh(
  world: World,
  found: FoundToken | null,
  handle: () => Promise<Response> | Response,
): Promise<Response> {
  if (found === null) return handle();
  const { id, uses } = found.grant;
  const running = inProgress.get(world) ?? new Map<string, number>();
  inProgress.set(world, running);
  const others = running.get(id) ?? 0;
  uses.refreshes += 1;
  if (others > 0) uses.overlappingRefreshes += 1;
  if (found.token.replacedAt !== null) uses.replayedRefreshes += 1;
  running.set(id, others + 1);
  try {
    return await handle();
  } finally {
    running.set(id, (running.get(id) ?? 1) - 1);
  }
}
