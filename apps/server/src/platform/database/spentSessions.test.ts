import { eventually, runStatement, type TestDatabase, testDatabase } from "@social-connect/testkit";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, databaseIsReady, openDatabase } from "./database.ts";
import { keepsSession } from "./spentSessions.ts";

let testbed: TestDatabase;
let database: Database;

beforeEach(async () => {
  testbed = await testDatabase();
  database = openDatabase({ url: testbed.url, poolSize: 1 });
});
afterEach(async () => {
  await database.close();
  await testbed.drop();
});

const WRITE = "INSERT INTO clock_offset (id, offset_ms) VALUES (1, 0)";
const READ_ONLY = "SET default_transaction_read_only = on";
const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;

/** Runs statements as a transaction does: their failure does not return the client with an error. */
async function run(...statements: readonly string[]): Promise<number> {
  const client = await database.pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    for (const statement of statements) await client.query(statement).catch(() => undefined);
    return rows[0]?.pid ?? Number.NaN;
  } finally {
    client.release();
  }
}

async function hotRead(text: string, name: string): Promise<readonly pg.QueryResultRow[]> {
  return database.hotReads.query({ name, text, values: [] });
}

const sessionOfReads = async () => (await hotRead("SELECT pg_backend_pid() AS pid", "session"))[0]?.pid as number;

test.each([
  ["a session that became read-only", [READ_ONLY, "BEGIN", WRITE, "ROLLBACK"]],
  ["a standby's error", [raise("25006")]],
  ["a missing prepared statement", ["EXECUTE missing"]],
  ["a prepared statement that exists", ["PREPARE one AS SELECT 1", "PREPARE one AS SELECT 1"]],
  ["a new enum value", [raise("55P04")]],
  ["a missing table", ["SELECT 1 FROM missing"]],
  ["a missing privilege", [raise("42501")]],
  ["a missing schema", [raise("3F000")]],
  ["a lost connection behind it", [raise("08006")]],
  ["an internal error", [raise("XX000")]],
  ["no memory", [raise("53200")]],
  ["a file that cannot be read", [raise("58030")]],
  ["a code that PostgreSQL may use one day", [raise("ZZ999")]],
  ["a transaction that was not ended", ["BEGIN"]],
  ["a failed transaction that was not ended", ["BEGIN", "SELECT 1 / 0"]],
  ["the end of the server", ["SELECT pg_terminate_backend(pg_backend_pid())"]],
])("a session is replaced after %s", async (_, statements) => {
  const first = await run(...statements);
  expect(await run()).not.toBe(first);
});

test.each([
  ["no error", ["SELECT 1"]],
  ["an invalid value", ["SELECT 1 / 0"]],
  ["a violated constraint", ["BEGIN", WRITE, WRITE, "ROLLBACK"]],
  ["a deadlock", [raise("40P01")]],
  ["a lock that was not available", [raise("55P03")]],
  ["a canceled statement", [raise("57014")]],
  ["an error that a function raises", [raise("P0001")]],
])("a session is used again after %s", async (_, statements) => {
  const first = await run(...statements);
  expect(await run()).toBe(first);
});

test("the connections of Prisma's transactions are replaced, so a second transaction succeeds", async () => {
  await run(READ_ONLY);
  const write = () =>
    database.prisma.$transaction((transaction) => transaction.clockOffset.create({ data: { id: 1, offsetMs: 0 } }));
  await expect(write()).rejects.toThrow(/read-only/);
  await expect(write()).resolves.toMatchObject({ id: 1 });
});

test("frequent reads take another connection after a fault of the session, and keep it after a timeout", async () => {
  const first = await sessionOfReads();
  await expect(hotRead(raise("55P03"), "timeout")).rejects.toThrow();
  expect(await sessionOfReads()).toBe(first);
  await hotRead("DEALLOCATE ALL", "deallocate");
  await expect(sessionOfReads()).rejects.toMatchObject({ cause: { code: "26000" } });
  expect(await sessionOfReads()).not.toBe(first);
});

test("a frequent read whose plan no longer fits fails once", async () => {
  await runStatement(testbed.url, "CREATE TABLE changing (a integer)");
  const read = () => hotRead("SELECT * FROM changing", "changing");
  await read();
  await runStatement(testbed.url, "ALTER TABLE changing ADD COLUMN b integer");
  await expect(read()).rejects.toMatchObject({ code: "0A000" });
  await expect(read()).resolves.toEqual([]);
});

test("a session is replaced when it is old, also under reads that never pause, and readiness asks a new one", async () => {
  await database.close();
  database = openDatabase({ url: testbed.url, poolSize: 1, sessionLifetimeMs: 200 });
  const [{ name } = { name: "" }] = await runStatement<{ name: string }>(
    testbed.url,
    "SELECT current_database() AS name",
  );
  const readOnly = async () =>
    (await hotRead("SHOW default_transaction_read_only", "show"))[0]?.default_transaction_read_only;
  await runStatement(testbed.url, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  // The control: reads work in this state.
  expect(await readOnly()).toBe("on");
  expect(await databaseIsReady(database.pool)).toBe(false);
  await runStatement(
    testbed.url,
    `SET TRANSACTION READ WRITE; ALTER DATABASE "${name}" RESET default_transaction_read_only`,
  );
  let isReading = true;
  const reading = Array.from({ length: 3 }, async () => {
    while (isReading) await hotRead("SELECT pg_sleep(0.01)", "busy");
  });
  await eventually(async () => expect(await readOnly()).toBe("off"));
  isReading = false;
  await Promise.all(reading);
  await eventually(async () => expect(await databaseIsReady(database.pool)).toBe(true));
});

test("an error that is not of the database ends the session", () => {
  expect(keepsSession(new Error("socket hang up"))).toBe(false);
  expect(keepsSession(Object.assign(new Error("no"), { code: "57014", severity: "FATAL" }))).toBe(false);
});
