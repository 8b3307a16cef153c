import { runStatement, testDatabase } from "@social-connect/testkit";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  COORDINATOR_TABLES,
  DISTRIBUTED_TABLES,
  DISTRIBUTION_COLUMN,
  REFERENCE_TABLES,
} from "../../src/platform/distribution/tables.ts";

let url: string;

beforeAll(async () => {
  const database = await testDatabase();
  ({ url } = database);
  return database.drop;
});

test("each table is distributed, copied to every node, or stays on the coordinator", async () => {
  const rows = await runStatement<{ name: string }>(
    url,
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  const known = [...DISTRIBUTED_TABLES, ...REFERENCE_TABLES, ...COORDINATOR_TABLES];
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

/** What Citus refuses on a distributed table. */
async function problems(): Promise<string[]> {
  const found: string[] = [];
  const distributed: readonly string[] = DISTRIBUTED_TABLES;
  const unique = await runStatement<{ table: string; name: string; columns: string[] }>(
    url,
    `SELECT i.indrelid::regclass::text AS "table", i.indexrelid::regclass::text AS name,
            array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid
      WHERE i.indisunique AND i.indrelid = ANY ($1::regclass[]) GROUP BY 1, 2`,
    [distributed],
  );
  for (const { table, name, columns } of unique) {
    if (columns.includes(DISTRIBUTION_COLUMN)) continue;
    found.push(`the unique index ${name} of ${table} lacks ${DISTRIBUTION_COLUMN}`);
  }
  const keyed = new Set(unique.map(({ table }) => table));
  for (const table of distributed) if (!keyed.has(table)) found.push(`${table} has no key`);
  const foreign = await runStatement<{
    table: string;
    name: string;
    refersTo: string;
    columns: string[];
    onUpdate: string;
  }>(
    url,
    `SELECT c.conrelid::regclass::text AS "table", c.conname::text AS name, c.confrelid::regclass::text AS "refersTo",
            confupdtype::text AS "onUpdate", array_agg(a.attname::text) AS columns
       FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
      WHERE c.contype = 'f' AND (c.conrelid = ANY ($1::regclass[]) OR c.confrelid = ANY ($1::regclass[]))
      GROUP BY c.oid`,
    [distributed],
  );
  for (const { table, name, refersTo, columns, onUpdate } of foreign) {
    if (!distributed.includes(table)) found.push(`${name} of ${table} refers to the distributed table ${refersTo}`);
    else if (distributed.includes(refersTo)) {
      if (!columns.includes(DISTRIBUTION_COLUMN)) found.push(`${name} of ${table} lacks ${DISTRIBUTION_COLUMN}`);
    } else if (!REFERENCE_TABLES.some((reference) => reference === refersTo)) {
      found.push(`${name} of ${table} refers to ${refersTo}, which is only on the coordinator`);
    }
    if (columns.includes(DISTRIBUTION_COLUMN) && onUpdate !== "a")
      found.push(`${name} of ${table} has an ON UPDATE action`);
  }
  const triggers = await runStatement<{ table: string; name: string }>(
    url,
    `SELECT tgrelid::regclass::text AS "table", tgname::text AS name FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid = ANY ($1::regclass[])`,
    [distributed],
  );
  for (const { table, name } of triggers) found.push(`${table} has the trigger ${name}`);
  return found;
}

test("each key of a table that grows contains the application, so that Citus can distribute it", async () => {
  expect(await problems()).toEqual([]);
});

test.each([
  [
    "CREATE UNIQUE INDEX later ON job (scope_hash)",
    "DROP INDEX later",
    "the unique index later of job lacks application_id",
  ],
  [
    "ALTER TABLE job ADD CONSTRAINT later FOREIGN KEY (connection_id, application_id) REFERENCES connection (id, application_id) ON UPDATE CASCADE",
    "ALTER TABLE job DROP CONSTRAINT later",
    "later of job has an ON UPDATE action",
  ],
  [
    "ALTER TABLE tester ADD connection_id uuid, ADD CONSTRAINT later FOREIGN KEY (connection_id, application_id) REFERENCES connection (id, application_id)",
    "ALTER TABLE tester DROP connection_id",
    "later of tester refers to the distributed table connection",
  ],
])("control: %s", async (change, undo, problem) => {
  await runStatement(url, change);
  onTestFinished(async () => void (await runStatement(url, undo)));
  expect(await problems()).toEqual([problem]);
});
