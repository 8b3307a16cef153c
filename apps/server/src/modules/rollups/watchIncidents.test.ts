import { ROLLUP_SERIES, type RollupSeries } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { lockConnection } from "../connections/locks.ts";
import { ENQUEUE_BACKGROUND_READS } from "../jobs/enqueueBackgroundReads.ts";
import { noteAnswer } from "../registrations/noteAnswer.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { createApplication, createPublished } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { type ConnectionOptions, createConnection } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createConnectAttempt, createEventEndpoint, createJob } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runProfileRead, runScan } from "../testing/tasks.ts";
import { countAffected } from "./countAffected.ts";
import { readIncidents } from "./readIncidents.ts";
import { readLooks } from "./readLooks.ts";
import { type CountLabels, RollupCounts } from "./rollupCounts.ts";
import { ROLLUP_SWEEPS } from "./rollupSweeps.ts";
import { startRollupWriter } from "./rollupWriter.ts";
import { WATCH_INCIDENTS } from "./watchIncidents.ts";

useApplicationPerTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { jobAttempts, providerCalls } = ROLLUP_SERIES;

beforeEach(async () => {
  const tables = ["rollup", "incident", "sweepState", "job", "connection", "connectAttempt", "eventEndpoint"] as const;
  for (const table of tables) await (service.prisma[table] as typeof service.prisma.rollup).deleteMany();
  const own = { id: { notIn: Object.values(registrations) } };
  await service.prisma.providerRegistration.deleteMany({ where: own });
  await service.prisma.providerRegistration.updateMany({
    data: { lookedAt: null, refusedSince: null, catchUpSince: null, status: "PUBLISHED" },
  });
  service.enqueued.length = 0;
  service.clock.set(new Date(service.clock.current.getTime() + 48 * HOUR));
});

const sweep = () => runToEnd(service, [WATCH_INCIDENTS]);
const time = (at: Date | null) => at?.toISOString() ?? null;

async function countCalls(outcome: string, count: number, registrationId = registrations.PROVIDER_A): Promise<void> {
  await countAll(providerCalls, { registrationId, kind: "api", outcome }, count);
}

async function countAll(series: RollupSeries, labels: CountLabels, count: number): Promise<void> {
  const counts = new RollupCounts();
  for (let call = 0; call < count; call += 1) counts.add(series, { provider: "PROVIDER_A", ...labels });
  await startRollupWriter(service, counts).stop();
}

function connectUnder(registrationId: string, options: ConnectionOptions = {}) {
  accounts += 1;
  const under = { ...registrations, PROVIDER_A: registrationId };
  return createConnection(service, application, under, { accountId: `under-${accounts}`, ...options });
}

let accounts = 0;
const stored = () => service.prisma.incident.findMany({ orderBy: [{ begunAt: "asc" }, { cause: "asc" }] });
const storedConnection = ({ id }: Connection) => service.prisma.connection.findFirstOrThrow({ where: { id } });
/** As an admin does who pauses, disables or publishes it. */
const setStatus = (status: "PAUSED" | "DISABLED" | "PUBLISHED") =>
  service.prisma.providerRegistration.update({
    where: { id: registrations.PROVIDER_A },
    data: { status, ...(status === "PUBLISHED" && { catchUpSince: service.clock.current }) },
  });
const isSoon = (at: Date | null) =>
  at !== null && at >= service.clock.current && at <= service.clock.fromNow(10 * MINUTE);
const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);

test("an outage without a call for 30 hours is one incident, from its first failure to the first success", async () => {
  await connect({ data: { status: "RECONNECT_REQUIRED" } });
  const begunAt = minuteOf(service.clock.current);
  await countCalls("timeout", 30);
  await sweep();
  for (const hours of [11 / 60, 5, 0.5, 20, 4.3]) {
    service.clock.advance(hours * HOUR);
    await sweep();
    expect(await stored()).toMatchObject([{ cause: "PROVIDER_CALLS_FAIL", begunAt, endedAt: null, resumedAt: null }]);
    expect(await readIncidents(service)).toMatchObject([{ begunAt, endedAt: null, failed: 30, total: 30 }]);
  }
  const endedAt = minuteOf(service.clock.current);
  await countCalls("ok", 10);
  service.clock.advance(MINUTE);
  // Also as a process reads it before it is stored.
  expect(await readIncidents(service)).toMatchObject([{ begunAt, endedAt }]);
  await sweep();
  expect(await stored()).toMatchObject([{ begunAt, endedAt, resumedAt: service.clock.current }]);
  service.clock.advance(23 * HOUR);
  await sweep();
  expect(await readIncidents(service)).toMatchObject([{ begunAt, endedAt }]);
  service.clock.advance(2 * HOUR);
  expect(await readIncidents(service)).toEqual([]);
});

test("looks once a minute, with one attempt at one read, however many processes and incidents there are", async () => {
  for (const accountId of ["one", "two", "three"]) await connect({ accountId });
  await countCalls("timeout", 30);
  const registrationId = registrations.PROVIDER_A;
  await countAll(jobAttempts, { registrationId, kind: "SCAN", outcome: "ERROR" }, 8);
  service.clock.advance(10_000);
  await Promise.all([sweep(), sweep(), sweep()]);
  expect((await stored()).map(({ cause }) => cause)).toEqual(["JOBS_ERROR", "PROVIDER_CALLS_FAIL"]);
  const jobs = await service.prisma.job.findMany();
  expect(jobs).toMatchObject([{ kind: "PROFILE", background: true, status: "QUEUED" }]);
  service.fakes.PROVIDER_A.failNext("readAccount", "unavailable");
  await runProfileRead(service, jobs[0]?.id ?? "");
  expect(await service.prisma.job.findMany()).toMatchObject([{ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" }]);
  await sweep();
  expect(await service.prisma.job.count()).toBe(1);
  for (const looks of [2, 3]) {
    service.clock.advance(MINUTE);
    await sweep();
    expect(await service.prisma.job.count()).toBe(looks);
  }
});

test("repeats a scan that failed as its look, and reads nothing without a connection or while the registration is paused", async () => {
  await countCalls("timeout", 30);
  await sweep();
  expect(await service.prisma.job.count()).toBe(0);
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE" } as const;
  const { id } = await connect({ accountId: "failed", data: failed });
  await connect({ accountId: "fine" });
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
  service.clock.advance(MINUTE);
  await sweep();
  expect(await service.prisma.job.count()).toBe(0);
  await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
  service.clock.advance(MINUTE);
  await sweep();
  const [look, ...others] = await service.prisma.job.findMany();
  expect([look, ...others]).toMatchObject([{ kind: "SCAN", connectionId: id, background: true }]);
  await runScan(service, look?.id ?? "");
  expect(await service.prisma.job.findMany()).toMatchObject([{ status: "SUCCEEDED" }]);
});

test("after an outage, what waited because of it is tried within ten minutes, and nothing else", async () => {
  const later = service.clock.fromNow(50 * HOUR);
  const of = (accountId: string, data: object = {}) =>
    connect({ accountId, data: { nextScanAt: later, nextProfileAt: later, profileObservedAt: later, ...data } });
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE" } as const;
  const [scan, profile, rejected, fine, waiting] = [
    await of("scan", failed),
    await of("profile", { profileObservedAt: service.clock.current }),
    await of("rejected", failed),
    await of("fine"),
    await of("waiting", { syncStatus: "FAILED", nextRetryAt: later }),
  ];
  await countCalls("http_5xx", 30);
  await sweep();
  service.clock.advance(5 * MINUTE);
  const ended = { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", finishedAt: service.clock.current } as const;
  const unavailable = { ...ended, waitReason: "PROVIDER_UNAVAILABLE" } as const;
  await createJob(service, scan, { kind: "SCAN", ...unavailable });
  await createJob(service, profile, { kind: "PROFILE", ...unavailable });
  await createJob(service, rejected, { kind: "SCAN", ...ended });
  const wait = { status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE", nextRetryAt: later } as const;
  const { id } = await createJob(service, waiting, { kind: "SCAN", ...wait });
  service.clock.advance(30 * HOUR);
  await countCalls("ok", 10);
  service.enqueued.length = 0;
  await sweep();

  const dates = async (connection: Connection) => {
    const { nextScanAt, nextProfileAt } = await storedConnection(connection);
    return [isSoon(nextScanAt), isSoon(nextProfileAt)];
  };
  expect(await dates(scan)).toEqual([true, false]);
  expect(await dates(profile)).toEqual([false, true]);
  expect(await dates(rejected)).toEqual([false, false]);
  expect(await dates(fine)).toEqual([false, false]);
  const job = await service.prisma.job.findFirstOrThrow({ where: { id } });
  expect(isSoon(job.nextRetryAt)).toBe(true);
  expect((await storedConnection(waiting)).nextRetryAt).toEqual(job.nextRetryAt);
  expect(service.enqueued).toEqual([{ task: "scan", payload: { id }, startAfter: job.nextRetryAt }]);
  const [incident] = await stored();
  expect(time(incident?.resumedAt ?? null)).toBe(time(service.clock.current));
  // Once.
  await service.prisma.connection.updateMany({ data: { nextScanAt: later, nextProfileAt: later } });
  service.clock.advance(MINUTE);
  await sweep();
  expect(await dates(scan)).toEqual([false, false]);
});

test("reads that failed before the minute in which their failures were stored are resumed", async () => {
  service.clock.set(new Date(minuteOf(service.clock.current).getTime() + 56_000));
  const nextScanAt = service.clock.fromNow(50 * HOUR);
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE", nextScanAt } as const;
  const unavailable = { errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "PROVIDER_UNAVAILABLE" } as const;
  const connection = await connect({ data: failed });
  const finishedAt = service.clock.current;
  await createJob(service, connection, { kind: "SCAN", status: "FAILED", ...unavailable, finishedAt });
  service.clock.advance(8_000);
  await countCalls("timeout", 30);
  await sweep();
  expect(await stored()).toMatchObject([{ begunAt: minuteOf(service.clock.current) }]);
  service.clock.advance(HOUR);
  await countCalls("ok", 10);
  service.clock.advance(MINUTE);
  await sweep();
  expect(isSoon((await storedConnection(connection)).nextScanAt)).toBe(true);
});

/** Runs the sweeps every ten minutes. */
async function pass(hours: number): Promise<void> {
  for (let minutes = 0; minutes < hours * 60; minutes += 10) {
    service.clock.advance(10 * MINUTE);
    await runToEnd(service, [WATCH_INCIDENTS, ENQUEUE_BACKGROUND_READS]);
  }
}

test.each(["PAUSED", "DISABLED"] as const)(
  "reads that were due while it was %s are soon after publishing",
  async (status) => {
    const at = (hours: number) => service.clock.fromNow(hours * HOUR);
    const dates = (accountId: string, due: number, data: object = {}) => {
      const last = { lastSuccessfulSyncAt: at(due - 22), profileObservedAt: at(due - 22) };
      return connect({
        accountId,
        data: { syncStatus: "READY", nextScanAt: at(due), nextProfileAt: at(due), ...last, ...data },
      });
    };
    const [skipped, fine, failed, limited] = [
      await dates("skipped", 1),
      await dates("fine", 15),
      await dates("failed", 15, { syncStatus: "FAILED", scanErrorCode: "AUTHORIZATION_SUSPENDED" }),
      await dates("limited", 15, { syncStatus: "FAILED", nextRetryAt: at(15) }),
    ];
    const elsewhere = await connectUnder(await createPublished(service, "PROVIDER_A"), {
      data: { syncStatus: "FAILED", nextScanAt: at(15) },
    });
    await setStatus(status);
    await pass(4);
    const isPlanned = async (connection: Connection) => {
      const { nextScanAt, nextProfileAt } = await storedConnection(connection);
      return [isSoon(nextScanAt), isSoon(nextProfileAt)];
    };
    expect(await isPlanned(skipped)).toEqual([false, false]);
    expect(await isPlanned(failed)).toEqual([false, false]);
    await setStatus("PUBLISHED");
    await sweep();
    expect(await isPlanned(skipped)).toEqual([true, true]);
    expect(await isPlanned(failed)).toEqual([true, false]);
    for (const connection of [fine, limited, elsewhere]) expect(await isPlanned(connection)).toEqual([false, false]);
    // Once.
    await service.prisma.connection.updateMany({ data: { nextScanAt: at(50) } });
    await sweep();
    expect(await isPlanned(failed)).toEqual([false, false]);
    expect(await stored()).toEqual([]);
  },
);

test("a read that waited for an outage and failed while its registration was paused is tried soon after publishing", async () => {
  const nextScanAt = service.clock.fromNow(20 * HOUR);
  const lastSuccessfulSyncAt = service.clock.fromNow(-HOUR);
  const connection = await connect({ data: { nextScanAt, syncStatus: "FAILED", lastSuccessfulSyncAt } });
  await countCalls("http_5xx", 30);
  const nextRetryAt = service.clock.fromNow(5 * MINUTE);
  const wait = { status: "QUEUED", failures: 3, waitReason: "PROVIDER_UNAVAILABLE", nextRetryAt } as const;
  const window = { windowAfter: service.clock.fromNow(-100 * HOUR), windowBefore: service.clock.current, maxItems: 50 };
  const { id } = await createJob(service, connection, { kind: "SCAN", background: true, ...wait, ...window });
  await sweep();
  await setStatus("PAUSED");
  service.clock.advance(6 * MINUTE);
  await runScan(service, id);
  expect(await storedConnection(connection)).toMatchObject({ scanErrorCode: "AUTHORIZATION_SUSPENDED", nextScanAt });
  service.clock.advance(HOUR);
  await setStatus("PUBLISHED");
  await sweep();
  expect(isSoon((await storedConnection(connection)).nextScanAt)).toBe(true);
  expect((await stored()).filter(({ endedAt }) => endedAt !== null)).toEqual([]);
});

test("the end of an outage resumes what waits once its registration is published", async () => {
  const nextRetryAt = service.clock.fromNow(50 * HOUR);
  const connection = await connect({ data: { syncStatus: "FAILED", nextRetryAt } });
  await countCalls("http_5xx", 30);
  await sweep();
  await service.prisma.job.deleteMany();
  const wait = { status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE", nextRetryAt } as const;
  const { id } = await createJob(service, connection, { kind: "SCAN", ...wait });
  const isResumed = async () => isSoon((await service.prisma.job.findFirstOrThrow({ where: { id } })).nextRetryAt);
  service.clock.advance(HOUR);
  await countCalls("ok", 30);
  await setStatus("PAUSED");
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([{ endedAt: minuteOf(service.clock.fromNow(-MINUTE)), resumedAt: null }]);
  expect(await isResumed()).toBe(false);
  service.clock.advance(HOUR);
  await setStatus("PUBLISHED");
  await sweep();
  expect(await isResumed()).toBe(true);
  expect(await stored()).toMatchObject([{ resumedAt: service.clock.current }]);
});

test("what another process has locked is resumed by the next run", async () => {
  const nextScanAt = service.clock.fromNow(50 * HOUR);
  const failed = { syncStatus: "FAILED", nextScanAt } as const;
  const [locked, other] = [
    await connect({ accountId: "locked", data: failed }),
    await connect({ accountId: "other", data: failed }),
  ];
  await setStatus("PUBLISHED");
  const planned = async () =>
    Promise.all([locked, other].map(async (connection) => isSoon((await storedConnection(connection)).nextScanAt)));
  await service.prisma.$transaction(async (transaction) => {
    await lockConnection(transaction, locked);
    await sweep();
    expect(await planned()).toEqual([false, true]);
  });
  await sweep();
  expect(await planned()).toEqual([true, true]);
});

test("a limit without a time is looked at, and its end resumes reads; reads with a time keep it", async () => {
  const later = service.clock.fromNow(50 * HOUR);
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_RATE_LIMITED", nextScanAt: later } as const;
  const [limited, told, waiting] = [
    await connect({ accountId: "limited", data: failed }),
    await connect({ accountId: "told", data: { ...failed, nextRetryAt: later } }),
    await connect({ accountId: "waiting", data: { syncStatus: "FAILED", nextScanAt: later } }),
  ];
  const registrationId = registrations.PROVIDER_A;
  const countJobs = (outcome: "SUCCEEDED" | "FAILED", code: string) =>
    countAll(jobAttempts, { registrationId, kind: "SCAN", outcome, code }, 30);
  const ended = { status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED", waitReason: "RATE_LIMITED" } as const;
  const of = { kind: "SCAN", ...ended, finishedAt: service.clock.current } as const;
  await createJob(service, limited, of);
  const inAnHour = service.clock.fromNow(HOUR);
  const { id } = await createJob(service, told, { ...of, nextRetryAt: inAnHour });
  await countJobs("FAILED", "UPSTREAM_RATE_LIMITED");
  const looks = () => service.prisma.job.count({ where: { status: "QUEUED" } });
  await sweep();
  expect(await looks()).toBe(0);
  service.clock.set(inAnHour);
  await sweep();
  expect(await looks()).toBe(1);
  await service.prisma.job.deleteMany({ where: { status: "QUEUED" } });

  await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt: later } });
  const wait = { status: "QUEUED", waitReason: "RATE_LIMITED", nextRetryAt: later } as const;
  await createJob(service, waiting, { kind: "SCAN", ...wait });
  await countJobs("SUCCEEDED", "");
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([
    { cause: "JOBS_FAIL", detail: "UPSTREAM_RATE_LIMITED", resumedAt: service.clock.current },
  ]);
  const { nextScanAt } = await storedConnection(limited);
  expect(nextScanAt?.getTime()).toBeLessThanOrEqual(service.clock.fromNow(10 * MINUTE).getTime());
  expect(await storedConnection(told)).toMatchObject({ nextScanAt: later });
  expect(await service.prisma.job.findMany({ where: { status: "QUEUED" } })).toMatchObject([{ nextRetryAt: later }]);
});

test("of two registrations of a provider, each outage has its own look, success and reads that are resumed", async () => {
  const other = await createPublished(service, "PROVIDER_A");
  const later = service.clock.fromNow(90 * HOUR);
  const unavailable = { errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "PROVIDER_UNAVAILABLE" } as const;
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE", nextScanAt: later } as const;
  const interrupted = async (registrationId: string) => {
    const connection = await connectUnder(registrationId, { data: failed });
    const ended = { status: "FAILED", ...unavailable, finishedAt: service.clock.fromNow(2 * MINUTE) } as const;
    await createJob(service, connection, { kind: "SCAN", ...ended });
    const waiting = await connectUnder(registrationId, { data: { nextScanAt: later } });
    const wait = { status: "QUEUED", waitReason: "PROVIDER_UNAVAILABLE", nextRetryAt: later } as const;
    const job = await createJob(service, waiting, { kind: "PROFILE", ...wait });
    return { connection, job };
  };
  const [one, two] = [await interrupted(registrations.PROVIDER_A), await interrupted(other)];
  const looked = async () => {
    const where = { status: "QUEUED", kind: "SCAN" } as const;
    return (await service.prisma.job.findMany({ where })).map(({ connectionId }) => connectionId);
  };
  const outages = async () => {
    const found = (await stored()).filter(({ cause }) => cause === "PROVIDER_CALLS_FAIL");
    return found.map(({ registrationId, endedAt }) => [registrationId, endedAt]);
  };
  await countCalls("timeout", 30);
  await countCalls("ok", 900, other);
  await sweep();
  expect(await outages()).toEqual([[registrations.PROVIDER_A, null]]);
  expect(await looked()).toEqual([one.connection.id]);
  service.clock.advance(MINUTE);
  await countCalls("timeout", 30, other);
  await sweep();
  expect(await looked()).toEqual([one.connection.id, two.connection.id]);
  await service.prisma.job.deleteMany({ where: { status: "QUEUED", kind: "SCAN" } });

  service.clock.advance(30 * HOUR);
  const endedAt = minuteOf(service.clock.current);
  await countCalls("ok", 10, other);
  service.clock.advance(MINUTE);
  await sweep();
  expect(await outages()).toEqual([
    [registrations.PROVIDER_A, null],
    [other, endedAt],
  ]);
  const soon = service.clock.fromNow(10 * MINUTE);
  const isResumed = async ({ connection, job }: typeof one) => {
    const { nextScanAt } = await storedConnection(connection);
    const { nextRetryAt } = await service.prisma.job.findFirstOrThrow({ where: { id: job.id } });
    return [nextScanAt, nextRetryAt].map((at) => at !== null && at <= soon);
  };
  expect([await isResumed(one), await isResumed(two)]).toEqual([
    [false, false],
    [true, true],
  ]);
});

test("connect attempts under another registration end no incident of one, and their clients are not concerned", async () => {
  const { PROVIDER_A } = registrations;
  const other = await createPublished(service, "PROVIDER_A");
  const elsewhere = await createApplication(service, "connects-elsewhere");
  const attempts = async (registrationId: string, isCompleted: boolean, by = application) => {
    const failed = { status: "FAILED", resultCode: "EXCHANGE_FAILED" } as const;
    const ended = isCompleted ? ({ status: "COMPLETED" } as const) : failed;
    for (let count = 0; count < 5; count += 1)
      await createConnectAttempt(service, by, registrations, { registrationId, ...ended });
    await runToEnd(service, ROLLUP_SWEEPS);
    service.clock.advance(MINUTE);
    await sweep();
    return (await stored()).map((incident) => [incident.registrationId, incident.total, incident.endedAt !== null]);
  };
  expect(await attempts(other, true)).toEqual([]);
  expect(await attempts(PROVIDER_A, false)).toEqual([[PROVIDER_A, 5, false]]);
  service.clock.advance(2 * HOUR);
  expect(await attempts(other, true)).toEqual([[PROVIDER_A, 5, false]]);
  expect(await attempts(other, false, elsewhere)).toEqual([
    [PROVIDER_A, 5, false],
    [other, 5, false],
  ]);
  const [incident] = (await readIncidents(service)).filter(({ registrationId }) => registrationId === PROVIDER_A);
  expect(incident && (await countAffected(service, incident))).toEqual({ connections: null, clients: 1 });
  expect(await attempts(PROVIDER_A, true)).toEqual([
    [PROVIDER_A, 5, true],
    [other, 5, false],
  ]);
});

test("a read that waits under another registration does not keep a limit from being looked at", async () => {
  const { PROVIDER_A: registrationId } = registrations;
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_RATE_LIMITED" } as const;
  const limited = await connect({ data: failed });
  const waiting = await connectUnder(await createPublished(service, "PROVIDER_A"), { data: failed });
  const nextRetryAt = service.clock.fromNow(HOUR);
  await createJob(service, waiting, { kind: "SCAN", status: "QUEUED", waitReason: "RATE_LIMITED", nextRetryAt });
  const labels = { registrationId, kind: "SCAN", outcome: "FAILED", code: "UPSTREAM_RATE_LIMITED" };
  await countAll(jobAttempts, labels, 30);
  await sweep();
  const looks = await service.prisma.job.findMany({ where: { connectionId: limited.id } });
  expect(looks).toMatchObject([{ kind: "SCAN", status: "QUEUED" }]);
});

test("jobs and calls are counted under their registration", async () => {
  const other = await createPublished(service, "PROVIDER_A");
  service.rollups.take();
  for (const registrationId of [registrations.PROVIDER_A, other]) {
    const connection = await connectUnder(registrationId);
    await runScan(service, (await calls.refresh(service, application, connection)).id);
    const row = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id: registrationId } });
    const { fetch, addresses } = registrationAccess(service, row, service.clock.current);
    await expect(fetch(`${addresses.api}/list`)).rejects.toThrow();
  }
  const counted = service.rollups.take().filter(({ provider }) => provider === "PROVIDER_A");
  expect(counted.map(({ series, registrationId }) => [series, registrationId])).toEqual([
    [jobAttempts, registrations.PROVIDER_A],
    [providerCalls, registrations.PROVIDER_A],
    [jobAttempts, other],
    [providerCalls, other],
  ]);
});

test("a refused client is looked at by a read that failed, and the first accepted call resumes the others", async () => {
  const later = service.clock.fromNow(50 * HOUR);
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE", nextScanAt: later } as const;
  const ended = { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "PROVIDER_UNAVAILABLE" } as const;
  const connections = [
    await connect({ accountId: "one", data: failed }),
    await connect({ accountId: "two", data: failed }),
  ];
  const begunAt = service.clock.current;
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { refusedSince: begunAt } });
  for (const connection of connections) await createJob(service, connection, { kind: "SCAN", ...ended });
  // No worker takes the looks.
  const refused = async () => (await stored()).filter(({ cause }) => cause === "APPLICATION_REFUSED");
  for (const hours of [1, 20, 9]) {
    service.clock.advance(hours * HOUR);
    await sweep();
    expect(await refused()).toMatchObject([{ begunAt, endedAt: null }]);
  }
  const look = await service.prisma.job.findFirstOrThrow({ where: { status: "QUEUED", kind: "SCAN" } });
  await runScan(service, look.id);
  service.clock.advance(MINUTE);
  await sweep();
  expect(await refused()).toMatchObject([{ begunAt, endedAt: service.clock.current }]);
  const soon = service.clock.fromNow(10 * MINUTE);
  const rows = await service.prisma.connection.findMany({ orderBy: { syncStatus: "desc" } });
  expect(rows.map(({ syncStatus, nextScanAt }) => [syncStatus, nextScanAt !== null && nextScanAt <= soon])).toEqual([
    ["FAILED", true],
    ["READY", false],
  ]);
});

test("notes the provider's answer of a read that fails during an outage", async () => {
  const connection = await connect({});
  await countCalls("http_5xx", 30);
  await sweep();
  const { id } = await calls.refresh(service, application, connection);
  service.fakes.PROVIDER_A.failNext("listContent", "unavailable");
  await runScan(service, id);
  expect(await stored()).toMatchObject([{ answer: "test: unavailable" }]);
  const other = { registrationId: await createPublished(service, "PROVIDER_A") };
  await noteAnswer(service, other, "of another registration");
  expect(await stored()).toMatchObject([{ answer: "test: unavailable" }]);
  await noteAnswer(service, connection, "HTTP 503, backendError");
  service.clock.advance(MINUTE);
  expect(await readIncidents(service)).toMatchObject([{ answer: "HTTP 503, backendError" }]);
});

test("counts the connections that the list shows for an incident, and their clients", async () => {
  const waiting = { syncStatus: "FAILED", cause: "PROVIDER_UNAVAILABLE", causeSince: service.clock.current } as const;
  await connect({ accountId: "one", data: { ...waiting, scanErrorCode: "UPSTREAM_UNAVAILABLE" } });
  await connect({ accountId: "two", data: waiting });
  await connect({ accountId: "fine" });
  await connect({ accountId: "b", provider: "PROVIDER_B", data: waiting });
  await connect({ accountId: "other", data: { ...waiting, cause: "NOT_ALLOWED" } });
  await countCalls("timeout", 30);
  const [incident] = await readIncidents(service);
  expect(incident && (await countAffected(service, incident))).toEqual({ connections: 2, clients: 1 });
});

test("an incident of a state is one until the state has changed, and remains in the history", async () => {
  const failing = { failingSince: service.clock.current, createdAt: service.clock.current };
  const { id } = await createEventEndpoint(service, application, failing);
  const begunAt = service.clock.fromNow(5 * MINUTE);
  const { slug: detail } = await service.prisma.application.findUniqueOrThrow({ where: { id: application.id } });
  for (const hours of [3, 30, 40]) {
    service.clock.advance(hours * HOUR);
    await sweep();
    expect(await stored()).toMatchObject([{ cause: "EVENT_ENDPOINT_FAILS", detail, begunAt, endedAt: null }]);
  }
  await service.prisma.eventEndpoint.updateMany({ where: { id }, data: { failingSince: null } });
  service.clock.advance(MINUTE);
  await sweep();
  const ended = { cause: "EVENT_ENDPOINT_FAILS", begunAt, endedAt: service.clock.current };
  expect(await readIncidents(service)).toMatchObject([ended]);
});

test("an outage ends when an admin disables its registration, and is not found again", async () => {
  await countCalls("timeout", 30);
  await sweep();
  const other = await createPublished(service, "PROVIDER_A");
  const disabled = (status: "DISABLED" | "PUBLISHED", id = registrations.PROVIDER_A) =>
    service.prisma.providerRegistration.update({ where: { id }, data: { status } });
  await disabled("DISABLED", other);
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([{ endedAt: null }]);
  await disabled("PUBLISHED", other);
  await disabled("DISABLED");
  service.clock.advance(MINUTE);
  const endedAt = service.clock.current;
  for (const minutes of [0, 1, 20]) {
    service.clock.advance(minutes * MINUTE);
    await sweep();
    expect(await stored()).toMatchObject([{ endedAt }]);
  }
  await disabled("PUBLISHED");
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([{ endedAt }]);
});

test("jobs that fail after an outage has ended are another incident", async () => {
  const failed = { registrationId: registrations.PROVIDER_A, kind: "SCAN", outcome: "FAILED" } as const;
  const countJobs = () => countAll(jobAttempts, { ...failed, code: "UPSTREAM_UNAVAILABLE" }, 30);
  await countCalls("http_5xx", 30);
  await countJobs();
  await sweep();
  service.clock.advance(10 * MINUTE);
  await countCalls("http_4xx", 30);
  service.clock.advance(HOUR);
  const begunAt = minuteOf(service.clock.current);
  for (let hour = 0; hour < 2; hour += 1) {
    await countJobs();
    service.clock.advance(HOUR);
    await sweep();
  }
  const { PROVIDER_A: registrationId } = registrations;
  const incidents = await service.prisma.incident.findMany({ where: { registrationId }, orderBy: { begunAt: "asc" } });
  expect(incidents.map(({ cause, endedAt }) => [cause, endedAt !== null])).toEqual([
    ["PROVIDER_CALLS_FAIL", true],
    ["JOBS_FAIL", false],
  ]);
  expect(incidents[1]).toMatchObject({ begunAt, failed: 60 });
});

test("after the clock was set back, successes end an outage, and another is found", async () => {
  await countCalls("http_5xx", 30);
  await sweep();
  service.clock.advance(-3 * HOUR);
  for (let minutes = 0; minutes < 60; minutes += 10) {
    await countCalls("ok", 30);
    service.clock.advance(10 * MINUTE);
    await sweep();
  }
  const [ended] = await stored();
  expect(ended?.endedAt).toEqual(ended?.begunAt);
  await countCalls("http_5xx", 300);
  const begunAt = minuteOf(service.clock.current);
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([{ endedAt: ended?.endedAt }, { begunAt, endedAt: null }]);
});

test("a refused registration is no incident once it is disabled", async () => {
  const id = await createPublished(service, "PROVIDER_B");
  const update = (data: object) => service.prisma.providerRegistration.update({ where: { id }, data });
  await update({ clientId: "changed outside" });
  await sweep();
  expect(await stored()).toMatchObject([{ cause: "REGISTRATION_REFUSED", registrationId: id, endedAt: null }]);
  await update({ status: "DISABLED" });
  service.clock.advance(MINUTE);
  await sweep();
  expect(await stored()).toMatchObject([{ endedAt: service.clock.current }]);
});

test("an incident that only reads can end ends an hour after its last failure when no connection is left", async () => {
  const { id } = await connect({ data: { status: "RECONNECT_REQUIRED" } });
  await countCalls("timeout", 30);
  const ended = async () => {
    await sweep();
    return (await stored()).map(({ endedAt }) => endedAt);
  };
  const looks = async () => (await readIncidents(service)).map((incident) => readLooks(service, incident));
  const looked = async () => Promise.all(await looks());
  service.clock.advance(3 * HOUR);
  expect(await ended()).toEqual([null]);
  expect(await looked()).toEqual(["NONE_READABLE"]);
  await service.prisma.connection.updateMany({ where: { id }, data: { status: "CONNECTED" } });
  expect(await looked()).toEqual(["EVERY_MINUTE"]);
  const limited = { kind: "SCAN", status: "QUEUED", waitReason: "RATE_LIMITED" } as const;
  const nextRetryAt = service.clock.fromNow(MINUTE);
  const job = await createJob(service, await service.prisma.connection.findFirstOrThrow({ where: { id } }), {
    ...limited,
    nextRetryAt,
  });
  expect(await looked()).toEqual(["LIMITED"]);
  await service.prisma.job.deleteMany({ where: { id: job.id } });
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
  expect(await looked()).toEqual(["PAUSED"]);
  await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });

  await countCalls("timeout", 5);
  await service.prisma.connection.updateMany({ where: { id }, data: { status: "DISCONNECTED" } });
  service.clock.advance(30 * MINUTE);
  expect(await ended()).toEqual([null]);
  expect(await looked()).toEqual(["NO_CONNECTION"]);
  service.clock.advance(31 * MINUTE);
  const endedAt = service.clock.current;
  expect(await ended()).toEqual([endedAt]);
  expect(await looked()).toEqual([null]);
  service.clock.advance(HOUR);
  expect(await ended()).toEqual([endedAt]);
});

test("a late sweep is an incident without a history, also of a sweep that no longer runs", async () => {
  const at = service.clock.current;
  await service.prisma.sweepState.create({
    data: { name: "deleteJobs", ranAt: at, succeededAt: at, handled: 0, remaining: 0 },
  });
  for (const hours of [3, 30]) {
    service.clock.advance(hours * HOUR);
    await sweep();
    expect(await readIncidents(service)).toMatchObject([{ cause: "SWEEP_LATE", detail: "deleteJobs", endedAt: null }]);
  }
  expect(await stored()).toEqual([]);
});
