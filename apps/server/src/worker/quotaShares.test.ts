import { resolveSyncWindow } from "@social-connect/domain";
import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { createReadJobs } from "../modules/jobs/readJobs.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { startInitialReads } from "../modules/testing/calls.ts";
import { createConnection, postsOf } from "../modules/testing/connections.ts";
import { type CountingApi, setQuota, startCountingApi } from "../modules/testing/countingApi.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { type RealTimeService, startServiceOnClock } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Background reads take at most 32 of these, two applications 16 each. */
const UNITS = 40;
const QUEUED = 36;
/** Calls of one application at the same time, by which it can exceed what it may borrow. */
const IN_FLIGHT = 3;

let real: RealTimeService<MovableClock>;
let service: RealTimeService<MovableClock>["service"];
let api: CountingApi;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  ({ service } = real);
  const now = await service.clock.now();
  const noon = Math.ceil(now.getTime() / DAY) * DAY + DAY / 2;
  await service.clock.advance(noon - now.getTime());
  api = await startCountingApi(service, real.registrations.PROVIDER_A);
  service.fakes.PROVIDER_A.callsApi = true;
  service.fakes.PROVIDER_A.posts = postsOf(1, await service.clock.now());
});
afterAll(async () => {
  await worker?.stop();
  await api.close();
  await service.close();
});

test("behind an application that uses all it can of a day's quota, a new account's first read runs immediately", async () => {
  await setQuota(service, real.registrations.PROVIDER_A, { units: UNITS, window: "day", reserve: 0.2 });
  const patient = await createApplication(real.base, "patient");
  const busy = await real.connect({ data: { lastSuccessfulSyncAt: await service.clock.now() } });
  await enqueueScans(busy, QUEUED);
  worker = await startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 });
  await eventually(() => expectIdle(busy));
  const borrowed = await succeeded(busy);
  expect(borrowed).toBeGreaterThanOrEqual(24);
  expect(borrowed).toBeLessThanOrEqual(24 + IN_FLIGHT);
  const waiting = await service.prisma.job.findMany({ where: { connectionId: busy.id, status: { not: "SUCCEEDED" } } });
  expect(waiting.length).toBe(QUEUED - borrowed);
  for (const { status, waitReason, failures } of waiting) {
    expect([status, waitReason, failures]).toEqual(["QUEUED", "QUOTA", 0]);
  }

  const capabilities = ["CONTENT_LIST"] as const;
  const first = await createConnection(service, patient, real.registrations, { accountId: "new", capabilities });
  await startInitialReads(service, first);
  await eventually(async () => expect(await succeeded(first)).toBe(1));
  const [read] = await service.prisma.job.findMany({ where: { connectionId: first.id } });
  expect(read).toMatchObject({ attempt: 1, failures: 0 });
  expect(await usedBy(first)).toBe(1);

  // Late in the day almost all of the share that the other application did not use is lent.
  await service.clock.advance(11.9 * HOUR);
  await eventually(async () => expect(await succeeded(busy)).toBeGreaterThanOrEqual(29));
  expect(api.paths.length).toBeLessThanOrEqual(32);
});

async function enqueueScans(owner: Connection, number: number): Promise<void> {
  const now = await service.clock.now();
  const target = { kind: "SCAN", window: resolveSyncWindow(null, now) } as const;
  const reads = Array.from({ length: number }, () => ({ owner, read: { target, background: true, continues: null } }));
  await service.prisma.$transaction((transaction) => createReadJobs(service, transaction, reads, now));
}

/** Every job of the connection has succeeded or waits for a later time. */
async function expectIdle({ id }: Connection): Promise<void> {
  const now = await service.clock.now();
  const unfinished = await service.prisma.job.findMany({ where: { connectionId: id, status: { not: "SUCCEEDED" } } });
  const due = unfinished.filter(({ nextRetryAt }) => nextRetryAt === null || nextRetryAt <= now);
  expect(due.map(({ status, waitReason, attempt }) => ({ status, waitReason, attempt }))).toEqual([]);
}

function succeeded({ id }: Connection): Promise<number> {
  return service.prisma.job.count({ where: { connectionId: id, status: "SUCCEEDED" } });
}

async function usedBy({ applicationId }: Connection): Promise<number> {
  return (await service.prisma.providerQuotaUse.findFirstOrThrow({ where: { applicationId } })).used;
}
