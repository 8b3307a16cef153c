import type { FoundToken } from "../state/grants.ts";
import type { World } from "../state/world.ts";

/** Grants whose refresh is being answered. */
const inProgress = new WeakMap<World, Map<string, number>>();

/** Counts a refresh, whether it overlaps another one of the same grant, and whether its token had been replaced. */
export async function watchRefresh(
  world: World,
  found: FoundToken | null,
  answer: () => Promise<Response> | Response,
): Promise<Response> {
  if (found === null) return answer();
  const { id, uses } = found.grant;
  const running = inProgress.get(world) ?? new Map<string, number>();
  inProgress.set(world, running);
  const others = running.get(id) ?? 0;
  uses.refreshes += 1;
  if (others > 0) uses.overlappingRefreshes += 1;
  if (found.token.replacedAt !== null) uses.replayedRefreshes += 1;
  running.set(id, others + 1);
  try {
    return await answer();
  } finally {
    running.set(id, (running.get(id) ?? 1) - 1);
  }
}
