import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestDatabase } from "./database.ts";
import { testDatabase } from "./database.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([testDatabase(), testDatabase()]);
});

afterAll(() => Promise.all([first.drop(), second.drop()]));

test("migrates each test database and isolates it from the others", async () => {
  await query(first, "INSERT INTO clock_offset (id, offset_ms) VALUES (1, 5)");
  expect(await query(first, "SELECT offset_ms FROM clock_offset")).toEqual([{ offset_ms: "5" }]);
  expect(await query(second, "SELECT offset_ms FROM clock_offset")).toEqual([]);
});

test("drops a database with open connections", async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on("error", () => undefined);
  await client.connect();
  await database.drop();
  await expect(client.query("SELECT 1")).rejects.toThrow();
  await expect(query(database, "SELECT 1")).rejects.toThrow(/does not exist/);
});

async function query(database: TestDatabase, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
