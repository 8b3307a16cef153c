import type { TestDatabase } from "@social-connect/testkit";
import { testDatabase } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { MovableClock, SystemClock } from "./clock.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./database.ts";

const HOUR = 3_600_000;
let testbed: TestDatabase;
let database: Database;

beforeAll(async () => {
  testbed = await testDatabase();
  database = openDatabase({ url: testbed.url, poolSize: 4 });
});

afterAll(async () => {
  await database.close();
  await testbed.drop();
});

afterEach(() => vi.useRealTimers());

async function databaseTime(): Promise<number> {
  const { rows } = await database.pool.query("SELECT clock_timestamp() AS now");
  return rows[0].now.getTime();
}

/**
 * Reads a new clock between two looks at the database. A reading is off by half of its own measurement's round trip at
 * most, which lies between the looks too, so it stays in their time widened by half: however slow the machine is.
 */
async function expectDatabaseTime(read: () => Promise<Date>): Promise<void> {
  const before = await databaseTime();
  const reading = (await read()).getTime();
  const after = await databaseTime();
  const half = (after - before) / 2 + 2;
  expect(reading).toBeGreaterThanOrEqual(before - half);
  expect(reading).toBeLessThanOrEqual(after + half);
}

test("two replicas whose own clocks are five minutes apart agree on the time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 });
  await expectDatabaseTime(() => new SystemClock(database.pool).now());
  vi.useRealTimers();
  await expectDatabaseTime(() => new SystemClock(database.pool).now());
});

test("readings between two measurements ask the database nothing", async () => {
  const query = vi.spyOn(database.pool, "query");
  const clock = new SystemClock(database.pool);
  await clock.now();
  for (let reading = 0; reading < 50; reading++) await clock.now();
  expect(query).toHaveBeenCalledTimes(1);
});

test("when the machine's clock jumps, the next reading asks the database anew", async () => {
  const clock = new SystemClock(database.pool);
  await clock.now();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
  await expectDatabaseTime(() => clock.now());
});

test("while the database is away the last measurement carries on", async () => {
  const clock = new SystemClock(database.pool);
  await clock.now();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
  vi.spyOn(database.pool, "query").mockRejectedValue(new Error("connection refused") as never);
  await expect(clock.now()).resolves.toBeInstanceOf(Date);
  await expect(new SystemClock(database.pool).now()).rejects.toThrow("connection refused");
});

test("moving the clock moves it in every process at once, again and again", async () => {
  const one = new MovableClock(database.pool);
  const other = new MovableClock(database.pool);
  const before = (await other.now()).getTime();
  await one.advance(24 * HOUR);
  const afterOneMove = (await other.now()).getTime();
  await other.advance(HOUR);
  const afterBoth = (await one.now()).getTime();
  // Each process measures the database's time by itself, half a round trip off, and time goes on: far less than a move.
  expect(Math.abs(afterOneMove - before - 24 * HOUR)).toBeLessThan(HOUR / 4);
  expect(Math.abs(afterBoth - before - 25 * HOUR)).toBeLessThan(HOUR / 4);
});
