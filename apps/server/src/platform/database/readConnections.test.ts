import { Socket } from "node:net";
import { type TestDatabase, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { OpenConnections } from "./openConnections.ts";
import { ReadConnections } from "./readConnections.ts";

let testbed: TestDatabase;
let database: Database;

beforeAll(async () => {
  testbed = await testDatabase();
});
afterEach(() => database.close());
afterAll(() => testbed.drop());

function open(options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database {
  database = openDatabase({ url: testbed.url, poolSize: 2, applicationName: "reads", ...options });
  return database;
}

/** Waits for the lock. */
const LOCKED = "SELECT $1::int AS number, pg_advisory_xact_lock_shared(1)";
/** Does not. */
const FREE = "SELECT $1::int AS number";

const read = (number: number, text = LOCKED, name = "read") =>
  database.hotReads.query<{ number: number }>({ name, text, values: [number] });

/** Reads of `LOCKED` wait until `work` ends. */
async function whileReadsWait<Result>(work: () => Promise<Result>): Promise<Result> {
  const holder = await database.pool.connect();
  await holder.query("SELECT pg_advisory_lock(1)");
  try {
    return await work();
  } finally {
    await holder.query("SELECT pg_advisory_unlock_all()");
    holder.release();
  }
}

const countOpen = async (condition = "true") => {
  const { rows } = await database.pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE application_name = 'reads' AND query LIKE '%AS number%' AND query NOT LIKE '%pg_stat_activity%' AND ${condition}`,
  );
  return rows[0]?.open;
};

test("many concurrent reads share a few connections, and each gets its own result", async () => {
  open();
  const rows = (await Promise.all(Array.from({ length: 100 }, (_, number) => read(number, FREE, "free")))).flat();
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, number) => number));
  expect(await countOpen()).toBeLessThanOrEqual(3);
});

const TOO_SLOW = { code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 1 };

/** Separate connections, whose oldest read is never young. */
function connectionsOf(max: number, options: pg.PoolConfig = {}): { connections: ReadConnections; pool: pg.Pool } {
  open();
  const { connectionString } = database.pool.options;
  const { Client } = new OpenConnections({ lifetimeMs: 60_000 });
  const pool = new pg.Pool({ Client, connectionString, application_name: "reads", max, pipeline: true, ...options });
  onTestFinished(() => pool.end());
  for (const each of [pool, database.pool]) each.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { connections: new ReadConnections(pool, 0), pool };
}

/** Counts its system calls. */
class CountedSocket extends Socket {
  writes = 0;

  override _write(...parameters: Parameters<Socket["_write"]>): void {
    this.writes += 1;
    super._write(...parameters);
  }

  override _writev(...parameters: Parameters<NonNullable<Socket["_writev"]>>): void {
    this.writes += 1;
    super._writev?.(...parameters);
  }
}

test("reads of one turn of the event loop are sent in one write", async () => {
  const socket = new CountedSocket();
  const { pool } = connectionsOf(1, { stream: () => socket });
  const connections = new ReadConnections(pool, 60_000);
  const readOne = () => connections.query({ name: "free", text: FREE, values: [1] });
  await readOne();
  const before = socket.writes;
  await Promise.all(Array.from({ length: 10 }, readOne));
  expect(socket.writes - before).toBe(1);
});

test("while the oldest read waits, later reads use another connection", async () => {
  const { connections } = connectionsOf(2);
  const send = (text: string) => connections.query({ name: text, text, values: [1] });
  const { blocked } = await whileReadsWait(async () => {
    const blocked = send(LOCKED);
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(1);
    expect(await send(FREE)).toEqual([{ number: 1 }]);
    return { blocked };
  });
  expect(await blocked).toMatchObject([{ number: 1 }]);
});

test("a read that waits for a lock fails with a code and seconds, and the reads behind it run", async () => {
  open({ lockTimeoutMs: 200 });
  const results = await whileReadsWait(() => Promise.allSettled([read(1), read(2, FREE, "free")]));
  expect(results).toMatchObject([{ reason: TOO_SLOW }, { value: [{ number: 2 }] }]);
});

test("reads of a locked table that no read has used before fail with a code and seconds", async () => {
  open({ lockTimeoutMs: 200 });
  const holder = await database.pool.connect();
  await holder.query("BEGIN; CREATE TABLE locked AS SELECT 1 AS number; COMMIT; BEGIN; LOCK TABLE locked");
  const results = await Promise.allSettled(
    [1, 2].map((number) => read(number, "SELECT $1::int FROM locked", "locked")),
  );
  await holder.query("ROLLBACK; DROP TABLE locked");
  holder.release();
  expect(results).toMatchObject([{ reason: TOO_SLOW }, { reason: TOO_SLOW }]);
});

test("reads end with a code and seconds when the database stops answering", async () => {
  const { connections } = connectionsOf(1, { query_timeout: 500 });
  const send = (text: string) => connections.query({ name: text, text, values: [1] });
  await whileReadsWait(async () => {
    expect(await Promise.allSettled([send(LOCKED), send(FREE)])).toMatchObject([
      { reason: TOO_SLOW },
      { reason: TOO_SLOW },
    ]);
  });
  expect(await send(FREE)).toEqual([{ number: 1 }]);
});

test("when the oldest read of every connection waits, further reads share them", async () => {
  const { connections, pool } = connectionsOf(2);
  const waiting = await whileReadsWait(async () => {
    const send = () => connections.query({ name: "read", text: LOCKED, values: [1] });
    const reads = [send()];
    for (const waiting of [1, 2, 2]) {
      await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(waiting);
      reads.push(send(), send());
    }
    return reads;
  });
  expect((await Promise.all(waiting)).flat()).toHaveLength(7);
  expect(pool.totalCount).toBe(2);
});

test("a few concurrent reads share one connection", async () => {
  open();
  const reads = await whileReadsWait(async () => Array.from({ length: 8 }, (_, number) => read(number)));
  await Promise.all(reads);
  expect(await countOpen()).toBe(1);
});

test("a failed read affects no read before or after it", async () => {
  open();
  const failing = () => read(0, "SELECT 1 / $1::int AS number", "divide");
  const results = await Promise.allSettled([failing(), read(1), failing(), read(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(results[0]).toMatchObject({ reason: { code: "22012" } });
});

test("reads on a terminated connection fail, and later reads use another", async () => {
  open();
  const waiting = await whileReadsWait(async () => {
    const reads = Promise.allSettled([read(1), read(2)]);
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(1);
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reads' AND wait_event_type = 'Lock'",
    );
    return { results: await reads };
  });
  expect(waiting.results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(read(3)).resolves.toMatchObject([{ number: 3 }]);
});

test("a statement that exceeds its timeout is canceled, and the reads behind it run", async () => {
  open({ statementTimeoutMs: 300 });
  const results = await whileReadsWait(() => Promise.allSettled([read(1), read(2, FREE, "free")]));
  expect(results).toMatchObject([{ reason: TOO_SLOW }, { value: [{ number: 2 }] }]);
});

test("reads wait only until the timeout for a database that cannot be reached", async () => {
  open({ url: "postgres://nobody:nothing@127.0.0.1:1/none", connectTimeoutMs: 500 });
  const results = await Promise.allSettled([read(1), read(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
