/**
 * A provider that fails for 30 hours while nobody asks for a read, on a service with two workers that reads the simulator, while the
 * clock of both is moved several times.
 */
import { providerSlug } from "@social-connect/domain";
import type { RunningSimulator } from "@social-connect/simulator";
import { control, eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readIncidents } from "../modules/rollups/readIncidents.ts";
import { type RollupWriter, startRollupWriter } from "../modules/rollups/rollupWriter.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { providerAdapter } from "../providers/registry/registry.ts";
import { createTaskQueue, type SendingTaskQueue } from "./taskQueue.ts";
import { linkAtSimulator, simulateProviderA } from "./testing/atSimulator.ts";
import { type RealTimeService, startServiceOnClock } from "./testing/realTimeService.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PROVIDER = "PROVIDER_A";
const CONNECTIONS = 13;

let real: RealTimeService<MovableClock>;
let simulator: RunningSimulator;
let queue: SendingTaskQueue;
let writer: RollupWriter;
let workers: readonly RunningWorker[] = [];

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  const { service, base } = real;
  Object.assign(service, { provider: providerAdapter });
  queue = createTaskQueue(service.pool, service.clock);
  writer = startRollupWriter(service, service.rollups);
  simulator = await simulateProviderA(real);
  const applications = [
    real.application,
    await createApplication(base, "second"),
    await createApplication(base, "third"),
  ];
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const account = `account-${index}`;
    await control(simulator.simulatorUrl, "POST", "/accounts", { provider: providerSlug(PROVIDER), name: account });
    const application = applications[index % applications.length] ?? real.application;
    await linkAtSimulator({ ...real, application }, PROVIDER, account);
  }
  workers = await Promise.all([1, 2].map(() => startWorker(service, { stopTimeoutMs: 1_000, pollSeconds: 0.5 })));
  await settled();
}, 300_000);
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await writer?.stop();
  await simulator?.close();
  await real?.service.close();
});

test("is one incident from the first failure to the first success, and then every connection is read within 30 minutes", {
  timeout: 600_000,
}, async () => {
  const { service } = real;
  const fault = { provider: providerSlug(PROVIDER), count: 1_000_000, fault: { kind: "status", status: 503 } };
  await advance(MINUTE);
  await control(simulator.simulatorUrl, "POST", "/faults", fault);
  const downAt = await service.clock.now();
  // The reads of all connections are due after 20 to 23 hours.
  for (const hours of [0.2, 6, 14.5, 0.05, 0.1, 0.2, 0.4, 1, 1.5, 0.05, 0.1, 0.2, 0.4]) await advance(hours * HOUR);
  const begunAt = await firstMinuteOf("http_5xx", new Date(0));
  const [incident, ...others] = await outages();
  expect([incident, ...others]).toMatchObject([{ cause: "PROVIDER_CALLS_FAIL", begunAt, endedAt: null }]);
  expect(incident?.answer).toMatch(/^HTTP 503, /);
  await advance(11 * MINUTE);
  await advance(6 * HOUR);

  // A minute has one look, with one call, after the reads that were due have given up.
  const waiting = () => service.prisma.job.count({ where: { status: "QUEUED" } });
  for (let moves = 0; moves < 12 && (await waiting()) > 0; moves += 1) await advance(10 * MINUTE);
  // Read first: a minute that begins before the jobs are counted has a look too.
  const minutes = await thisMinute();
  await looked();
  expect(await waiting()).toBe(0);
  const before = await counted();
  for (let minute = 0; minute < 3; minute += 1) {
    await advance(MINUTE);
    await looked();
  }
  const after = await counted();
  const looks = after.jobs - before.jobs;
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(looks).toBeLessThanOrEqual((await thisMinute()) - minutes);
  expect(after.calls - before.calls).toBe(looks);
  expect(await outages()).toMatchObject([{ id: incident?.id, begunAt, endedAt: null }]);
  expect(await service.prisma.connection.count({ where: { status: "CONNECTED" } })).toBe(CONNECTIONS);

  await control(simulator.simulatorUrl, "DELETE", "/faults");
  const upAt = await service.clock.now();
  expect(upAt.getTime() - downAt.getTime()).toBeGreaterThan(30 * HOUR);
  const isRead = async () =>
    (await service.prisma.connection.count({ where: { lastSuccessfulSyncAt: { gt: upAt } } })) === CONNECTIONS;
  for (let minute = 1; minute <= 30 && !(await isRead()); minute += 1) await advance(MINUTE);
  const endedAt = await firstMinuteOf("ok", begunAt);
  expect(await outages()).toMatchObject([{ id: incident?.id, begunAt, endedAt }]);
  const connections = await service.prisma.connection.findMany();
  for (const { lastSuccessfulSyncAt, syncStatus } of connections) {
    expect(syncStatus).not.toBe("FAILED");
    expect(lastSuccessfulSyncAt?.getTime()).toBeGreaterThan(upAt.getTime());
  }
});

/** Incidents of the provider: a moved clock makes jobs and sweeps late for a moment. */
async function outages() {
  return (await readIncidents(real.service)).filter(({ provider }) => provider === PROVIDER);
}

/** The first minute in which calls to the provider had an outcome. */
async function firstMinuteOf(outcome: string, after: Date): Promise<Date> {
  const where = { series: "provider_calls", seconds: 60, provider: PROVIDER, outcome, startsAt: { gt: after } };
  return (await real.service.prisma.rollup.findFirstOrThrow({ where, orderBy: { startsAt: "asc" } })).startsAt;
}

async function thisMinute(): Promise<number> {
  return Math.floor((await real.service.clock.now()).getTime() / MINUTE);
}

/** Waits for the look of this minute, and its end. */
async function looked(): Promise<void> {
  await eventually(async () => {
    const { lookedAt } = await real.service.prisma.providerRegistration.findFirstOrThrow({
      where: { provider: PROVIDER },
    });
    if (Math.floor((lookedAt?.getTime() ?? 0) / MINUTE) === (await thisMinute())) return;
    await queue.sweepSoon();
    expect.fail("no look in this minute");
  });
  await settled();
  await writer.write();
}

/** The jobs, and the calls that failed, at a time when no job runs. */
async function counted(): Promise<{ jobs: number; calls: number }> {
  return eventually(async () => {
    const jobs = await real.service.prisma.job.count();
    await settled();
    await writer.write();
    const calls = await failedCalls();
    expect(await real.service.prisma.job.count()).toBe(jobs);
    return { jobs, calls };
  });
}

async function failedCalls(): Promise<number> {
  const where = { series: "provider_calls", seconds: 60, outcome: "http_5xx" };
  return Number((await real.service.prisma.rollup.aggregate({ where, _sum: { count: true } }))._sum.count ?? 0);
}

async function advance(ms: number): Promise<void> {
  await control(simulator.simulatorUrl, "POST", "/clock", { advanceMs: Math.round(ms) });
  await real.service.clock.advance(Math.round(ms));
  await queue.sweepSoon();
  await settled();
  // At the time at which they were made.
  await writer.write();
}

/** Waits until a round of sweeps has run and nothing is due. */
async function settled(): Promise<void> {
  const { prisma, clock } = real.service;
  const since = await clock.now();
  await eventually(async () => {
    const now = await clock.now();
    const due = [{ nextScanAt: { lte: now } }, { nextProfileAt: { lte: now } }];
    const waits = { status: "QUEUED" as const, OR: [{ nextRetryAt: null }, { nextRetryAt: { lte: now } }] };
    const open = await Promise.all([
      prisma.sweepState.count({ where: { name: "enqueueBackgroundReads", ranAt: { lt: since } } }),
      prisma.connection.count({ where: { OR: due } }),
      prisma.job.count({ where: { OR: [{ status: "RUNNING" }, waits] } }),
    ]);
    if (open[0] + open[1] > 0) await queue.sweepSoon();
    expect(open).toEqual([0, 0, 0]);
  });
}
