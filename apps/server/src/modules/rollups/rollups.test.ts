import { LIMITS } from "@social-connect/contract";
import { ROLLUP_SERIES } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { runSweeps } from "../sweeps/runSweeps.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { startConnect } from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import { setQuota } from "../testing/countingApi.ts";
import { service, useService } from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { RollupCounts } from "./rollupCounts.ts";
import { ROLLUP_HOURLY_SWEEPS, ROLLUP_SWEEPS } from "./rollupSweeps.ts";
import { startRollupWriter } from "./rollupWriter.ts";
import { WHOLE_SERVICE } from "./store.ts";

useService();

const { apiCalls, connectAttempts, connections, jobAttempts, providerCalls, quotaUnits, quotaUsed } = ROLLUP_SERIES;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLIENT = newId();

beforeEach(async () => {
  await service.prisma.rollup.deleteMany();
  await service.prisma.rollupWriter.deleteMany();
  await service.prisma.sweepState.deleteMany();
  service.clock.set("2026-03-10T12:00:20.000Z");
});

async function stored(series: string, seconds: number, ownerId?: string) {
  const rows = await service.prisma.rollup.findMany({
    where: { series, seconds, ...(ownerId !== undefined && { ownerId }) },
    orderBy: [{ ownerId: "asc" }, { startsAt: "asc" }, { kind: "asc" }, { outcome: "asc" }, { code: "asc" }],
  });
  return rows.map(({ ownerId, startsAt, provider, kind, outcome, code, count }) => {
    const owner = ownerId === WHOLE_SERVICE ? "service" : "owner";
    return [
      owner,
      startsAt.toISOString().slice(11, 16),
      [provider, kind, outcome, code].filter(Boolean).join(" "),
      Number(count),
    ];
  });
}

test("processes add their counts by minute and hour, by client, and by registration or for the whole service", async () => {
  const [one, other] = [new RollupCounts(), new RollupCounts()];
  const writers = [one, other].map((counts) => startRollupWriter(service, counts));
  const write = async () => {
    for (const writer of writers) await writer.write();
  };
  for (const counts of [one, one, other]) counts.add(apiCalls, { applicationId: CLIENT, kind: "consumer", code: "OK" });
  other.add(apiCalls, { applicationId: null, kind: "consumer", code: "UNAUTHENTICATED" });
  const registrationIds = [newId(), newId(), newId()];
  for (const registrationId of registrationIds) {
    other.add(jobAttempts, { applicationId: CLIENT, registrationId, provider: "PROVIDER_A", outcome: "SUCCEEDED" });
  }
  await write();
  service.clock.advance(MINUTE);
  one.add(apiCalls, { applicationId: CLIENT, kind: "consumer", code: "OK" });
  await write();
  expect(await stored(apiCalls, 60)).toEqual([
    ["service", "12:00", "consumer OK", 3],
    ["service", "12:00", "consumer UNAUTHENTICATED", 1],
    ["service", "12:01", "consumer OK", 1],
    ["owner", "12:00", "consumer OK", 3],
    ["owner", "12:01", "consumer OK", 1],
  ]);
  expect(await stored(apiCalls, 3_600)).toEqual([
    ["service", "12:00", "consumer OK", 4],
    ["service", "12:00", "consumer UNAUTHENTICATED", 1],
    ["owner", "12:00", "consumer OK", 4],
  ]);
  expect(await stored(jobAttempts, 60)).toHaveLength(4);
  for (const id of registrationIds) {
    expect(await stored(jobAttempts, 60, id)).toEqual([["owner", "12:00", "PROVIDER_A SUCCEEDED", 1]]);
  }
  expect(await stored(jobAttempts, 60, CLIENT)).toEqual([["owner", "12:00", "PROVIDER_A SUCCEEDED", 3]]);
  for (const writer of writers) await writer.stop();
});

test("writes every ten seconds, and what is left at the shutdown", async () => {
  const counts = new RollupCounts();
  const timers: (() => void)[] = [];
  const clock = {
    now: () => service.clock.now(),
    after: (_delayMs: number, run: () => void) => {
      timers.push(run);
      return () => undefined;
    },
  };
  const writer = startRollupWriter({ ...service, clock: clock as unknown as typeof service.clock }, counts);
  counts.add(providerCalls, { provider: "PROVIDER_A", kind: "api", outcome: "ok" });
  expect(await stored(providerCalls, 60)).toEqual([]);
  timers.shift()?.();
  await expect.poll(() => stored(providerCalls, 60)).toEqual([["service", "12:00", "PROVIDER_A api ok", 1]]);
  await expect.poll(() => timers).toHaveLength(1);
  counts.add(providerCalls, { provider: "PROVIDER_A", kind: "api", outcome: "ok" });
  await writer.stop();
  expect(await stored(providerCalls, 60)).toEqual([["service", "12:00", "PROVIDER_A api ok", 2]]);
});

test.each([
  ["before", 1],
  ["after", 1],
] as const)("a batch whose connection broke %s the commit is counted once", async (when, count) => {
  const counts = new RollupCounts();
  const { logger, lines } = recordingLogger("warn");
  let failures = 1;
  const pool = {
    query: async (query: Parameters<typeof service.pool.query>[0]) => {
      const fails = failures > 0;
      failures -= 1;
      if (fails && when === "before") throw new Error("connection lost");
      await service.pool.query(query);
      if (fails) throw new Error("connection lost");
    },
  };
  const writer = startRollupWriter({ ...service, logger, pool: pool as unknown as typeof service.pool }, counts);
  counts.add(apiCalls, { kind: "panel", code: "OK" });
  await writer.write();
  expect(lines).toHaveLength(1);
  service.clock.advance(MINUTE);
  counts.add(apiCalls, { kind: "admin", code: "OK" });
  await writer.write();
  // Each is counted at its own time.
  expect(await stored(apiCalls, 60)).toEqual([
    ["service", "12:00", "panel OK", count],
    ["service", "12:01", "admin OK", 1],
  ]);
  await writer.stop();
});

test("too many different counts are counted for the whole service only", () => {
  const counts = new RollupCounts();
  for (let client = 0; client < 6_000; client += 1)
    counts.add(apiCalls, { applicationId: `client ${client}`, code: "OK" });
  const taken = counts.take();
  expect(taken).toHaveLength(5_001);
  expect(taken.find(({ applicationId }) => applicationId === null)?.count).toBe(1_000);
  expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(6_000);
  expect(counts.take()).toEqual([]);
});

test("counts each attempt once, when it has ended, also after hours without a worker", async () => {
  const application = await createApplication(service, "counted-attempts");
  const { PROVIDER_B } = await createRegistrations(service);
  const ended = async (data: { status: "COMPLETED" | "FAILED"; resultCode: string | null }) => {
    const { id } = await startConnect(service, application, { provider: "PROVIDER_B" });
    await service.prisma.connectAttempt.updateMany({ where: { id }, data });
  };
  await ended({ status: "COMPLETED", resultCode: null });
  await ended({ status: "FAILED", resultCode: "EXCHANGE_FAILED" });
  await startConnect(service, application, { provider: "PROVIDER_B" });
  const ofService = async (seconds: number) => {
    const rows = await stored(connectAttempts, seconds, PROVIDER_B);
    return rows.map(([, ...row]) => row);
  };
  const known = [
    ["12:00", "PROVIDER_B COMPLETED", 1],
    ["12:00", "PROVIDER_B FAILED EXCHANGE_FAILED", 1],
  ];
  for (let run = 0; run < 2; run += 1) {
    await runSweeps(service, ROLLUP_SWEEPS);
    expect(await ofService(60)).toEqual(known);
    expect(await ofService(3_600)).toEqual(known);
    expect(await stored(connectAttempts, 60)).toHaveLength(4);
  }
  service.clock.advance(LIMITS.connectDeadlineMs);
  await runSweeps(service, ROLLUP_SWEEPS);
  expect(await ofService(60)).toEqual(known);
  service.clock.advance(5 * HOUR);
  await ended({ status: "COMPLETED", resultCode: null });
  await runSweeps(service, ROLLUP_SWEEPS);
  const [completed, ...others] = known;
  const all = [completed, ["12:00", "PROVIDER_B EXPIRED DEADLINE_PASSED", 1], ...others];
  expect(await ofService(3_600)).toEqual([...all, ["17:00", "PROVIDER_B COMPLETED", 1]]);
  expect(await ofService(60)).toEqual([...all, ["17:10", "PROVIDER_B COMPLETED", 1]]);
});

test("stores the use of shared budgets and the connections by status", async () => {
  await service.prisma.providerRegistration.deleteMany();
  const ids = await createRegistrations(service);
  const application = await createApplication(service, "states");
  await createConnection(service, application, ids);
  await setQuota(service, ids.PROVIDER_A, { units: 100, window: "day" });
  await setQuota(service, ids.PROVIDER_B, { units: 60, window: "minute" });
  await setQuota(service, ids.PROVIDER_C, { units: 10, window: "day", per: "account" });
  const use = (registrationId: string, budget: string, used: number, ms: number) => {
    const windowStart = new Date("2026-03-10T11:59:00.000Z");
    const windowEndsAt = new Date(windowStart.getTime() + ms);
    return service.prisma.providerQuota.create({ data: { registrationId, budget, windowStart, windowEndsAt, used } });
  };
  await use(ids.PROVIDER_A, "client", 79, DAY);
  await use(ids.PROVIDER_B, "read /list", 60, MINUTE);
  await use(ids.PROVIDER_C, "account 1", 10, DAY);
  await runToEnd(service, ROLLUP_SWEEPS);
  await runToEnd(service, ROLLUP_HOURLY_SWEEPS);
  const sorted = async (series: string) => (await stored(series, 60)).map(([, ...row]) => row).toSorted();
  // A window of a minute belongs to its own minute.
  expect(await sorted(quotaUsed)).toEqual([
    ["11:59", "PROVIDER_B read /list", 60],
    ["12:00", "PROVIDER_A client", 79],
  ]);
  expect(await sorted(quotaUnits)).toEqual([
    ["11:59", "PROVIDER_B read /list", 60],
    ["12:00", "PROVIDER_A client", 100],
  ]);
  const held = async () => (await stored(connections, 3_600)).filter(([, , , count]) => count !== 0);
  expect(await held()).toEqual([["service", "12:00", "PROVIDER_A CONNECTED", 1]]);
  await service.prisma.connection.updateMany({ data: { status: "SUSPENDED" } });
  await runToEnd(service, ROLLUP_HOURLY_SWEEPS);
  expect(await held()).toEqual([["service", "12:00", "PROVIDER_A SUSPENDED", 1]]);
});

test("deletes minutes after two days, hours after 35, and writers after one", async () => {
  const counts = new RollupCounts();
  const writer = startRollupWriter(service, counts);
  counts.add(apiCalls, { kind: "panel", code: "OK" });
  await writer.stop();
  const left = async () => {
    await runToEnd(service, ROLLUP_HOURLY_SWEEPS);
    const { rollup, rollupWriter } = service.prisma;
    return [
      await rollup.count({ where: { seconds: 60, series: apiCalls } }),
      await rollup.count({ where: { seconds: 3_600, series: apiCalls } }),
      await rollupWriter.count(),
    ];
  };
  service.clock.advance(DAY);
  expect((await left()).slice(0, 2)).toEqual([1, 1]);
  service.clock.advance(MINUTE);
  expect(await left()).toEqual([1, 1, 0]);
  service.clock.advance(DAY);
  expect(await left()).toEqual([0, 1, 0]);
  service.clock.advance(33 * DAY + HOUR);
  expect(await left()).toEqual([0, 0, 0]);
});
