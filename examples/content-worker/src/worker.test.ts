import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SocialConnectError } from "@social-connect/sdk";
import { expect, test } from "vitest";
import { Store } from "./store.ts";
import {
  connection,
  contentOf,
  job,
  listOf,
  post,
  refusal,
  SCOPE,
  START_MS,
  startWorker,
} from "./testing/scriptedService.ts";
import { work, workOnce } from "./worker.ts";

const SIX_HOURS_MS = 6 * 3_600_000;
const forever = new AbortController().signal;

function workerWith(answers: Parameters<typeof startWorker>[0], store?: Store) {
  const worker = startWorker(
    { connections: listOf(connection("c1")), content: contentOf(post("p1")), ...answers },
    store,
  );
  worker.store.addSubject(SCOPE);
  return worker;
}

test("finds, reads and stores a connection, and makes it due again after the interval", async () => {
  const worker = workerWith({ requestRefresh: job("j1", "QUEUED"), syncJob: job("j1", "SUCCEEDED") });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.posts("c1")).toMatchObject([{ providerContentId: "p1", title: "Post p1" }]);
  expect(worker.store.connection("c1")).toMatchObject({ state: "active", saved: null, failures: 0, note: null });
  const dueMs = worker.store.connection("c1")?.dueMs ?? 0;
  expect(dueMs - worker.now()).toBe(SIX_HOURS_MS);

  const before = worker.calls.length;
  await workOnce(worker.dependencies, forever);
  expect(worker.calls).toHaveLength(before);
  worker.moveMs(SIX_HOURS_MS);
  await workOnce(worker.dependencies, forever);
  expect(worker.operations().filter((operation) => operation === "requestRefresh")).toHaveLength(2);
});

test("continues an incomplete scan until its window is covered", async () => {
  const worker = workerWith({
    requestRefresh: ({ continuationCursor }) => job(continuationCursor === "next" ? "j2" : "j1", "QUEUED"),
    syncJob: ({ id }) =>
      id === "j2"
        ? job("j2", "SUCCEEDED")
        : job("j1", "SUCCEEDED", {
            completeForWindow: false,
            incompleteReason: "MAX_ITEMS_REACHED",
            continuationCursor: "next",
          }),
  });
  await workOnce(worker.dependencies, forever);
  expect(worker.operations().filter((operation) => operation === "requestRefresh")).toHaveLength(2);
  expect(worker.store.connection("c1")?.note).toBeNull();
});

test("resumes the job of an earlier process and creates no second one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-worker-"));
  try {
    const file = join(folder, "worker.sqlite");
    const killed = new AbortController();
    const first = workerWith(
      {
        requestRefresh: job("j1", "QUEUED"),
        syncJob: () => {
          killed.abort();
          return job("j1", "RUNNING");
        },
      },
      new Store(file),
    );
    await workOnce(first.dependencies, killed.signal);
    first.store.close();

    const second = workerWith({ syncJob: job("j1", "SUCCEEDED") }, new Store(file));
    expect(second.store.connection("c1")?.saved).toMatchObject({ kind: "refresh", id: "j1" });
    await workOnce(second.dependencies, forever);
    expect(second.operations()).not.toContain("requestRefresh");
    expect(second.store.connection("c1")).toMatchObject({ saved: null, state: "active" });
    expect(second.store.posts("c1")).toHaveLength(1);
    second.store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a refresh that outlasts its patience keeps its job and lets the others have their turn", async () => {
  const worker = workerWith({ requestRefresh: job("j1", "QUEUED"), syncJob: job("j1", "RUNNING") });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")?.saved).toMatchObject({ id: "j1" });
  expect(worker.store.connection("c1")).toMatchObject({ failures: 0, dueMs: worker.now() + 1_000 });
});

test("a limit of the service is waited out, not run into", async () => {
  let refusals = 0;
  const worker = workerWith({
    requestRefresh: () => {
      refusals += 1;
      return refusals === 1 ? refusal("RATE_LIMITED", { retryAfterSeconds: 60 }) : job("j1", "SUCCEEDED");
    },
  });
  await workOnce(worker.dependencies, forever);
  expect(worker.now() - START_MS).toBeGreaterThanOrEqual(60_000);
  expect(worker.store.connection("c1")).toMatchObject({ state: "active", failures: 0 });
});

test.each([
  ["RECONNECT_REQUIRED", "needs-person"],
  ["AUTHORIZATION_SUSPENDED", "paused"],
  ["CAPABILITY_UNAVAILABLE", "paused"],
])("after %s a connection is %s", async (code, state) => {
  const worker = workerWith({ requestRefresh: refusal(code) });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")).toMatchObject({ state, note: code, saved: null });
});

test("does not read a connection that needs a new consent until the user has connected it again", async () => {
  let status = "RECONNECT_REQUIRED";
  const worker = workerWith({
    connections: () => listOf(connection("c1", status)),
    requestRefresh: job("j1", "SUCCEEDED"),
  });
  await workOnce(worker.dependencies, forever);
  expect(worker.operations()).toEqual(["connections"]);
  status = "CONNECTED";
  worker.moveMs(SIX_HOURS_MS);
  await workOnce(worker.dependencies, forever);
  expect(worker.operations()).toContain("requestRefresh");
  expect(worker.store.connection("c1")?.state).toBe("active");
});

test("retries a failed job with growing delays, and resets them after a success", async () => {
  let status = "FAILED";
  const worker = workerWith({
    requestRefresh: () => job("j1", status, status === "FAILED" ? { errorCode: "UPSTREAM_UNAVAILABLE" } : {}),
  });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")).toMatchObject({ failures: 1, note: "UPSTREAM_UNAVAILABLE", state: "active" });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")?.failures).toBe(2);
  status = "SUCCEEDED";
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")).toMatchObject({ failures: 0, note: null });
});

test("a connection that is over takes its posts along", async () => {
  let status = "CONNECTED";
  const worker = workerWith({
    connections: () => listOf(connection("c1", status), connection("c2")),
    requestRefresh: job("j1", "SUCCEEDED"),
  });
  await workOnce(worker.dependencies, forever);
  expect(worker.store.posts("c1")).toHaveLength(1);
  status = "DISCONNECTED";
  worker.moveMs(SIX_HOURS_MS);
  await workOnce(worker.dependencies, forever);
  expect(worker.store.connection("c1")).toBeUndefined();
  expect(worker.store.posts("c1")).toEqual([]);
  // The control: the other one is still there.
  expect(worker.store.posts("c2")).toHaveLength(1);
});

test("deletes posts that were not seen for 30 days", async () => {
  const worker = workerWith({ requestRefresh: job("j1", "SUCCEEDED") });
  await workOnce(worker.dependencies, forever);
  worker.store.changeConnection("c1", { state: "needs-person" });
  worker.store.deferSubject(SCOPE, Number.MAX_SAFE_INTEGER);
  worker.moveMs(29 * 86_400_000);
  await workOnce(worker.dependencies, forever);
  expect(worker.store.posts("c1")).toHaveLength(1);
  worker.moveMs(2 * 86_400_000);
  await workOnce(worker.dependencies, forever);
  expect(worker.store.posts("c1")).toEqual([]);
});

test("exits on an invalid key", async () => {
  const worker = workerWith({ connections: refusal("UNAUTHENTICATED") });
  const error: unknown = await workOnce(worker.dependencies, forever).catch((failure: unknown) => failure);
  expect(SocialConnectError.is(error) && error.code).toBe("UNAUTHENTICATED");
});

test("a service that cannot be reached ends nothing", async () => {
  const worker = workerWith({ connections: refusal("UPSTREAM_UNAVAILABLE", { retryAfterSeconds: 30 }) });
  await workOnce(worker.dependencies, forever);
  expect(worker.logged).toEqual(["connections could not be listed (UPSTREAM_UNAVAILABLE)"]);
  expect(worker.store.dueSubjects(worker.now())).toEqual([]);
});

test("between what is due the worker rests, and a signal ends it", async () => {
  const stopped = new AbortController();
  const worker = workerWith({
    requestRefresh: () => job("j1", "SUCCEEDED"),
    connections: () => {
      if (worker.now() - START_MS > 2 * SIX_HOURS_MS) stopped.abort();
      return listOf(connection("c1"));
    },
  });
  await work(worker.dependencies, stopped.signal);
  const refreshes = worker.operations().filter((operation) => operation === "requestRefresh");
  expect(refreshes.length).toBeGreaterThanOrEqual(2);
});
