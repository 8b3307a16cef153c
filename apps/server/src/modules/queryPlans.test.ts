import { beforeAll, expect, test } from "vitest";
import { findAccessRow, findAccessRows } from "./connections/store.ts";
import { findContentItem, findContentPage } from "./content/store.ts";
import { application, connect, service } from "./testing/applicationOfFile.ts";
import { fillTables, tablesScanned } from "./testing/manyRows.ts";
import type { TestService } from "./testing/testService.ts";

let connectionId: string;

beforeAll(async () => {
  connectionId = (await connect()).id;
  await fillTables(service.pool);
});

/** Runs a read and explains each of its statements. */
async function scannedTables(read: (pool: TestService["pool"]) => Promise<unknown>): Promise<string[]> {
  const scanned: string[] = [];
  const explaining = Object.assign(Object.create(service.pool), {
    query: async (statement: { text: string; values: unknown[] }) => {
      scanned.push(...(await tablesScanned(service.pool, statement.text, statement.values)));
      return service.pool.query({ text: statement.text, values: statement.values });
    },
  });
  await read(explaining);
  return scanned;
}

const window = { publishedAfter: new Date(Date.UTC(2020, 0)), publishedBefore: new Date(Date.UTC(2040, 0)) };
const page = { first: 50, oldestServed: new Date(Date.UTC(2020, 0)) };
const position = { publishedAt: new Date(Date.UTC(2039, 0)), id: "00000000-0000-0000-0000-000000000000" };

test.each([
  ["one connection", (pool) => findAccessRow(pool, application.id, application.scope, connectionId)],
  ["a subject's connections", (pool) => findAccessRows(pool, application.id, application.scope, 20, null)],
  [
    "the first page of content",
    (pool) => findContentPage(pool, application.id, application.scope, connectionId, window, { ...page, after: null }),
  ],
  [
    "the next page of content",
    (pool) =>
      findContentPage(pool, application.id, application.scope, connectionId, window, { ...page, after: position }),
  ],
  ["one post", (pool) => findContentItem(pool, application.id, application.scope, connectionId, "post-1")],
] as [string, (pool: TestService["pool"]) => Promise<unknown>][])(
  "reading %s scans no table that grows",
  async (_, read) => {
    expect(await scannedTables(read)).toEqual([]);
  },
);

test("a read with a scan is detected", async () => {
  const read = (pool: TestService["pool"]) =>
    pool.query({ text: "SELECT * FROM content_item WHERE title = $1", values: ["x"] });
  expect(await scannedTables(read as never)).toEqual(["content_item"]);
});
