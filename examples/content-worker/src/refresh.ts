import type { ContentItem, PublishedWindow, RefreshPoller } from "@social-connect/sdk";
import type { Dependencies } from "./context.ts";
import { type Outcome, outcomeOfError, outcomeOfScan } from "./outcome.ts";
import { nextRefreshMs, nextTryMs } from "./schedule.ts";
import type { KnownConnection } from "./store.ts";

const DAY_MS = 86_400_000;
/** How long to skip a connection that cannot be read now. */
const PAUSE_MS = 3_600_000;
const RETRY_DELAY_MS = 1_000;

/**
 * Refreshes one connection and stores the posts. A refresh that an earlier process started, or that ran out of time, is
 * continued: nothing is read twice, and no second job is created.
 */
export async function refreshConnection(
  dependencies: Dependencies,
  connection: KnownConnection,
  signal: AbortSignal,
): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = await readWindow(dependencies, connection, signal);
  } catch (error) {
    // Clean shutdown: the state is saved, and the next process continues.
    if (signal.aborted) return;
    outcome = outcomeOfError(error);
  }
  settle(dependencies, connection, outcome);
}

// #region background-refresh
async function readWindow(
  dependencies: Dependencies,
  connection: KnownConnection,
  signal: AbortSignal,
): Promise<Outcome> {
  const { social, store, clock, policy } = dependencies;
  const subject = social.forSubject(connection.scope);
  const window = windowOf(clock.now(), policy.days);
  const refresh: RefreshPoller =
    connection.saved === null ? subject.refresh(connection.id, { window }) : social.resume(connection.saved);
  const summary = await refresh.scanAll({
    signal,
    deadline: new Date(clock.now() + policy.patienceMs),
    // Awaited for each new state: a started job is on disk before anything else happens.
    onProgress: () => store.changeConnection(connection.id, { saved: refresh.toJSON() }),
  });
  const outcome = outcomeOfScan(summary);
  if (outcome.kind !== "fresh") return outcome;
  const posts: ContentItem[] = [];
  for await (const post of subject.content(connection.id, window, { signal })) posts.push(post);
  store.keepPosts(connection.id, posts);
  return outcome;
}
// #endregion background-refresh

/** Records an outcome: when to refresh again, or that the connection was removed. */
function settle({ store, clock, random, policy, log }: Dependencies, known: KnownConnection, outcome: Outcome): void {
  const { id } = known;
  const nowMs = clock.now();
  const over = { saved: null, failures: 0 };
  if (outcome.kind === "fresh") {
    const dueMs = nextRefreshMs(nowMs, policy.intervalMs, random());
    store.changeConnection(id, { ...over, dueMs, state: "active", note: outcome.note });
    log(`${id} is fresh${outcome.note === null ? "" : `, limited by ${outcome.note} let it`}`);
  } else if (outcome.kind === "unfinished") {
    // The poller is stored and continues after other connections had their turn.
    store.changeConnection(id, { dueMs: nowMs + RETRY_DELAY_MS });
  } else if (outcome.kind === "later") {
    const failures = known.failures + 1;
    const dueMs = nextTryMs(nowMs, failures, random(), outcome.retryAfterSeconds);
    store.changeConnection(id, { saved: null, failures, dueMs, note: outcome.note });
    log(`${id} was not read (${outcome.note}) and will be retried`);
  } else if (outcome.kind === "paused") {
    store.changeConnection(id, { ...over, state: "paused", dueMs: nowMs + PAUSE_MS, note: outcome.note });
    log(`${id} is paused (${outcome.note})`);
  } else if (outcome.kind === "needs-person") {
    store.changeConnection(id, { ...over, state: "needs-person", note: outcome.note });
    log(`${id} waits for its person to connect again`);
  } else {
    store.removeConnection(id);
    log(`${id} was removed, with its posts`);
  }
}

function windowOf(nowMs: number, days: number): PublishedWindow {
  return { publishedAfter: new Date(nowMs - days * DAY_MS), publishedBefore: new Date(nowMs) };
}
