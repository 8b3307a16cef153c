import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { application, registrations, service } from "../testing/applicationPerTest.ts";
import { createConnection, postOf, postsOf } from "../testing/connections.ts";
import { readSyncJob } from "./readSyncJob.ts";
import { requestRefresh } from "./requestRefresh.ts";
import { runScan } from "./runScan.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let connection: Connection;

beforeEach(async () => {
  connection = await createConnection(service, application, registrations);
  const fake = service.fakes.PROVIDER_A;
  fake.posts = postsOf(25, service.clock.current);
});

test("stores the window's posts with metrics and reports the window as complete", async () => {
  const { id } = await refresh();
  await runScan(service, id);

  expect(await read(id)).toMatchObject({
    status: "SUCCEEDED",
    completeForWindow: true,
    incompleteReason: null,
    continuationCursor: null,
  });
  const posts = await storedPosts();
  expect(posts).toHaveLength(25);
  expect(posts[0]).toMatchObject({
    providerContentId: "post-1",
    title: "Title of post-1",
    availability: "AVAILABLE",
    observedAt: service.clock.current,
    metrics: [
      { name: "VIEWS", value: "100", availability: "AVAILABLE", reason: null, sourceField: "statistics.viewCount" },
    ],
  });
  expect(await stored()).toMatchObject({
    syncStatus: "READY",
    lastSuccessfulSyncAt: service.clock.current,
    nextRetryAt: null,
  });
});

test("updates posts on a second scan without duplicates", async () => {
  await runScan(service, (await refresh()).id);
  const before = await storedPosts();
  service.clock.advance(HOUR);
  await runScan(service, (await refresh()).id);
  const after = await storedPosts();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after[0]?.observedAt).toEqual(service.clock.current);
});

test("rewrites 100 posts in three statements", async () => {
  service.fakes.PROVIDER_A.posts = postsOf(100, service.clock.current);
  await runScan(service, (await refresh()).id);
  service.clock.advance(1_000);
  const { id } = await refresh();
  // The claim updates connection and job; count the scan's writes after it.
  const writes = await countWrites(() => runScan(service, id));
  expect(writes.content).toBe(1);
  expect(writes.afterClaim).toBe(3);
});

test("stores no metrics without CONTENT_METRICS", async () => {
  connection = await createConnection(service, application, registrations, {
    capabilities: ["CONTENT_LIST"],
    accountId: "without-metrics",
  });
  await runScan(service, (await refresh()).id);
  expect((await storedPosts())[0]).toMatchObject({ metrics: [], metricsObservedAt: null });
});

test("marks a post as deleted if neither the listing nor a read by ID returns it", async () => {
  const fake = service.fakes.PROVIDER_A;
  await runScan(service, (await refresh()).id);
  const [first, second, ...others] = fake.posts;
  if (first === undefined || second === undefined) throw new Error("no posts");
  service.clock.advance(HOUR);
  // Still readable by ID, as with a provider whose listing lags behind.
  fake.posts = [...others];
  const listed = fake.listContent.bind(fake);
  fake.posts = [second, ...others];
  fake.listContent = async (session, request) => {
    const page = await listed(session, request);
    return {
      ...page,
      items: page.items.filter(({ providerContentId }) => providerContentId !== second.providerContentId),
    };
  };
  try {
    await runScan(service, (await refresh()).id);
  } finally {
    fake.listContent = listed;
  }
  const posts = new Map((await storedPosts()).map((post) => [post.providerContentId, post]));
  expect(posts.get(first.providerContentId)).toMatchObject({
    availability: "UNAVAILABLE",
    reason: "DELETED_AT_PROVIDER",
    title: null,
    metrics: [],
    observedAt: service.clock.current,
  });
  expect(posts.get(second.providerContentId)).toMatchObject({
    availability: "AVAILABLE",
    observedAt: service.clock.current,
  });
});

test("reports a scan that reaches maxItems, and its continuation completes the window", async () => {
  const now = service.clock.current;
  const window = { publishedAfter: new Date(now.getTime() - 7 * DAY), publishedBefore: now, maxItems: 20 };
  const first = await refresh({ window });
  await runScan(service, first.id);
  const shown = await read(first.id);
  expect(shown).toMatchObject({ status: "SUCCEEDED", completeForWindow: false, incompleteReason: "MAX_ITEMS_REACHED" });
  expect(await stored()).toMatchObject({ syncStatus: "PARTIAL" });
  expect(shown.continuationCursor).not.toBeNull();

  service.clock.advance(HOUR);
  const second = await refresh({ window, continuationCursor: shown.continuationCursor });
  expect(second.id).not.toBe(first.id);
  await runScan(service, second.id);
  expect(await read(second.id)).toMatchObject({ status: "SUCCEEDED", completeForWindow: true });
  expect(await storedPosts()).toHaveLength(25);
  // Uses the start time of the first scan of the chain.
  expect((await service.prisma.job.findUnique({ where: { id: second.id } }))?.coveredSince).toEqual(now);
});

test("ends a scan with partial results on a rate limit; without results it waits for Retry-After", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.before.set("listContent", async () => {
    if (fake.countOf("listContent") === 2) fake.failNext("listContent", "rate_limited");
  });
  const partial = await refresh();
  await runScan(service, partial.id);
  expect(await read(partial.id)).toMatchObject({
    status: "SUCCEEDED",
    completeForWindow: false,
    incompleteReason: "UPSTREAM_RATE_LIMITED",
  });
  expect(await storedPosts()).toHaveLength(10);
  fake.before.clear();

  const { ProviderError } = await import("../../providers/contract.ts");
  fake.failures.set("listContent", [new ProviderError("rate_limited", "test", { retryAfterSeconds: 120 })]);
  const waiting = await refresh();
  await runScan(service, waiting.id);
  const shown = await read(waiting.id);
  expect(shown.status).toBe("QUEUED");
  expect(shown.nextRetryAt?.getTime()).toBeGreaterThanOrEqual(service.clock.current.getTime() + 120_000);
  expect(await stored()).toMatchObject({ syncStatus: "FAILED", nextRetryAt: shown.nextRetryAt });
  expect(service.enqueued.at(-1)).toMatchObject({
    task: "scan",
    payload: { id: waiting.id },
    startAfter: shown.nextRetryAt,
  });
});

test("keeps partial results on a transient failure and resumes; fails with its code after the last retry", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.before.set("listContent", async () => {
    if (fake.countOf("listContent") === 2) fake.failNext("listContent", "unavailable");
  });
  const { id } = await refresh();
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "QUEUED" });
  expect(await storedPosts()).toHaveLength(10);
  service.clock.set((await read(id)).nextRetryAt ?? service.clock.current);
  await runScan(service, id);
  expect(fake.calls.filter(({ name }) => name === "listContent").map(({ detail }) => detail)).toEqual([
    null,
    "10",
    "10",
    "20",
  ]);
  expect(await read(id)).toMatchObject({ status: "SUCCEEDED", completeForWindow: true });

  fake.before.set("listContent", async () => fake.failNext("listContent", "unavailable"));
  const doomed = await refresh();
  for (let tries = 0; tries < 20; tries += 1) {
    await runScan(service, doomed.id);
    const { nextRetryAt } = await read(doomed.id);
    if (nextRetryAt === null) break;
    service.clock.set(nextRetryAt);
  }
  expect(await read(doomed.id)).toMatchObject({
    status: "FAILED",
    errorCode: "UPSTREAM_UNAVAILABLE",
    nextRetryAt: null,
  });
  expect(await stored()).toMatchObject({ syncStatus: "FAILED", nextRetryAt: null });
});

test("does not claim a job before its retry time", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "unavailable");
  const { id } = await refresh();
  await runScan(service, id);
  const { nextRetryAt } = await read(id);
  await service.prisma.job.update({
    where: { id },
    data: { nextRetryAt: new Date(service.clock.current.getTime() + HOUR) },
  });
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "QUEUED" });
  expect(nextRetryAt).not.toBeNull();
  service.clock.advance(HOUR);
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("fails the scan and requires a reconnect if the grant is revoked", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "grant_gone");
  const { id } = await refresh();
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "FAILED", errorCode: "RECONNECT_REQUIRED" });
  expect(await stored()).toMatchObject({ status: "RECONNECT_REQUIRED", nextScanAt: null });
  expect(await service.prisma.grant.findUnique({ where: { connectionId: connection.id } })).toMatchObject({
    status: "GONE",
  });
});

test("retries if the provider rejects an access token right after its renewal", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "access_expired", "access_expired");
  const { id } = await refresh();
  await runScan(service, id);
  expect(service.fakes.PROVIDER_A.countOf("refreshTokens")).toBe(1);
  const { status, nextRetryAt } = await read(id);
  expect(status).toBe("QUEUED");
  expect(await stored()).toMatchObject({ status: "CONNECTED", syncStatus: "FAILED" });
  service.clock.set(nextRetryAt ?? service.clock.current);
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("fails the scan for a missing scope and for a paused registration", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "scope_missing");
  const { id } = await refresh();
  await runScan(service, id);
  expect(await read(id)).toMatchObject({ status: "FAILED", errorCode: "CAPABILITY_UNAVAILABLE" });

  const paused = await refresh();
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
  try {
    await runScan(service, paused.id);
  } finally {
    await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
  }
  expect(await read(paused.id)).toMatchObject({ status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED" });
});

test("strips characters that the database cannot store", async () => {
  const now = service.clock.current;
  service.fakes.PROVIDER_A.posts = [{ ...postOf("odd", now, 1), title: "a\u0000b\ud800c", description: "😀 ok" }];
  await runScan(service, (await refresh()).id);
  expect((await storedPosts())[0]).toMatchObject({ title: "a\uFFFDb\uFFFDc", description: "😀 ok" });
});

function refresh(input: Partial<Parameters<typeof requestRefresh>[2]> = {}) {
  return requestRefresh(service, application.caller, {
    scope: application.scope,
    connectionId: connection.id,
    ...input,
  });
}

function read(id: string) {
  return readSyncJob(service, application.caller, { scope: application.scope, connectionId: connection.id, id });
}

function stored() {
  return service.prisma.connection.findUniqueOrThrow({ where: { id: connection.id } });
}

function storedPosts() {
  return service.prisma.contentItem.findMany({
    where: { connectionId: connection.id },
    orderBy: { publishedAt: "desc" },
  });
}

/** Row-changing statements, as counted by the database. */
async function countWrites(run: () => Promise<void>): Promise<{ content: number; afterClaim: number }> {
  const statements: string[] = [];
  const note = (text: unknown) => {
    const sql = typeof text === "object" && text !== null && "text" in text ? String(text.text) : String(text);
    if (/^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) statements.push(sql);
  };
  const { Client } = (await import("pg")).default;
  const query = Client.prototype.query;
  Client.prototype.query = function (this: unknown, ...args: unknown[]) {
    note(args[0]);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    Client.prototype.query = query;
  }
  const first = statements.findIndex((sql) => sql.includes("content_item"));
  return {
    content: statements.filter((sql) => sql.includes("content_item")).length,
    afterClaim: statements.length - first,
  };
}
