import type { SubjectScope } from "@social-connect/sdk";
import type { Dependencies } from "./context.ts";
import { nextRefreshMs } from "./schedule.ts";
import type { ConnectionState } from "./store.ts";

/** What a connection's status means here; unknown statuses of later versions are checked again later. */
const STATE_OF_STATUS: Readonly<Record<string, ConnectionState>> = {
  CONNECTED: "active",
  SUSPENDED: "paused",
  RECONNECT_REQUIRED: "needs-person",
};
const OVER: readonly string[] = ["DISCONNECTED", "DELETING"];

/**
 * Lists the connections of a subject: adds new ones, notices a new consent, and deletes removed ones with their posts.
 * The list shows every connection, including unreadable ones.
 */
export async function discover(dependencies: Dependencies, scope: SubjectScope, signal: AbortSignal): Promise<void> {
  const { social, store, clock, policy, random, log } = dependencies;
  const listed = new Set<string>();
  for await (const { id, provider, status } of social.forSubject(scope).connections({ signal })) {
    if (OVER.includes(status)) continue;
    listed.add(id);
    store.addConnection(id, scope, provider, clock.now());
    const [known, state] = [store.connection(id), STATE_OF_STATUS[status] ?? "paused"];
    if (known === undefined || known.state === state) continue;
    // Connected again: refresh it immediately.
    const dueMs = state === "active" ? clock.now() : known.dueMs;
    store.changeConnection(id, { state, dueMs, failures: 0, note: state === "active" ? null : status });
    log(`${id} is ${status}`);
  }
  for (const { id, scope: owner } of store.connections()) {
    if (!isSameScope(owner, scope) || listed.has(id)) continue;
    store.removeConnection(id);
    log(`${id} was removed, with its posts`);
  }
  store.deferSubject(scope, nextRefreshMs(clock.now(), policy.intervalMs, random()));
}

function isSameScope(one: SubjectScope, other: SubjectScope): boolean {
  return one.tenantKey === other.tenantKey && one.externalSubjectId === other.externalSubjectId;
}
