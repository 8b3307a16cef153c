import { expect, test } from "vitest";
import { service, useApplication } from "../testing/fixtures.ts";
import { runSweeps } from "./runSweeps.ts";
import type { Sweep } from "./sweep.ts";

useApplication();

const batches: string[] = [];

/** A sweep over a number of rows, whose batches fail above a size. */
function sweep(name: string, rows: number, largestBatch = Number.POSITIVE_INFINITY): Sweep {
  return {
    name,
    batchSize: 100,
    begin: () => {
      let due = rows;
      return {
        batch: async (limit) => {
          batches.push(`${name} ${limit}`);
          if (limit > largestBatch) throw new RangeError("canceled");
          const handled = Math.min(limit, due);
          due -= handled;
          return { handled, isLast: handled < limit };
        },
        countDue: async () => due,
      };
    },
  };
}

const state = (name: string) => service.prisma.sweepState.findUnique({ where: { name } });

test("a sweep with much to do delays the others by one batch at a time", async () => {
  batches.length = 0;
  expect(await runSweeps(service, [sweep("long", 250), sweep("short", 10)])).toBe(true);
  expect(batches).toEqual(["long 100", "short 100", "long 100", "long 100"]);
  const succeededAt = service.clock.current;
  expect(await state("long")).toMatchObject({ succeededAt, handled: 250, remaining: 0, error: null });
  expect(await state("short")).toMatchObject({ succeededAt, handled: 10, remaining: 0, error: null });
});

test("retries a failed batch with fewer rows", async () => {
  batches.length = 0;
  await runSweeps(service, [sweep("slow", 40, 25)]);
  expect(batches).toEqual(["slow 100", "slow 25", "slow 25"]);
  expect(await state("slow")).toMatchObject({ failedAt: null, handled: 40, remaining: 0 });
});

test("a sweep that fails does not stop the others, and its next success clears the error", async () => {
  batches.length = 0;
  expect(await runSweeps(service, [sweep("broken", 5, 0), sweep("sound", 5)])).toBe(true);
  expect(batches).toEqual(["broken 100", "sound 100", "broken 25", "broken 6", "broken 1"]);
  const failedAt = service.clock.current;
  expect(await state("broken")).toMatchObject({ succeededAt: null, failedAt, error: "RangeError", remaining: 5 });
  expect(await state("sound")).toMatchObject({ handled: 5, remaining: 0 });
  service.clock.advance(1_000);
  await runSweeps(service, [sweep("broken", 5)]);
  expect(await state("broken")).toMatchObject({ succeededAt: service.clock.current, failedAt, error: null });
});

test("the stored error has PostgreSQL's code, through Prisma as from the driver", async () => {
  const failing = (name: string, batch: () => Promise<unknown>): Sweep => ({
    name,
    batchSize: 1,
    begin: () => ({
      batch: async () => Promise.reject(await batch().catch((error) => error)),
      countDue: async () => 0,
    }),
  });
  const raw = failing("raw", () => service.prisma.$queryRaw`SELECT 1 / 0`);
  const driver = failing("driver", () => service.pool.query("SELECT 1 / 0"));
  await runSweeps(service, [raw, driver]);
  expect(await state("raw")).toMatchObject({ error: "PrismaClientKnownRequestError 22012" });
  expect(await state("driver")).toMatchObject({ error: "error 22012" });
});

/** A sweep over numbered rows, of which some cannot be handled. */
function sweepWithout(failing: ReadonlySet<number>, rows: number): Sweep {
  return {
    name: "rows",
    batchSize: 100,
    begin: () => {
      let due = Array.from({ length: rows }, (_, index) => index);
      const failed: number[] = [];
      return {
        batch: async (limit) => {
          batches.push(`rows ${limit}`);
          const batch = due.filter((row) => !failed.includes(row)).slice(0, limit);
          if (batch.some((row) => failing.has(row))) {
            const error = new RangeError("refused");
            if (batch.length > 1) throw error;
            failed.push(...batch);
            return { handled: 0, isLast: false, rowError: error };
          }
          due = due.filter((row) => !batch.includes(row));
          return { handled: batch.length, isLast: batch.length < limit };
        },
        countDue: async () => due.length,
      };
    },
  };
}

test("skips rows that fail and handles all others", async () => {
  const failedAt = service.clock.current;
  await runSweeps(service, [sweepWithout(new Set([0, 1, 250]), 1_000)]);
  expect(await state("rows")).toMatchObject({ failedAt, error: "RangeError", handled: 997, remaining: 3 });
  service.clock.advance(1_000);
  await runSweeps(service, [sweepWithout(new Set(), 1_000)]);
  expect(await state("rows")).toMatchObject({ error: null, succeededAt: service.clock.current, remaining: 0 });
});

test("a sweep of which every row fails ends", async () => {
  batches.length = 0;
  await runSweeps(service, [sweepWithout(new Set(Array.from({ length: 1_000 }, (_, row) => row)), 1_000)]);
  expect(batches.filter((batch) => batch === "rows 1")).toHaveLength(21);
  expect(await state("rows")).toMatchObject({ error: "RangeError", handled: 0, remaining: 1_000 });
});

test("a round that runs out of time stores how much is left", async () => {
  let turns = 0;
  expect(await runSweeps(service, [sweep("endless", 1_000)], () => turns++ < 2)).toBe(false);
  expect(await state("endless")).toMatchObject({ succeededAt: null, handled: 200, remaining: 800 });
});
