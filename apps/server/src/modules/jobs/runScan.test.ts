import { beforeEach, describe, expect, test } from "vitest";
import { type ListPage, type ProviderAdapter, ProviderError } from "../../providers/contract.ts";
import { postOf, postsOf } from "../testing/connections.ts";
import {
  connection,
  readJob,
  refresh,
  registrations,
  scan,
  service,
  storedConnection,
  storedJob,
  storedPosts,
  useConnection,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { isWrite, statementsOf } from "../testing/statements.ts";
import { runScan } from "../testing/tasks.ts";

useConnectionPerTest();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const COMPLETE = { status: "SUCCEEDED", completeForWindow: true };
const PARTIAL = { status: "SUCCEEDED", completeForWindow: false };

beforeEach(() => {
  service.fakes.PROVIDER_A.posts = postsOf(25, service.clock.current);
});

test("stores the window's posts with metrics and reports the window as complete", async () => {
  const complete = { ...COMPLETE, incompleteReason: null, continuationCursor: null };
  expect(await readJob(await scan())).toMatchObject(complete);
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
  expect(await storedConnection()).toMatchObject({
    syncStatus: "READY",
    lastSuccessfulSyncAt: service.clock.current,
    nextRetryAt: null,
  });
});

test("updates posts on a second scan without duplicates", async () => {
  await scan();
  const before = await storedPosts();
  service.clock.advance(HOUR);
  await scan();
  const after = await storedPosts();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after[0]?.observedAt).toEqual(service.clock.current);
});

test("rewrites 100 posts, job and connection in one statement", async () => {
  service.fakes.PROVIDER_A.posts = postsOf(100, service.clock.current);
  await scan();
  service.clock.advance(1_000);
  const { id } = await refresh();
  const writes = (await statementsOf(() => runScan(service, id))).filter(isWrite).map(({ text }) => text);
  // The claim updates connection and job before.
  expect(writes.findIndex((text) => text.includes("content_item"))).toBe(writes.length - 1);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED", finishedAt: service.clock.current });
  expect(await storedConnection()).toMatchObject({ lastSuccessfulSyncAt: service.clock.current });
});

test("stores no metrics without CONTENT_METRICS", async () => {
  await useConnection({ capabilities: ["CONTENT_LIST"], accountId: "without-metrics" });
  await scan();
  expect((await storedPosts())[0]).toMatchObject({ metrics: [], metricsObservedAt: null });
});

test("marks a post as deleted if neither the listing nor a read by ID returns it", async () => {
  const fake = service.fakes.PROVIDER_A;
  await scan();
  const [first, second, ...others] = fake.posts;
  if (first === undefined || second === undefined) throw new Error("no posts");
  service.clock.advance(HOUR);
  // Still readable by ID, as with a provider whose listing lags behind.
  const listed = fake.listContent.bind(fake);
  fake.posts = [second, ...others];
  fake.listContent = async (session, request) => {
    const page = await listed(session, request);
    return { ...page, items: page.items.filter((item) => item.providerContentId !== second.providerContentId) };
  };
  try {
    await scan();
  } finally {
    fake.listContent = listed;
  }
  const posts = new Map((await storedPosts()).map((post) => [post.providerContentId, post]));
  const observedAt = service.clock.current;
  const deleted = { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER", title: null, metrics: [], observedAt };
  expect(posts.get(first.providerContentId)).toMatchObject(deleted);
  expect(posts.get(second.providerContentId)).toMatchObject({ availability: "AVAILABLE", observedAt });
});

test("marks a post as deleted that a complete listing does not show and the provider hides by ID, and no post after a partial one", async () => {
  const fake = service.fakes.PROVIDER_A;
  await scan();
  const [first] = fake.posts;
  if (first === undefined) return expect.fail("no post");
  fake.posts = fake.posts.slice(1);
  fake.hidden = [first.providerContentId];
  const listed = fake.listContent.bind(fake);
  const availability = async () =>
    (await storedPosts()).find((post) => post.providerContentId === first.providerContentId)?.availability;
  try {
    fake.listContent = async (...asked) => ({
      ...(await listed(...asked)),
      nextCursor: null,
      incompleteReason: "UPSTREAM_PAGE_LIMIT",
    });
    service.clock.advance(HOUR);
    expect(await readJob(await scan())).toMatchObject(PARTIAL);
    expect(await availability()).toBe("AVAILABLE");
    fake.listContent = listed;
    service.clock.advance(HOUR);
    expect(await readJob(await scan())).toMatchObject(COMPLETE);
    expect(await availability()).toBe("UNAVAILABLE");
  } finally {
    fake.listContent = listed;
    fake.hidden = [];
  }
});

describe("a list that the provider does not find", () => {
  const fake = () => service.fakes.PROVIDER_A;
  /** A provider that finds the first page with posts only, if any, and gives up after three tries. */
  const losing = (first: ListPage | null): ProviderAdapter["listContent"] => {
    return async (_session, { cursor }) => {
      if (cursor === null && first !== null) return first;
      const tries = Number(/^lost-(\d)$/.exec(cursor ?? "")?.[1] ?? 0) + 1;
      if (tries === 3) return { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
      const interruption = new ProviderError("unavailable", "test: not found");
      const page = { items: [], nextCursor: `lost-${tries}`, incompleteReason: null, interruption };
      return first === null ? { ...page, isListMissing: true } : page;
    };
  };
  const tryAgain = async (id: string) => {
    const { nextRetryAt } = await readJob(id);
    if (nextRetryAt === null) return expect.fail("the job does not wait");
    service.clock.set(nextRetryAt);
    await runScan(service, id);
  };
  const scanWith = async (listContent: ProviderAdapter["listContent"]) => {
    const original = fake().listContent.bind(fake());
    fake().listContent = listContent;
    try {
      const id = await scan();
      if ((await readJob(id)).status !== "QUEUED") return readJob(id);
      await tryAgain(id);
      expect(await readJob(id)).toMatchObject({ status: "QUEUED" });
      await tryAgain(id);
      return await readJob(id);
    } finally {
      fake().listContent = original;
    }
  };

  test("is empty for an account of which nothing was ever stored", async () => {
    expect(await scanWith(losing(null))).toMatchObject({ ...COMPLETE, incompleteReason: null });
    expect(await storedConnection()).toMatchObject({ syncStatus: "READY" });
  });

  test("is tried twice more for an account with stored posts, which stay", async () => {
    await scan();
    const before = await storedPosts();
    service.clock.advance(HOUR);
    expect(await scanWith(losing(null))).toMatchObject({ ...PARTIAL, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
    expect(await storedConnection()).toMatchObject({ syncStatus: "PARTIAL" });
    expect(await storedPosts()).toEqual(before);
  });

  test("is tried twice more in the middle, and leaves what was read", async () => {
    const first = { items: fake().posts.slice(0, 10), nextCursor: "10", incompleteReason: null };
    expect(await scanWith(losing(first))).toMatchObject({ ...PARTIAL, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
    expect(await storedPosts()).toHaveLength(10);
  });
});

test("reports a scan that reaches maxItems, and its continuation completes the window", async () => {
  const now = service.clock.current;
  const window = { publishedAfter: service.clock.fromNow(-7 * DAY), publishedBefore: now, maxItems: 20 };
  const first = await scan({ window });
  const shown = await readJob(first);
  expect(shown).toMatchObject({ ...PARTIAL, incompleteReason: "MAX_ITEMS_REACHED" });
  expect(await storedConnection()).toMatchObject({ syncStatus: "PARTIAL" });
  expect(shown.continuationCursor).not.toBeNull();

  service.clock.advance(HOUR);
  const second = await scan({ window, continuationCursor: shown.continuationCursor });
  expect(second).not.toBe(first);
  expect(await readJob(second)).toMatchObject(COMPLETE);
  expect(await storedPosts()).toHaveLength(25);
  // Uses the start time of the first scan of the chain.
  expect((await storedJob(second)).coveredSince).toEqual(now);
});

test("continues after a rate limit where it stopped; without any progress it ends with the limit's code", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.before.set("listContent", async () => {
    if (fake.countOf("listContent") === 2) fake.failNext("listContent", "rate_limited");
  });
  const id = await scan();
  expect(await readJob(id)).toMatchObject({ status: "QUEUED", errorCode: null, incompleteReason: null });
  expect(await storedPosts()).toHaveLength(10);

  // The limit lasts until the retries end.
  fake.before.set("listContent", async () => fake.failNext("listContent", "rate_limited"));
  for (let tries = 0; tries < 20; tries += 1) {
    const { nextRetryAt } = await readJob(id);
    if (nextRetryAt === null) break;
    service.clock.set(nextRetryAt);
    await runScan(service, id);
  }
  const partial = await readJob(id);
  expect(partial).toMatchObject({ ...PARTIAL, incompleteReason: "UPSTREAM_RATE_LIMITED" });
  expect((await storedConnection()).syncStatus).toBe("PARTIAL");
  fake.before.clear();
  expect(await readJob(await scan({ continuationCursor: partial.continuationCursor }))).toMatchObject(COMPLETE);
});

test("an account that cannot be read needs a reconnect when the provider confirms it an hour later", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.failNext("listContent", "account_unreadable", "account_unreadable");
  const id = await scan();
  const { nextRetryAt } = await readJob(id);
  expect(nextRetryAt).toEqual(service.clock.fromNow(HOUR));
  service.clock.set(nextRetryAt ?? service.clock.current);
  await runScan(service, id);
  expect(await readJob(id)).toMatchObject({ status: "FAILED", errorCode: "RECONNECT_REQUIRED" });
  const ended = { status: "RECONNECT_REQUIRED", nextScanAt: null, nextProfileAt: null, unreadableSince: null };
  expect(await storedConnection()).toMatchObject(ended);
});

test("stores the posts of a page that a fault ended early, and continues after them", async () => {
  const fake = service.fakes.PROVIDER_A;
  const listed = fake.listContent.bind(fake);
  const interruption = new ProviderError("unavailable", "test");
  fake.listContent = async (session, request) => {
    const page = await listed(session, request);
    return request.cursor === null ? { ...page, items: page.items.slice(0, 4), nextCursor: "4", interruption } : page;
  };
  try {
    const id = await scan();
    const waiting = await readJob(id);
    expect(waiting.status).toBe("QUEUED");
    expect(await storedPosts()).toHaveLength(4);
    service.clock.set(waiting.nextRetryAt ?? service.clock.current);
    await runScan(service, id);
    expect(await readJob(id)).toMatchObject(COMPLETE);
    expect(await storedJob(id)).toMatchObject({ itemsObserved: 25 });
  } finally {
    fake.listContent = listed;
  }
});

test("does not follow positions that form a circle, and does not call the window complete", async () => {
  const fake = service.fakes.PROVIDER_A;
  const listed = fake.listContent.bind(fake);
  fake.listContent = async (session, request) => {
    const page = await listed(session, request);
    return page.nextCursor === "20" ? { ...page, nextCursor: "10" } : page;
  };
  try {
    expect(await readJob(await scan())).toMatchObject({
      status: "SUCCEEDED",
      completeForWindow: false,
      incompleteReason: "UPSTREAM_PAGE_LIMIT",
      continuationCursor: null,
    });
  } finally {
    fake.listContent = listed;
  }
});

test("stores and counts a post once that the provider lists twice", async () => {
  const fake = service.fakes.PROVIDER_A;
  const listed = fake.listContent.bind(fake);
  fake.listContent = async (session, request) => {
    const page = await listed(session, request);
    return { ...page, items: [...page.items.slice(0, 1), ...page.items] };
  };
  try {
    const id = await scan();
    expect(await readJob(id)).toMatchObject(COMPLETE);
    expect(await storedJob(id)).toMatchObject({ itemsObserved: 25 });
    expect(await storedPosts()).toHaveLength(25);
  } finally {
    fake.listContent = listed;
  }
});

test("waits for a rate limit's Retry-After", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.failures.set("listContent", [new ProviderError("rate_limited", "test", { retryAfterSeconds: 120 })]);
  const waiting = await scan();
  const shown = await readJob(waiting);
  expect(shown.status).toBe("QUEUED");
  expect(shown.nextRetryAt?.getTime()).toBeGreaterThanOrEqual(service.clock.fromNow(120_000).getTime());
  expect(await storedConnection()).toMatchObject({ syncStatus: "FAILED", nextRetryAt: shown.nextRetryAt });
  const task = { task: "scan", payload: { id: waiting }, startAfter: shown.nextRetryAt };
  expect(service.enqueued.at(-1)).toMatchObject(task);
});

test("keeps partial results on a transient failure and resumes; fails with its code after the last retry", async () => {
  const fake = service.fakes.PROVIDER_A;
  fake.before.set("listContent", async () => {
    if (fake.countOf("listContent") === 2) fake.failNext("listContent", "unavailable");
  });
  const id = await scan();
  expect(await readJob(id)).toMatchObject({ status: "QUEUED" });
  expect(await storedPosts()).toHaveLength(10);
  service.clock.set((await readJob(id)).nextRetryAt ?? service.clock.current);
  await runScan(service, id);
  expect(fake.detailsOf("listContent")).toEqual([null, "10", "10", "20"]);
  expect(await readJob(id)).toMatchObject(COMPLETE);

  fake.before.set("listContent", async () => fake.failNext("listContent", "unavailable"));
  const doomed = await refresh();
  for (let tries = 0; tries < 20; tries += 1) {
    await runScan(service, doomed.id);
    const { nextRetryAt } = await readJob(doomed.id);
    if (nextRetryAt === null) break;
    service.clock.set(nextRetryAt);
  }
  const failed = { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", nextRetryAt: null };
  expect(await readJob(doomed.id)).toMatchObject(failed);
  expect(await storedConnection()).toMatchObject({ syncStatus: "FAILED", nextRetryAt: null });
});

test("does not claim a job before its retry time", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "unavailable");
  const id = await scan();
  const { nextRetryAt } = await readJob(id);
  await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt: service.clock.fromNow(HOUR) } });
  await runScan(service, id);
  expect(await readJob(id)).toMatchObject({ status: "QUEUED" });
  expect(nextRetryAt).not.toBeNull();
  service.clock.advance(HOUR);
  await runScan(service, id);
  expect(await readJob(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("fails the scan and requires a reconnect if the grant is revoked", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "grant_gone");
  const id = await scan();
  expect(await readJob(id)).toMatchObject({ status: "FAILED", errorCode: "RECONNECT_REQUIRED" });
  expect(await storedConnection()).toMatchObject({ status: "RECONNECT_REQUIRED", nextScanAt: null });
  const grant = await service.prisma.grant.findFirst({ where: { connectionId: connection.id } });
  expect(grant).toMatchObject({ status: "GONE" });
});

test("retries if the provider rejects an access token right after its renewal", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "access_expired", "access_expired");
  const id = await scan();
  expect(service.fakes.PROVIDER_A.countOf("refreshTokens")).toBe(1);
  const { status, nextRetryAt } = await readJob(id);
  expect(status).toBe("QUEUED");
  expect(await storedConnection()).toMatchObject({ status: "CONNECTED", syncStatus: "FAILED" });
  service.clock.set(nextRetryAt ?? service.clock.current);
  await runScan(service, id);
  expect(await readJob(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("fails the scan for a missing scope and for a paused registration", async () => {
  service.fakes.PROVIDER_A.failNext("listContent", "scope_missing");
  const id = await scan();
  expect(await readJob(id)).toMatchObject({ status: "FAILED", errorCode: "CAPABILITY_UNAVAILABLE" });

  const paused = await refresh();
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
  try {
    await runScan(service, paused.id);
  } finally {
    await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
  }
  expect(await readJob(paused.id)).toMatchObject({ status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED" });
});

test("strips characters that the database cannot store", async () => {
  const now = service.clock.current;
  service.fakes.PROVIDER_A.posts = [{ ...postOf("odd", now, 1), title: "a\u0000b\ud800c", description: "😀 ok" }];
  await scan();
  expect((await storedPosts())[0]).toMatchObject({ title: "ab\uFFFDc", description: "😀 ok" });
});
