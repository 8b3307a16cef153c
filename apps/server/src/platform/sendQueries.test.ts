import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TestDatabase } from "@social-connect/testkit";
import { testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sendQueries } from "./sendQueries.ts";

let testbed: TestDatabase;
let client: pg.Client | undefined;

beforeAll(async () => {
  testbed = await testDatabase();
});
afterEach(() => client?.end());
afterAll(() => testbed.drop());

/** Without `unansweredMs` it is a client of pg. */
async function connect(unansweredMs?: number, config: pg.ClientConfig = {}): Promise<pg.Client> {
  client = new pg.Client({ connectionString: testbed.url, ...config });
  client.on("error", () => undefined);
  if (unansweredMs !== undefined) sendQueries(client, unansweredMs);
  await client.connect();
  return client;
}

const UNANSWERED_MS = 60_000;

test("returns what pg returns, for each form of a call", async () => {
  const sent = await connect(UNANSWERED_MS);
  const text = "SELECT $1::int AS number, '{2}'::int[] AS list";
  const rows = [{ number: 1, list: [2] }];
  expect((await sent.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect((await sent.query(text, [1])).rows).toEqual(rows);
  expect((await sent.query({ text, values: [1] })).rows).toEqual(rows);
  expect((await sent.query({ text }, [1])).rows).toEqual(rows);
  expect((await sent.query({ name: "named", text, values: [1] })).rows).toEqual(rows);
  expect((await sent.query({ name: "named", text, values: [3] })).rows).toEqual([{ number: 3, list: [2] }]);
  expect((await sent.query({ text, values: [1], rowMode: "array" })).rows).toEqual([[1, [2]]]);
  const types = { getTypeParser: () => (value: string) => `<${value}>` } as unknown as pg.CustomTypesConfig;
  expect((await sent.query({ text, values: [1], types })).rows).toEqual([{ number: "<1>", list: "<{2}>" }]);
  const names = await sent.query<{ name: string }>("SELECT name FROM pg_prepared_statements");
  expect(names.rows).toEqual([{ name: "named" }]);
  const callback = new Promise((resolve, reject) => {
    sent.query(text, [1], (error, result) => (error ? reject(error) : resolve(result.rows)));
  });
  expect(await callback).toEqual(rows);
  const submitted = await new Promise((resolve) => {
    sent.query(new pg.Query(text, [1], (_, result) => resolve((result as unknown as pg.QueryResult).rows)));
  });
  expect(submitted).toEqual(rows);
});

test("an error of a statement has the stack of its caller, and the connection remains usable", async () => {
  const sent = await connect(UNANSWERED_MS);
  const error = await sent.query("SELECT 1 / 0").catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: "22012" });
  expect((error as Error).stack).toContain("sendQueries.test.ts");
  await expect(sent.query({ text: "SELECT $1::int", values: [1] })).resolves.toMatchObject({ rowCount: 1 });
});

test.each([false, true])("closes a connection that does not respond, with pipeline %s", async (pipeline) => {
  const sent = await connect(200, { pipeline });
  const message = "The database did not respond within 200 ms.";
  const [blocked, behind] = [sent.query("SELECT pg_sleep(300)"), sent.query("SELECT 1")];
  await expect(blocked).rejects.toThrow(message);
  await expect(behind).rejects.toThrow(message);
  await expect(sent.query("SELECT 1")).rejects.toThrow("not queryable");
});

/** How much the old generation grows by statements, in bytes, each of whose rows take some 40 KB. */
async function growthOf(sent: pg.Client): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { readonly type: "minor" | "major" }) => void;
  setFlagsFromString("--no-expose-gc");
  const used = () => getHeapSpaceStatistics().find((space) => space.space_name === "old_space")?.space_used_size ?? 0;
  const read = () => sent.query("SELECT i, i + 1 AS next, i + 2 AS after FROM generate_series(1, 500) i");
  await read();
  collect({ type: "major" });
  const before = used();
  for (let round = 0; round < 200; round += 1) {
    await read();
    // Moves what survived the collection of the round before, whose rows are no longer used.
    collect({ type: "minor" });
  }
  return used() - before;
}

test("rows are garbage when their statement is done, without a complete collection; with pg they are not", async () => {
  const [ours, own] = [await connect(UNANSWERED_MS), new pg.Client({ connectionString: testbed.url })];
  await own.connect();
  try {
    const [growth, ownGrowth] = [await growthOf(ours), await growthOf(own)];
    expect(ownGrowth).toBeGreaterThan(4_000_000);
    expect(growth).toBeLessThan(1_000_000);
  } finally {
    await own.end();
  }
});
