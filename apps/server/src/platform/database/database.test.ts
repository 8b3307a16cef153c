import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { runStatement, type TestDatabase, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Database, databaseIsReady, openDatabase } from "./database.ts";
import { OpenConnections } from "./openConnections.ts";

let testbed: TestDatabase;
let database: Database | undefined;

beforeAll(async () => {
  testbed = await testDatabase();
});

afterEach(async () => {
  await database?.close();
  database = undefined;
});

afterAll(() => testbed.drop());

function open(options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database {
  database = openDatabase({ url: testbed.url, poolSize: 2, ...options });
  return database;
}

test("hand-written SQL and Prisma share the same pool of connections", async () => {
  const { pool, prisma } = open({ applicationName: "sharing" });
  await Promise.all([
    ...Array.from({ length: 10 }, () => pool.query("SELECT 1")),
    ...Array.from({ length: 10 }, () => prisma.clockOffset.count()),
  ]);
  expect(pool.totalCount).toBeLessThanOrEqual(2);
});

test("a frequent read is planned once for each connection, also if a plan for its values would be cheaper", async () => {
  const { hotReads } = open();
  const text =
    "SELECT 1 WHERE $1::int > 0 AND EXISTS (SELECT 1 FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b)";
  const read = { name: "read", text, values: [0] };
  for (let call = 0; call < 10; call += 1) await hotReads.query(read);
  const plans =
    "SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = 'read'";
  expect(await hotReads.query({ name: "plans", text: plans, values: [] })).toEqual([{ generic: 10, custom: 0 }]);
});

test("the database cancels a slow statement at its timeout, and the connection remains usable", async () => {
  const { pool } = open({ statementTimeoutMs: 1_000 });
  await expect(pool.query("SELECT pg_sleep(300)")).rejects.toMatchObject({ code: "57014" });
  await expect(pool.query("SELECT 1")).resolves.toBeDefined();
});

test("a caller waits for a free connection only until the timeout", async () => {
  // The same timeout applies to opening the one connection, on a machine that may be busy.
  const { pool } = open({ poolSize: 1, connectTimeoutMs: 2_000 });
  const held = await pool.connect();
  await expect(pool.query("SELECT 1")).rejects.toThrow(/timeout/i);
  held.release();
  await expect(pool.query("SELECT 1")).resolves.toBeDefined();
});

test("an idle transaction is terminated, so a hung process holds no lock", async () => {
  const { pool } = open({ idleInTransactionTimeoutMs: 150 });
  const hanging = await pool.connect();
  const ended = new Promise((resolve) => hanging.once("error", resolve));
  // In one message: between two, the transaction could already be terminated.
  await hanging.query("BEGIN; LOCK TABLE clock_offset");
  await ended;
  await expect(pool.query("LOCK TABLE clock_offset")).rejects.toThrow(/transaction block/);
  await expect(pool.query("SELECT count(*) FROM clock_offset")).resolves.toBeDefined();
  hanging.release(true);
});

test("connections terminated by the database, idle or in use, end no process and are replaced", async () => {
  const { pool, prisma } = open();
  const inUse = await pool.connect();
  await prisma.clockOffset.count();
  await runStatement(
    testbed.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await expect(inUse.query("SELECT 1")).rejects.toThrow();
  inUse.release(true);
  await expect.poll(() => databaseIsReady(pool)).toBe(true);
  expect(await prisma.clockOffset.count()).toBe(0);
});

/** A message of PostgreSQL's protocol. */
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, "latin1")]);
}

const READY = [message("R", "\0\0\0\0"), message("Z", "I")];

/** A server that answers what it receives with these, in turn, and then ends the session. Returns its URL. */
async function answering(...answers: readonly (readonly Buffer[])[]): Promise<string> {
  const server = createServer((socket) => {
    const rest = [...answers];
    socket.on("error", () => undefined);
    socket.on("data", () => {
      socket.write(Buffer.concat(rest.shift() ?? []));
      if (rest.length === 0) socket.end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `postgresql://someone@127.0.0.1:${(server.address() as AddressInfo).port}/any`;
}

test("the error that ends a session is counted once, whatever number of statements it fails", async () => {
  const refused = message("E", "SERROR\0C42601\0Msyntax error\0\0");
  const ended = message("E", "SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  const connections = new OpenConnections({ isPooled: true, lifetimeMs: 60_000 });
  const client = new (connections.Client as typeof pg.Client)({
    connectionString: await answering(READY, [refused, ended]),
  });
  await client.connect();
  const outcomes = await Promise.allSettled(["one", "two", "three"].map((text) => client.query(text)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(Object.fromEntries(connections.errors)).toEqual({ 42601: 1, "57P01": 1 });
});

test("a server that ends a session with the packet that begins it ends no process", async () => {
  const end = message("E", "SFATAL\0C57P05\0Mterminating connection due to idle-session timeout\0\0");
  const url = await answering([...READY, end]);
  for (const isPooled of [false, true]) {
    const { pool, close } = openDatabase({ url, poolSize: 1, isPooled });
    await expect(pool.query("SELECT 1")).rejects.toThrow();
    await close();
  }
});

test("closing settles when the server has closed every connection, including those of the task queue's pool", async () => {
  const applicationName = "leaving";
  const { pool, prisma, close } = openDatabase({ url: testbed.url, poolSize: 8, applicationName });
  const { Client, connectionString } = pool.options;
  const second = new pg.Pool({ Client, connectionString, max: 8, application_name: applicationName } as pg.PoolConfig);
  const both = [pool, second];
  await Promise.all(both.flatMap((one) => Array.from({ length: 8 }, () => one.query("SELECT pg_sleep(0.05)"))));
  await prisma.clockOffset.count();
  const watcher = new pg.Client({ connectionString: testbed.url });
  await watcher.connect();
  const count = async () => {
    const statement = "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = $1";
    return (await watcher.query<{ open: number }>(statement, [applicationName])).rows[0]?.open;
  };
  expect(await count()).toBe(16);
  // Like pg-boss, it settles before its connections are closed.
  await second.end();
  await close();
  expect(await count()).toBe(0);
  await watcher.end();
});

test("an unreachable database is reported and does not hang", async () => {
  const { pool } = open({ url: "postgres://nobody:nothing@127.0.0.1:1/none", connectTimeoutMs: 500 });
  expect(await databaseIsReady(pool)).toBe(false);
});

test("a connection whose statement gets no response is closed when it is released", async () => {
  const { Client } = new OpenConnections({ lifetimeMs: 60_000 });
  const pool = new pg.Pool({ Client, connectionString: testbed.url, max: 1, query_timeout: 500 });
  onTestFinished(() => pool.end());
  const client = await pool.connect();
  await expect(client.query("SELECT pg_sleep(300)")).rejects.toThrow("timeout");
  client.release();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});
