import { type TestDatabase, testDatabase } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../database/database.ts";
import { MovableClock, SystemClock } from "./clock.ts";

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
 * Reads a new clock between two queries of the database's time. A reading is off by at most half of the round trip of its measurement, which is also between the queries, so it is within their time plus or minus half:
 * independent of the machine's speed.
 */
async function expectDatabaseTime(read: () => Promise<Date>): Promise<void> {
  const before = await databaseTime();
  const reading = (await read()).getTime();
  const after = await databaseTime();
  const half = (after - before) / 2 + 2;
  expect(reading).toBeGreaterThanOrEqual(before - half);
  expect(reading).toBeLessThanOrEqual(after + half);
}

test("two replicas whose clocks differ by five minutes agree on the time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 });
  await expectDatabaseTime(() => new SystemClock(database.pool).now());
  vi.useRealTimers();
  await expectDatabaseTime(() => new SystemClock(database.pool).now());
});

test("readings between two measurements do not query the database", async () => {
  const query = vi.spyOn(database.pool, "query");
  const clock = new SystemClock(database.pool);
  await clock.now();
  for (let reading = 0; reading < 50; reading++) await clock.now();
  expect(query).toHaveBeenCalledTimes(1);
});

test("when the machine's clock jumps, the next reading queries the database again", async () => {
  const clock = new SystemClock(database.pool);
  await clock.now();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
  await expectDatabaseTime(() => clock.now());
});

test("while the database is unavailable, the last measurement is used", async () => {
  const clock = new SystemClock(database.pool);
  await clock.now();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
  vi.spyOn(database.pool, "query").mockRejectedValue(new Error("connection refused") as never);
  await expect(clock.now()).resolves.toBeInstanceOf(Date);
  await expect(new SystemClock(database.pool).now()).rejects.toThrow("connection refused");
});

test("moving the clock moves it in every process immediately and repeatedly", async () => {
  const one = new MovableClock(database.pool);
  const other = new MovableClock(database.pool);
  const before = (await other.now()).getTime();
  await one.advance(24 * HOUR);
  const afterOneMove = (await other.now()).getTime();
  await other.advance(HOUR);
  const afterBoth = (await one.now()).getTime();
  // Little time passes between the readings, compared with a move.
  expect(Math.abs(afterOneMove - before - 24 * HOUR)).toBeLessThan(HOUR / 4);
  expect(Math.abs(afterBoth - before - 25 * HOUR)).toBeLessThan(HOUR / 4);
});
