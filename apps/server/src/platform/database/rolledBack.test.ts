import { runStatement, type TestDatabase, testDatabase } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";

let testbed: TestDatabase;
let database: Database;

/** Counts calls in a sequence, which no rollback undoes, and fails the first of them. */
const FAIL = `CREATE SEQUENCE calls;
  CREATE TABLE written (id int);
  CREATE FUNCTION fail(state text, reason text, times int) RETURNS int LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('calls') <= times THEN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = reason; END IF;
    RETURN 7;
  END $$`;

/** The database reports the first two on every PostgreSQL, the others on Citus. */
const TEMPORARY = [
  ["40001", "could not serialize access due to concurrent update"],
  ["40P01", "deadlock detected"],
  ["40001", "shard for the given value does not exist"],
  ["XX000", "could not find valid entry for shard 102044"],
] as const;
const OTHERS = [
  ["XX000", "cache lookup failed for relation 16384"],
  ["23505", "duplicate key value violates unique constraint"],
  ["22012", "division by zero"],
] as const;

const STATEMENT = "SELECT fail($1, $2, $3::int) AS value";
type Run = (state: string, reason: string, times: number) => Promise<readonly unknown[]>;
const ways: Readonly<Record<string, Run>> = {
  "a statement of the pool": async (...values) => (await database.pool.query(STATEMENT, values)).rows,
  "a frequent read": (...values) => database.hotReads.query({ name: "fail", text: STATEMENT, values }),
  "a statement of Prisma": (...values) => database.prisma.$queryRawUnsafe(STATEMENT, ...values),
  "a transaction": (...values) =>
    database.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`INSERT INTO written VALUES (1)`;
      return transaction.$queryRawUnsafe(STATEMENT, ...values);
    }),
};

beforeAll(async () => {
  testbed = await testDatabase();
  await runStatement(testbed.url, FAIL);
  database = openDatabase({ url: testbed.url, poolSize: 2 });
});

beforeEach(async () => {
  await runStatement(testbed.url, "ALTER SEQUENCE calls RESTART; TRUNCATE written");
});

afterAll(async () => {
  await database.close();
  await testbed.drop();
});

async function written(): Promise<number> {
  return (await runStatement(testbed.url, "SELECT 1 FROM written")).length;
}

async function calls(): Promise<number> {
  const [row] = await runStatement<{ count: number }>(testbed.url, "SELECT last_value::int AS count FROM calls");
  return row?.count ?? 0;
}

for (const [name, run] of Object.entries(ways)) {
  test.each(TEMPORARY)(`repeats ${name} that the database rolled back with %s %s`, async (state, reason) => {
    await expect(run(state, reason, 1)).resolves.toEqual([{ value: 7 }]);
    expect(await calls()).toBe(2);
    expect(await written()).toBe(name === "a transaction" ? 1 : 0);
  });

  test.each(OTHERS)(`does not repeat ${name} that failed with %s %s`, async (state, reason) => {
    await expect(run(state, reason, 1)).rejects.toThrow(reason);
    expect(await calls()).toBe(1);
    expect(await written()).toBe(0);
  });
}

test("reports a rollback that happens again and again", async () => {
  await expect(database.pool.query(STATEMENT, ["40P01", "deadlock detected", 100])).rejects.toMatchObject({
    code: "40P01",
  });
  expect(await calls()).toBe(3);
});
