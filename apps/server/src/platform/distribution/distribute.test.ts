import { testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { readDistribution } from "./cluster.ts";
import { distribute } from "./distribute.ts";
import { rebalance } from "./rebalance.ts";

let url: string;

beforeAll(async () => {
  const database = await testDatabase();
  ({ url } = database);
  return database.drop;
});

test("a database without Citus is refused with the remedy, and remains unchanged", async () => {
  const lines: string[] = [];
  const onProgress = (line: string) => void lines.push(line);
  for (const attempt of [
    () => distribute(url, { onProgress }),
    () => distribute(url, { isDryRun: true, onProgress }),
    () => rebalance(url, onProgress),
    () => readDistribution(url),
  ]) {
    await expect(attempt()).rejects.toThrow(/does not have the extension Citus.*(?:Install it|CREATE EXTENSION citus)/);
  }
  expect(lines).toEqual([]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT to_regclass('distribution_foreign_key') AS kept, (SELECT count(*)::int FROM pg_proc WHERE proname = 'enum_label') AS casts",
  );
  await client.end();
  expect(rows).toEqual([{ kept: null, casts: 0 }]);
});
