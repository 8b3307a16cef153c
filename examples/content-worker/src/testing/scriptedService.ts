import { SocialConnect } from "@social-connect/sdk";
import type { Dependencies } from "../context.ts";
import { Store } from "../store.ts";

const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
export const START_MS = Date.parse("2026-03-01T12:00:00.000Z");
export const SCOPE = { tenantKey: "acme", externalSubjectId: "user-1" };

type Variables = Readonly<Record<string, unknown>>;
type Answer = object | ((variables: Variables) => object);

export function connection(id: string, status = "CONNECTED"): object {
  return {
    id,
    provider: "PROVIDER_A",
    providerAccountId: "channel-1",
    status,
    syncStatus: "READY",
    capabilities: [],
    profile: null,
    lastSuccessfulSyncAt: null,
    nextRetryAt: null,
  };
}

export function listOf(...items: readonly object[]): object {
  return { items, pageInfo: { endCursor: null, hasNextPage: false } };
}

export function job(id: string, status: string, fields: object = {}): object {
  return {
    id,
    status,
    nextRetryAt: null,
    errorCode: null,
    creatorAction: null,
    resultProviderContentId: null,
    completeForWindow: status === "SUCCEEDED" ? true : null,
    incompleteReason: null,
    continuationCursor: null,
    ...fields,
  };
}

export function post(id: string): object {
  return {
    id: `item-${id}`,
    providerContentId: id,
    provider: "PROVIDER_A",
    kind: "VIDEO",
    canonicalUrl: null,
    thumbnailUrl: null,
    title: `Post ${id}`,
    description: null,
    publishedAt: "2026-02-27T08:00:00.000Z",
    availability: "AVAILABLE",
    reason: null,
    observedAt: "2026-03-01T12:00:00.000Z",
    metrics: [],
  };
}

export function contentOf(...items: readonly object[]): object {
  const pageInfo = { endCursor: null, hasNextPage: false, completeForWindow: true, incompleteReason: null };
  return { items, pageInfo, lastSuccessfulSyncAt: "2026-03-01T12:00:00.000Z" };
}

export function refusal(code: string, extensions: object = {}): Response {
  const correlationId = "99999999-8888-4777-8666-555555555555";
  return Response.json({ errors: [{ message: "Refused.", extensions: { code, correlationId, ...extensions } }] });
}

/** A worker on a scripted service, with a clock that advances when it sleeps. */
export function startWorker(answers: Record<string, Answer>, store: Store = new Store(":memory:")) {
  const calls: { readonly operation: string; readonly variables: Variables }[] = [];
  const logged: string[] = [];
  let nowMs = START_MS;
  const clock = {
    now: () => nowMs,
    sleep: async (durationMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      nowMs += durationMs;
    },
  };
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { query, variables } = JSON.parse(String(init?.body));
    const operation = /\{\s*(\w+)/.exec(String(query).replace(/\([^)]*\)/g, ""))?.[1] ?? "";
    calls.push({ operation, variables });
    const scripted = answers[operation];
    if (scripted === undefined) throw new Error(`the test has no answer for ${operation}`);
    const answer = typeof scripted === "function" ? scripted(variables) : scripted;
    return answer instanceof Response ? answer.clone() : Response.json({ data: { [operation]: answer } });
  };
  const dependencies: Dependencies = {
    social: new SocialConnect({ baseUrl: "http://127.0.0.1:4400", key: KEY, fetch, clock, random: () => 0.5 }),
    store,
    clock,
    random: () => 0,
    log: (line) => logged.push(line),
    policy: { intervalMs: 6 * 3_600_000, days: 14, concurrency: 4, patienceMs: 15 * 60_000 },
  };
  return {
    dependencies,
    store,
    calls,
    logged,
    operations: () => calls.map(({ operation }) => operation),
    now: () => nowMs,
    moveMs: (durationMs: number) => {
      nowMs += durationMs;
    },
  };
}
