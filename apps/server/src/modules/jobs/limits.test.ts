import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { deleteAccountBudget } from "../quota/deleteBudgets.ts";
import { createApplication } from "../testing/builders.ts";
import { startInitialReads } from "../testing/calls.ts";
import { postsOf } from "../testing/connections.ts";
import { type CountingApi, setQuota, startCountingApi } from "../testing/countingApi.ts";
import {
  application,
  connection,
  refresh,
  registrations,
  scan,
  service,
  storedConnection,
  storedJob,
  storedPosts,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runProfileRead, runScan } from "../testing/tasks.ts";
import { ENQUEUE_BACKGROUND_READS } from "./enqueueBackgroundReads.ts";

useConnectionPerTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: CountingApi;

beforeAll(async () => {
  api = await startCountingApi(service, registrations.PROVIDER_A);
});
afterAll(() => api.close());

beforeEach(async () => {
  // The applications of other tests would keep a share.
  await service.prisma.application.updateMany({ where: { id: { not: application.id } }, data: { enabled: false } });
  service.clock.set("2026-03-10T12:00:20.000Z");
  const fake = service.fakes.PROVIDER_A;
  fake.callsApi = true;
  fake.posts = postsOf(25, service.clock.current);
  fake.account = { ...fake.account, providerAccountId: connection.providerAccountId };
  api.paths.length = 0;
});

test("delays a read without quota until the next window, and does not count a failure", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 3, window: "minute" });
  await scan();
  const { id: second } = await refresh();
  for (let tries = 0; tries < 12; tries += 1) await runScan(service, second);
  expect(api.paths).toHaveLength(3);
  const waiting = await storedJob(second);
  expect(waiting).toMatchObject({ status: "QUEUED", failures: 0, errorCode: null, attempt: 1 });
  const minute = new Date("2026-03-10T12:01:00.000Z");
  expect(waiting.nextRetryAt?.getTime()).toBeGreaterThan(minute.getTime());
  expect(waiting.nextRetryAt?.getTime()).toBeLessThanOrEqual(minute.getTime() + 2_000);
  expect(service.enqueued.at(-1)).toMatchObject({ payload: { id: second }, startAfter: waiting.nextRetryAt });

  service.clock.set(waiting.nextRetryAt ?? minute);
  await runScan(service, second);
  expect(await storedJob(second)).toMatchObject({ status: "SUCCEEDED", completeForWindow: true });
});

test("gives up a read after two days without quota, with UPSTREAM_RATE_LIMITED", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 3, window: "day" });
  await scan();
  const { id: waiting } = await refresh();
  for (let days = 0; days < 3; days += 1) {
    const at = (await storedJob(waiting)).nextRetryAt;
    if (at !== null) service.clock.set(at);
    await service.prisma.providerQuota.updateMany({ data: { used: 3, windowStart: windowStart() } });
    await runScan(service, waiting);
  }
  expect(await storedJob(waiting)).toMatchObject({ status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED" });
});

test("keeps the posts read before the quota ran out, and continues with the next window", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 2, window: "minute" });
  const id = await scan();
  const waiting = await storedJob(id);
  expect(waiting).toMatchObject({ status: "QUEUED", providerCursor: "20", itemsObserved: 20 });
  expect(await storedPosts()).toHaveLength(20);
  expect((await storedConnection()).nextScanAt).toBeNull();

  service.clock.set(waiting.nextRetryAt ?? expect.fail("no retry is planned"));
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED", completeForWindow: true, itemsObserved: 25 });
  expect(service.fakes.PROVIDER_A.detailsOf("listContent")).toEqual([null, "10", "20"]);
});

test("resumes a rate-limited background scan soon after the limit ends, at its cursor", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 5, window: "minute", reserve: 0.6 });
  await markScanned();
  await startInitialReads(service, connection);
  const first = await latestScan();
  await runScan(service, first.id);
  expect(await latestScan()).toMatchObject({ status: "SUCCEEDED", incompleteReason: "UPSTREAM_RATE_LIMITED" });
  expect((await storedConnection()).syncStatus).toBe("PARTIAL");
  const due = (await storedConnection()).nextScanAt ?? expect.fail("no scan is scheduled");
  expect(due.getTime() - service.clock.current.getTime()).toBeLessThanOrEqual(3 * MINUTE);

  service.clock.set(due);
  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  const rest = await latestScan();
  expect(rest).toMatchObject({ continuesJobId: first.id, providerCursor: "20", background: true });
  await runScan(service, rest.id);
  expect(await latestScan()).toMatchObject({ status: "SUCCEEDED", completeForWindow: true });
  expect((await storedConnection()).syncStatus).toBe("READY");
  expect(await storedPosts()).toHaveLength(25);

  // The next scan is a day later and starts from the newest post.
  const next = (await storedConnection()).nextScanAt ?? expect.fail("no scan is scheduled");
  expect(next.getTime() - due.getTime()).toBeGreaterThanOrEqual(20 * HOUR);
  service.clock.set(next);
  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  expect(await latestScan()).toMatchObject({ continuesJobId: null, providerCursor: null });
});

test("resumes after the provider's rate limit in the same way", async () => {
  await setQuota(service, registrations.PROVIDER_A, {});
  const fake = service.fakes.PROVIDER_A;
  const before = fake.countOf("listContent");
  fake.before.set("listContent", async () => {
    if (fake.countOf("listContent") !== before + 2) return;
    fake.failures.set("listContent", [new ProviderError("rate_limited", "test", { retryAfterSeconds: 1_200 })]);
  });
  await startInitialReads(service, connection);
  await runScan(service, (await latestScan()).id);
  const waitMs = ((await storedConnection()).nextScanAt?.getTime() ?? 0) - service.clock.current.getTime();
  expect(waitMs).toBeGreaterThanOrEqual(20 * MINUTE);
  expect(waitMs).toBeLessThanOrEqual(21 * MINUTE);
});

test("does not keep a background scan in flight during a limit of hours, which would reject refresh requests", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 10, window: "day", reserve: 0.9 });
  await useUnits(1);
  await markScanned();
  await startInitialReads(service, connection);
  const own = await latestScan();
  await runScan(service, own.id);
  const where = { connectionId: connection.id, kind: "PROFILE" } as const;
  const profile = await service.prisma.job.findFirstOrThrow({ where });
  await runProfileRead(service, profile.id);
  for (const id of [own.id, profile.id]) {
    expect(await storedJob(id)).toMatchObject({ status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED" });
  }
  const { nextScanAt, nextProfileAt, nextRetryAt, syncStatus } = await storedConnection();
  for (const due of [nextScanAt, nextProfileAt]) {
    expect(due?.getTime()).toBeGreaterThan(Date.UTC(2026, 2, 11));
    expect(due?.getTime()).toBeLessThan(Date.UTC(2026, 2, 11, 1, 1));
  }
  expect([syncStatus, nextRetryAt]).toEqual(["FAILED", nextScanAt]);

  // The remaining quota is reserved for requested reads.
  const window = { publishedAfter: new Date("2026-03-01"), publishedBefore: new Date("2026-03-10") };
  const asked = await scan({ window });
  expect(await storedJob(asked)).toMatchObject({ status: "SUCCEEDED" });
});

test("runs the first reads of a new account in the reserve", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 10, window: "day", reserve: 0.9 });
  await useUnits(1);
  await startInitialReads(service, connection);
  await runScan(service, (await latestScan()).id);
  expect(await latestScan()).toMatchObject({ status: "SUCCEEDED", completeForWindow: true });
});

test("delays a read without a share until the other applications' unused units are lent, background reads too", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: 100, window: "day", reserve: 0.2 });
  await createApplication(service, "idle");
  await useUnits(70, application.id);
  await markScanned();
  await startInitialReads(service, connection);
  const own = await latestScan();
  await runScan(service, own.id);
  const waiting = await storedJob(own.id);
  expect(waiting).toMatchObject({ status: "QUEUED", waitReason: "QUOTA", failures: 0, errorCode: null });
  // 9 of 80 units are left after the next, and 40 are the other's: it is lent when 9/40 of the day are left.
  const evening = Date.UTC(2026, 2, 10, 18, 36);
  expect(waiting.nextRetryAt?.getTime()).toBeGreaterThanOrEqual(evening);
  expect(waiting.nextRetryAt?.getTime()).toBeLessThan(evening + HOUR);

  service.clock.set(waiting.nextRetryAt ?? expect.fail("the scan does not wait"));
  await runScan(service, own.id);
  expect(await storedJob(own.id)).toMatchObject({ status: "SUCCEEDED" });
});

test("deletes an account's quota counters with the account", async () => {
  await setQuota(service, registrations.PROVIDER_A, { per: "account" });
  await scan();
  expect(await service.prisma.providerQuota.count()).toBe(1);
  await service.prisma.$transaction((transaction) => deleteAccountBudget(transaction, connection));
  expect(await service.prisma.providerQuota.count()).toBe(0);
});

/** The connection is not new: its reads leave the reserve. */
async function markScanned(): Promise<void> {
  const data = { lastSuccessfulSyncAt: service.clock.current };
  await service.prisma.connection.updateMany({ where: { id: connection.id }, data });
}

/** Records the use of today's budget. */
async function useUnits(used: number, applicationId?: string): Promise<void> {
  const budget = { registrationId: registrations.PROVIDER_A, budget: "client", windowStart: windowStart() };
  const uses = applicationId === undefined ? {} : { uses: { create: { applicationId, used } } };
  const windowEndsAt = new Date(windowStart().getTime() + 24 * HOUR);
  await service.prisma.providerQuota.create({ data: { ...budget, windowEndsAt, used, ...uses } });
}

function windowStart(): Date {
  return new Date(Math.floor(service.clock.current.getTime() / (24 * HOUR)) * 24 * HOUR);
}

function latestScan(): Promise<Job> {
  return service.prisma.job.findFirstOrThrow({
    where: { connectionId: connection.id, kind: "SCAN" },
    orderBy: [{ createdAt: "desc" }],
  });
}
