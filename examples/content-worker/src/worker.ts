import { SocialConnectError } from "@social-connect/sdk";
import type { Dependencies } from "./context.ts";
import { discover } from "./discover.ts";
import { refreshConnection } from "./refresh.ts";
import { nextTryMs } from "./schedule.ts";

/** The service serves what it observed in the last 30 days; a copy of it should not live longer. */
const RETENTION_MS = 30 * 86_400_000;
/** Checks for new subjects at least this often. */
const MAX_IDLE_MS = 60_000;

/** Does all the work that is due. Rejects only for errors that waiting cannot solve, such as an invalid key. */
export async function workOnce(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { store, clock, random, policy, log } = dependencies;
  await inParallel(store.dueSubjects(clock.now()), policy.concurrency, signal, async (scope) => {
    try {
      await discover(dependencies, scope, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!SocialConnectError.is(error) || error.code === "UNAUTHENTICATED") throw error;
      store.deferSubject(scope, nextTryMs(clock.now(), 1, random(), error.retryAfterSeconds));
      log(`connections could not be listed (${error.code})`);
    }
  });
  await inParallel(store.dueConnections(clock.now()), policy.concurrency, signal, (connection) =>
    refreshConnection(dependencies, connection, signal),
  );
  store.removePostsSeenBefore(new Date(clock.now() - RETENTION_MS).toISOString());
}

/** Works until the signal ends it, resting while nothing is due. */
export async function work(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { store, clock } = dependencies;
  while (!signal.aborted) {
    await workOnce(dependencies, signal);
    const restMs = (store.nextDueMs() ?? Number.POSITIVE_INFINITY) - clock.now();
    await clock.sleep(Math.min(Math.max(restMs, 0), MAX_IDLE_MS), signal).catch(() => undefined);
  }
}

/**
 * Runs a limited number in parallel, in order; starts none after the signal. Rejects with the first failure after all
 * running ones have ended.
 */
async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (signal.aborted || failure !== undefined) return;
      try {
        await act(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  if (failure !== undefined) throw failure.error;
}
