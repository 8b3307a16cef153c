import type { TestDatabase } from "@social-connect/testkit";
import { testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "./database.ts";
import { openDatabase } from "./database.ts";
import { ReadConnections } from "./readConnections.ts";
import type { Trail } from "./trail.ts";
import { currentTrail, onTrail } from "./trail.ts";

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

const read = (number: number, text = LOCKED, name = "read", owner = "a") =>
  database.hotReads.query<{ number: number }>({ name, operation: name, owner, text, values: [number] });

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

test("many concurrent reads share four connections, and each gets its own result", async () => {
  open();
  const rows = (await Promise.all(Array.from({ length: 100 }, (_, number) => read(number, FREE, "free")))).flat();
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, number) => number));
  expect(await countOpen()).toBeLessThanOrEqual(4);
});

test("a blocked operation waits on one connection, while other operations use another", async () => {
  open();
  const { connectionString } = database.pool.options;
  const pool = new pg.Pool({ connectionString, application_name: "reads", max: 4, pipeline: true });
  const connections = new ReadConnections(pool, 0);
  const blocked = await whileReadsWait(async () => {
    const reads = Array.from({ length: 40 }, (_, number) =>
      connections.query({ name: "read", operation: "read", owner: "a", text: LOCKED, values: [number] }),
    );
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBeGreaterThan(0);
    const free = Array.from({ length: 20 }, () =>
      connections.query({ name: "free", operation: "free", owner: "a", text: FREE, values: [3] }),
    );
    expect((await Promise.all(free)).flat()).toHaveLength(20);
    return reads;
  });
  expect((await Promise.all(blocked)).flat()).toHaveLength(40);
  await pool.end();
});

test("a read behind another operation's read that turns out to be blocked gets its result from another connection", async () => {
  open();
  await whileReadsWait(async () => {
    const blocked = Array.from({ length: 5 }, (_, number) => read(number));
    const free = await Promise.all([read(1, FREE, "free"), read(2, FREE, "free")]);
    expect(free).toEqual([[{ number: 1 }], [{ number: 2 }]]);
    return { blocked };
  }).then(({ blocked }) => Promise.all(blocked));
  // It is sent again once, also if every connection is blocked.
  const sentOn: Trail["correlationId"][] = [];
  const pool = new pg.Pool({ connectionString: testbed.url, max: 1, pipeline: true });
  onTestFinished(() => pool.end());
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const noted = (...parameters: unknown[]) => {
      sentOn.push(currentTrail().correlationId);
      return query(...parameters);
    };
    Object.assign(client, { query: noted });
  });
  const connections = new ReadConnections(pool);
  const { results } = await whileReadsWait(async () => {
    const results = ["read", "free"].map((name) =>
      onTrail({ correlationId: name, span: null }, () =>
        connections.query({ name, operation: name, owner: "a", text: name === "read" ? LOCKED : FREE, values: [1] }),
      ),
    );
    await expect.poll(() => sentOn.length).toBe(3);
    return { results };
  });
  expect(await Promise.all(results)).toMatchObject([[{ number: 1 }], [{ number: 1 }]]);
  // The second time, too, for the request that sent it.
  expect(sentOn).toEqual(["read", "free", "free"]);
  // A failure of its first connection is not its result.
  await whileReadsWait(async () => {
    const [blocked, free] = [read(1).catch((error: Error) => error), read(2, FREE, "free")];
    expect(await free).toEqual([{ number: 2 }]);
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reads' AND wait_event_type = 'Lock'",
    );
    expect(await blocked).toBeInstanceOf(Error);
  });
});

test("several operations that one lock blocks delay no other operation", async () => {
  open();
  const { free, blocked } = await whileReadsWait(async () => {
    // Of one turn, so they are sent on one connection before any is known to block.
    const blocked = ["a", "b", "c", "d"].flatMap((name) => [read(1, LOCKED, name), read(2, LOCKED, name)]);
    const free = await Promise.all([read(3, FREE, "free"), read(4, FREE, "free")]);
    const later = await Promise.all(["e", "free"].map((name) => read(5, FREE, name)));
    return { free: [...free, ...later], blocked };
  });
  expect(free.flat().map(({ number }) => number)).toEqual([3, 4, 5, 5]);
  expect((await Promise.all(blocked)).flat()).toHaveLength(8);
});

test("no read of another operation waits behind one whose last read timed out, until it succeeds again", async () => {
  open({ statementTimeoutMs: 300 });
  const { connectionString } = database.pool.options;
  const options = { connectionString, application_name: "reads", max: 4, pipeline: true, statement_timeout: 300 };
  const pool = new pg.Pool(options);
  onTestFinished(() => pool.end());
  // No read becomes blocked by its time.
  const connections = new ReadConnections(pool, 60_000);
  const blocked = () => connections.query({ name: "read", operation: "read", owner: "a", text: LOCKED, values: [1] });
  const free = () => connections.query({ name: "free", operation: "free", owner: "a", text: FREE, values: [2] });
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await whileReadsWait(async () => {
    await expect(blocked()).rejects.toMatchObject({ code: "57014" });
    await Promise.all([blocked().catch(note("timeout")), blocked().catch(note("timeout")), free().then(note("free"))]);
  });
  expect(order[0]).toBe("free");
  await blocked();
  await Promise.all([blocked().then(note("read")), free().then(note("free"))]);
  expect(order.slice(3)).toEqual(["read", "free"]);
});

test("a few concurrent reads share one connection", async () => {
  open();
  const reads = await whileReadsWait(async () => Array.from({ length: 8 }, (_, number) => read(number)));
  await Promise.all(reads);
  expect(await countOpen()).toBe(1);
});

test("a read does not wait behind the many reads of another owner, which share a connection", async () => {
  open();
  const { connectionString } = database.pool.options;
  const pool = new pg.Pool({ connectionString, application_name: "reads", max: 4, pipeline: true });
  onTestFinished(() => pool.end());
  // No read becomes blocked by its time.
  const connections = new ReadConnections(pool, 60_000);
  const send = (owner: string, text: string) =>
    connections.query({ name: text, operation: "read", owner, text, values: [1] });
  const { waiting } = await whileReadsWait(async () => {
    const waiting = Array.from({ length: 16 }, () => send("a", LOCKED));
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(1);
    expect(await send("b", FREE)).toEqual([{ number: 1 }]);
    expect(await countOpen()).toBe(2);
    return { waiting };
  });
  await Promise.all(waiting);
  // Owners with one read each share a connection until it has eight reads.
  const { others } = await whileReadsWait(async () => {
    const others = [send("owner 0", LOCKED)];
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(1);
    for (let owner = 1; owner < 9; owner += 1) others.push(send(`owner ${owner}`, LOCKED));
    await expect.poll(() => countOpen("wait_event_type = 'Lock'")).toBe(2);
    return { others };
  });
  await Promise.all(others);
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
  expect(results).toMatchObject([{ reason: { code: "57014" } }, { value: [{ number: 2 }] }]);
});

test("reads wait only until the timeout for a database that cannot be reached", async () => {
  open({ url: "postgres://nobody:nothing@127.0.0.1:1/none", connectTimeoutMs: 500 });
  const results = await Promise.allSettled([read(1), read(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
