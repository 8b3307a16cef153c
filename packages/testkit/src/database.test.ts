import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runStatement, type TestDatabase, testDatabase } from "./database.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([testDatabase(), testDatabase()]);
});

afterAll(() => Promise.all([first.drop(), second.drop()]));

test("migrates each test database and isolates it from the others", async () => {
  await runStatement(first.url, "INSERT INTO clock_offset (id, offset_ms) VALUES (1, 5)");
  expect(await runStatement(first.url, "SELECT offset_ms FROM clock_offset")).toEqual([{ offset_ms: "5" }]);
  expect(await runStatement(second.url, "SELECT offset_ms FROM clock_offset")).toEqual([]);
});

test("drops a database with open connections", async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on("error", () => undefined);
  await client.connect();
  await database.drop();
  await expect(client.query("SELECT 1")).rejects.toThrow();
  await expect(runStatement(database.url, "SELECT 1")).rejects.toThrow(/does not exist/);
});
