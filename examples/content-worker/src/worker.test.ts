import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SocialConnectError } from "@social-connect/sdk";
import { expect, test } from "vitest";
import { Store } from "./store.ts";
import { startWorker } from "./testing/startWorker.ts";
import { work, workOnce } from "./worker.ts";

const SIX_HOURS_MS = 6 * 3_600_000;
const forever = new AbortController().signal;

async function workerWith(account?: string) {
  const worker = startWorker();
  const id = await worker.link(account);
  return { ...worker, id, run: () => workOnce(worker.dependencies, forever), known: () => worker.store.connection(id) };
}

test("finds, reads and stores a connection, and makes it due again after the interval", async () => {
  const { mock, store, id, run, known } = await workerWith();
  mock.connection(id).publish({ title: "Night train" });
  await run();
  expect(store.posts(id)).toContainEqual(expect.objectContaining({ title: "Night train" }));
  expect(known()).toMatchObject({ state: "active", saved: null, failures: 0, note: null });
  expect((known()?.dueMs ?? 0) - mock.clock.now()).toBe(SIX_HOURS_MS);

  mock.calls.clear();
  await run();
  expect(mock.calls.all()).toEqual([]);
  await mock.clock.advance("6h");
  await run();
  mock.calls.assertCalled("requestRefresh", 1);
});

test("continues an incomplete scan until its window is covered", async () => {
  const { mock, run, known } = await workerWith("thousand-posts");
  await run();
  mock.calls.assertCalled("requestRefresh", 2);
  expect(known()?.note).toBeNull();
});

test("resumes the job of an earlier process and creates no second one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-worker-"));
  try {
    const file = join(folder, "worker.sqlite");
    const first = startWorker({ store: new Store(file) });
    const id = await first.link();
    const killed = new AbortController();
    first.beforeSleep(() => killed.abort());
    await workOnce(first.dependencies, killed.signal);
    first.store.close();

    const second = startWorker({ mock: first.mock, store: new Store(file) });
    expect(second.store.connection(id)?.saved).toMatchObject({ kind: "refresh", id: second.latestJob().state.id });
    await workOnce(second.dependencies, forever);
    first.mock.calls.assertCalled("requestRefresh", 1);
    expect(second.store.connection(id)).toMatchObject({ saved: null, state: "active" });
    expect(second.store.posts(id).length).toBeGreaterThan(0);
    second.store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("keeps the job of a refresh that outlasts its patience, and continues with the other connections", async () => {
  const { mock, run, known, onceAnswered, latestJob } = await workerWith();
  onceAnswered("requestRefresh", () => void latestJob().retryLater("30m"));
  await run();
  expect(known()?.saved).toMatchObject({ id: latestJob().state.id });
  expect(known()).toMatchObject({ failures: 0, dueMs: mock.clock.now() + 1_000 });
});

test("waits as long as a rate limit of the service says", async () => {
  const { mock, run, known } = await workerWith();
  const startMs = mock.clock.now();
  mock.faults.next("requestRefresh", { code: "RATE_LIMITED", retryAfterSeconds: 60 });
  await run();
  expect(mock.clock.now() - startMs).toBeGreaterThanOrEqual(60_000);
  expect(known()).toMatchObject({ state: "active", failures: 0 });
});

test.each([
  ["RECONNECT_REQUIRED", "needs-person"],
  ["AUTHORIZATION_SUSPENDED", "paused"],
  ["CAPABILITY_UNAVAILABLE", "paused"],
] as const)("after %s a connection is %s", async (code, state) => {
  const { mock, run, known } = await workerWith();
  mock.faults.next("requestRefresh", { code });
  await run();
  expect(known()).toMatchObject({ state, note: code, saved: null });
});

test("does not read a connection that needs a new consent until the user has connected it again", async () => {
  const { mock, link, id, run, known } = await workerWith();
  mock.connection(id).loseGrant();
  await run();
  mock.calls.assertSequence(["connections"]);
  await link("channel-1", id);
  await mock.clock.advance("6h");
  await run();
  mock.calls.assertCalled("requestRefresh", 1);
  expect(known()?.state).toBe("active");
});

test("retries a failed job with growing delays, and resets them after a success", async () => {
  const { run, known, onceAnswered, latestJob } = await workerWith();
  for (const failures of [1, 2]) {
    onceAnswered("requestRefresh", () => void latestJob().fail("UPSTREAM_UNAVAILABLE"));
    await run();
    expect(known()).toMatchObject({ failures, note: "UPSTREAM_UNAVAILABLE", state: "active" });
  }
  await run();
  expect(known()).toMatchObject({ failures: 0, note: null });
});

test("removes a disconnected connection with its posts", async () => {
  const { mock, store, link, id, run, known } = await workerWith();
  const other = await link("channel-2");
  await run();
  expect(store.posts(id).length).toBeGreaterThan(0);
  mock.connection(id).disconnect();
  await mock.clock.advance("6h");
  await run();
  expect(known()).toBeUndefined();
  expect(store.posts(id)).toEqual([]);
  // The control: the other one is still there.
  expect(store.posts(other).length).toBeGreaterThan(0);
});

test("deletes posts that were not seen for 30 days", async () => {
  const { mock, store, id, run } = await workerWith();
  await run();
  const count = store.posts(id).length;
  store.changeConnection(id, { state: "needs-person" });
  store.deferSubject(mock.scope, Number.MAX_SAFE_INTEGER);
  await mock.clock.advance("29d");
  await run();
  expect(store.posts(id)).toHaveLength(count);
  await mock.clock.advance("2d");
  await run();
  expect(store.posts(id)).toEqual([]);
});

test("exits on an invalid key", async () => {
  const { mock, run } = await workerWith();
  mock.application.revokeKey(mock.key);
  const error: unknown = await run().catch((failure: unknown) => failure);
  expect(SocialConnectError.is(error) && error.code).toBe("UNAUTHENTICATED");
});

test("continues if the service cannot be reached", async () => {
  const { mock, store, logged, run } = await workerWith();
  mock.faults.always("connections", { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 30 });
  await run();
  expect(logged).toEqual(["connections could not be listed (UPSTREAM_UNAVAILABLE)"]);
  expect(store.dueSubjects(mock.clock.now())).toEqual([]);
});

test("rests until something is due, and stops at a signal", async () => {
  const { mock, dependencies, beforeSleep } = await workerWith();
  const stopped = new AbortController();
  const endMs = mock.clock.now() + 2 * SIX_HOURS_MS + 60_000;
  beforeSleep(() => {
    if (mock.clock.now() > endMs) stopped.abort();
  });
  await work(dependencies, stopped.signal);
  expect(mock.calls.count("requestRefresh")).toBeGreaterThanOrEqual(2);
});
