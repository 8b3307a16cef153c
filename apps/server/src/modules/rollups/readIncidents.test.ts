import { ROLLUP_SERIES } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import { registrations, service, useApplication } from "../testing/fixtures.ts";
import { readIncidents } from "./readIncidents.ts";
import { setValues } from "./store.ts";

useApplication();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeEach(async () => {
  await service.prisma.rollup.deleteMany();
  service.clock.set("2026-03-10T12:00:20.000Z");
});

/** Stores an outage that ended after a minute. */
async function storeOutage(minutes: number, failed: number): Promise<void> {
  await storeCalls(minutes, "http_5xx", failed);
  await storeCalls(minutes - 1, "ok", 30);
}

/** Stores calls to a provider in the minute that began `minutes` before this one. */
async function storeCalls(minutes: number, outcome: string, count: number): Promise<void> {
  const startsAt = new Date(service.clock.current.getTime() - minutes * MINUTE);
  startsAt.setSeconds(0, 0);
  const labels = { ownerId: registrations.PROVIDER_A, provider: "PROVIDER_A", kind: "api", outcome, code: "" };
  await setValues(
    service.pool,
    [{ ...labels, series: ROLLUP_SERIES.providerCalls, seconds: 60, startsAt, count }],
    "latest",
  );
}

/** Reads as a process does, and records from when it reads minutes. */
function reader() {
  const read: { readonly statement: string; readonly hours: number }[] = [];
  let failures = 0;
  const pool = {
    query: async (statement: { readonly name: string; readonly values: readonly unknown[] }) => {
      if (statement.name.endsWith("inutes")) {
        const from = statement.values.at(-1) as Date;
        read.push({
          statement: statement.name,
          hours: (service.clock.current.getTime() - from.getTime()) / HOUR,
        });
        if (failures > 0) {
          failures -= 1;
          throw new Error("connection lost");
        }
      }
      return service.reads.pool.query(statement as never);
    },
  };
  const { prisma } = service.reads;
  const reads = { pool: pool as unknown as typeof service.pool, prisma };
  return {
    incidents: async () => (await readIncidents({ ...service, reads })).map(({ failed }) => failed),
    /** The statements since the last call. */
    statements: () => read.splice(0),
    failNext: () => {
      failures = 2;
    },
  };
}

const MINUTES = ["rollups.readMinutes", "rollups.readQuotaMinutes"];
const all = MINUTES.map((statement) => ({ statement, hours: 24 }));
const latest = MINUTES.map((statement) => ({ statement, hours: 0.5 }));

test("reads the minutes once in ten seconds, and then shows a new count", async () => {
  const { incidents, statements } = reader();
  await storeCalls(0, "http_5xx", 30);
  expect(await Promise.all([incidents(), incidents()])).toEqual([[30], [30]]);
  expect(statements()).toEqual(all);
  await storeCalls(0, "http_5xx", 40);
  service.clock.advance(10 * SECOND - 1);
  expect(await incidents()).toEqual([30]);
  expect(statements()).toEqual([]);
  service.clock.advance(1);
  expect(await incidents()).toEqual([40]);
  expect(statements()).toEqual(latest);
});

test("reads only the latest minutes again, and all of them after ten minutes", async () => {
  const { incidents, statements } = reader();
  await storeOutage(120, 30);
  expect(await incidents()).toEqual([30]);
  expect(statements()).toEqual(all);
  // Minutes that a process stored late.
  await storeOutage(240, 50);
  await storeOutage(13, 20);
  service.clock.advance(10 * MINUTE - 1);
  expect(await incidents()).toEqual([20, 30]);
  expect(statements()).toEqual(latest);
  service.clock.advance(10 * SECOND);
  expect(await incidents()).toEqual([20, 30, 50]);
  expect(statements()).toEqual(all);
});

test("drops minutes that are older than a day", async () => {
  const { incidents } = reader();
  await storeCalls(24 * 60 - 4, "http_5xx", 30);
  expect(await incidents()).toEqual([30]);
  service.clock.advance(3 * MINUTE);
  expect(await incidents()).toEqual([30]);
  service.clock.advance(MINUTE);
  expect(await incidents()).toEqual([]);
});

test("a failed read is repeated by the next one", async () => {
  const { incidents, failNext, statements } = reader();
  await storeCalls(0, "http_5xx", 30);
  failNext();
  await expect(incidents()).rejects.toThrow("connection lost");
  statements();
  expect(await incidents()).toEqual([30]);
  expect(statements()).toEqual(all);
});
