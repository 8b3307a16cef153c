import { LIMITS } from "@social-connect/contract";
import { beforeEach, expect, test } from "vitest";
import { createApplication } from "../testing/builders.ts";
import { startInitialReads } from "../testing/calls.ts";
import { createConnection, postsOf } from "../testing/connections.ts";
import {
  application,
  connect,
  connection,
  readJob,
  refresh,
  registrations,
  scan,
  service,
  testNumber,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { runScan } from "../testing/tasks.ts";
import { readSyncJob } from "./readSyncJob.ts";
import { requestContentLookup } from "./requestContentLookup.ts";

useConnectionPerTest();

const DAY = 24 * 3_600_000;

beforeEach(() => {
  service.fakes.PROVIDER_A.posts = postsOf(25, service.clock.current);
});

test("accepts exactly 20 of 60 parallel read jobs and rejects the others with a retry after 60 seconds", async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, (_, index) => lookup(index)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  for (const result of results.filter(({ status }) => status === "rejected")) {
    expect(result).toMatchObject({ reason: { code: "RATE_LIMITED", retryAfterSeconds: 60 } });
  }
  expect(await service.prisma.job.count({ where: { applicationId: application.id } })).toBe(20);
  // The limit does not affect another application, and a completed job frees a slot.
  const other = await createApplication(service, `other-${testNumber}`);
  const foreign = await createConnection(service, other, registrations);
  const request = { scope: other.scope, connectionId: foreign.id, url: watch(1) };
  await expect(requestContentLookup(service, other.caller, request)).resolves.toMatchObject({ status: "QUEUED" });
  const [first] = await service.prisma.job.findMany({ where: { applicationId: application.id }, take: 1 });
  await service.prisma.job.updateMany({ where: { id: first?.id ?? "" }, data: { status: "SUCCEEDED" } });
  const again = await Promise.allSettled([lookup(100), lookup(101)]);
  expect(again.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("excludes background jobs from the limit", async () => {
  await startInitialReads(service, connection);
  const most = LIMITS.inFlightReadJobs;
  const results = await Promise.allSettled(Array.from({ length: most + 1 }, (_, index) => lookup(index)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
});

test("returns the same job for parallel requests of the same or the default window, including a background scan", async () => {
  await startInitialReads(service, connection);
  const own = await service.prisma.job.findFirstOrThrow({ where: { connectionId: connection.id, kind: "SCAN" } });
  service.clock.advance(5_000);
  const jobs = await Promise.all(Array.from({ length: 10 }, () => refresh()));
  expect(new Set(jobs.map(({ id }) => id))).toEqual(new Set([own.id]));

  const second = await connect({ accountId: "second" });
  const window = lastDays(3);
  const same = await Promise.all(Array.from({ length: 10 }, () => refresh({ connectionId: second.id, window })));
  expect(new Set(same.map(({ id }) => id)).size).toBe(1);
});

test("rejects a different window during a scan; the same window after it is a new job", async () => {
  const first = await refresh({ window: lastDays(3) });
  for (const other of [{ window: lastDays(4) }, { window: { ...lastDays(3), maxItems: 5 } }, {}]) {
    await expect(refresh(other)).rejects.toMatchObject({ code: "SYNC_WINDOW_BUSY" });
  }
  await runScan(service, first.id);
  const second = await refresh({ window: lastDays(4) });
  expect(second.id).not.toBe(first.id);
});

test("requires an observed post for a metrics refresh, runs one per post, and allows it during a scan", async () => {
  await expect(refresh({ providerContentId: "post-1" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await scan();
  const running = await refresh();
  const [one, same, other] = await Promise.all(
    ["post-1", "post-1", "post-2"].map((providerContentId) => refresh({ providerContentId })),
  );
  expect(one?.id).toBe(same?.id);
  expect(other?.id).not.toBe(one?.id);
  expect(running.id).not.toBe(one?.id);
});

test("rejects a continuation cursor that it did not issue", async () => {
  await expect(refresh({ continuationCursor: "not a cursor" })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  await expect(refresh({ window: { ...lastDays(90), maxItems: 100 } })).resolves.toMatchObject({ status: "QUEUED" });
});

test("accepts a continuation cursor only for its connection and window, for 24 hours", async () => {
  const window = { ...lastDays(7), maxItems: 10 };
  const id = await scan({ window });
  const { continuationCursor } = await readJob(id);
  if (continuationCursor === null) throw new Error("no cursor");

  const altered = `${continuationCursor.slice(0, -2)}AA`;
  const other = await connect({ accountId: "other" });
  for (const wrong of [
    { continuationCursor: altered },
    { continuationCursor, connectionId: other.id },
    { continuationCursor, window: lastDays(7) },
  ]) {
    await expect(refresh(wrong)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  }

  service.clock.advance(DAY - 1);
  await expect(refresh({ continuationCursor, window })).resolves.toMatchObject({ status: "QUEUED" });
  service.clock.advance(1);
  await expect(refresh({ continuationCursor, window })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  expect((await readJob(id)).continuationCursor).toBeNull();
});

test("returns the error codes for missing capabilities and connections that cannot be read", async () => {
  const { id: connectionId } = await connect({ accountId: "list-only", capabilities: ["CONTENT_LIST"] });
  for (const ask of [() => refresh({ connectionId, providerContentId: "post-1" }), () => lookup(1, connectionId)]) {
    await expect(ask()).rejects.toMatchObject({ code: "CAPABILITY_UNAVAILABLE" });
  }
  await expect(refresh({ connectionId })).resolves.toMatchObject({ status: "QUEUED" });

  for (const [status, code] of [
    ["SUSPENDED", "AUTHORIZATION_SUSPENDED"],
    ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
    ["DISCONNECTED", "NOT_FOUND"],
  ] as const) {
    await service.prisma.connection.updateMany({ where: { id: connection.id }, data: { status } });
    await expect(refresh()).rejects.toMatchObject({ code });
  }
});

test("shows a job only to its scope, until 7 days after it ends", async () => {
  const id = await scan();
  const other = await createApplication(service, `foreign-${testNumber}`);
  const request = { scope: application.scope, connectionId: connection.id, id };
  const { scope, caller } = application;
  for (const [who, refused] of [
    [other.caller, request],
    [caller, { ...request, scope: { ...scope, externalSubjectId: "user-2" } }],
    [caller, { ...request, scope: { ...scope, tenantKey: "tenant-2" } }],
    [caller, { ...request, connectionId: id }],
    [caller, { ...request, id: "no uuid" }],
  ] as const) {
    await expect(readSyncJob(service, who, refused)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  service.clock.advance(7 * DAY - 1);
  await expect(readJob(id)).resolves.toMatchObject({ id, status: "SUCCEEDED" });
  service.clock.advance(1);
  await expect(readJob(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

function lookup(index: number, connectionId = connection.id) {
  const { caller, scope } = application;
  return requestContentLookup(service, caller, { scope, connectionId, url: watch(index) });
}

function watch(index: number): string {
  return `https://www.youtube.com/watch?v=${String(index).padStart(11, "0")}`;
}

function lastDays(days: number) {
  return { publishedAfter: service.clock.fromNow(-days * DAY), publishedBefore: service.clock.current };
}
