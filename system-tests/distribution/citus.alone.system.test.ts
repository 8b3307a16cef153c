/**
 * Checks on a Citus cluster what the conformance suite does not: `SWEEP=all pnpm test:system citus`.
 *
 * - `social-connect distribute` on a filled database, killed and run again
 * - each hot statement is one task
 * - after an erasure no node contains data of the account
 * - a worker is added, shards are moved to it and an application is isolated, while calls and scans run, without a failed call
 * - migrations after the distribution
 *
 * Skipped if no PostgreSQL with the extension is installed.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Check } from "../../benchmarks/src/results/report.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { type CitusCluster, findCitus, startCitus } from "../../tools/citus.ts";
import { makeLaterRelease } from "../deployment/laterRelease.ts";
import { runCommand } from "../deployment/runCommand.ts";
import { fillDatabase } from "./filledDatabase.ts";
import { serve } from "./servedCluster.ts";

/** The first row of the page's table. */
const PAGE = new URL("../../docs/operations/citus.md", import.meta.url);
const [ROW = ""] = /^.*\| distributed by `application_id`/m.exec(await readFile(PAGE, "utf8")) ?? [];
const DISTRIBUTED_TABLES = [...ROW.matchAll(/`(\w+)`(?=[, ]+[`|])/g)].map(([, name = ""]) => name);

const HANGS_AFTER_MS = 3_600_000;

test.skipIf(!SWEEPS_ALL || findCitus() === null)(
  "the service is distributed, used, erased from, extended and migrated on a Citus cluster",
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "social-connect-citus-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using cluster = await startCitus();
    const checks = [
      ...(await distributeFilled(cluster)),
      ...(await serve(cluster, DISTRIBUTED_TABLES)),
      ...(await migrateDistributed(cluster, join(folder, "later"))),
    ];
    expect(checks.filter(({ isMet }) => !isMet)).toEqual([]);
  },
  HANGS_AFTER_MS,
);

async function distributeFilled({ coordinator: { url } }: CitusCluster): Promise<Check[]> {
  await runCommand(url, ["migrate"]);
  await fillDatabase(url);
  const before = await contentOf(url);
  const early = await runCommand(url, ["distribute", "--rebalance"]);
  await runStatement(url, "ALTER ROLE CURRENT_USER SET statement_timeout = '1h'");
  const limited = await runCommand(url, ["distribute"]);
  await runStatement(url, "ALTER ROLE CURRENT_USER RESET statement_timeout");
  const moved = await runCommand(url, ["distribute", "--coordinator", "127.0.0.1:1"]);
  const unchanged = await runStatement(url, "SELECT 1 FROM citus_tables");
  const killed = await runCommand(url, ["distribute"], { killAt: /distribute content_item/ });
  const between = await contentOf(url);
  const finished = await runCommand(url, ["distribute"]);
  const after = await contentOf(url);
  const again = await runCommand(url, ["distribute", "--dry-run"]);
  const reshard = await runCommand(url, ["distribute", "--shards", "16"]);
  const kinds = await runStatement<{ name: string }>(
    url,
    "SELECT table_name::text AS name FROM citus_tables WHERE citus_table_type = 'distributed'",
  );
  const keys = await runStatement<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_constraint
      WHERE contype = 'f' AND conrelid = ANY ($1::regclass[]) AND connamespace = 'public'::regnamespace`,
    [[...DISTRIBUTED_TABLES]],
  );
  // The filled rows have no sealed values, and a service that starts inspects these.
  await runStatement(url, "TRUNCATE application, provider_registration CASCADE");
  return [
    { name: "tables that are not distributed are not rebalanced", isMet: early === 1 },
    {
      name: "timeouts on the workers and another address of the coordinator are refused before anything changes",
      isMet: limited === 1 && moved === 1 && unchanged.length === 0,
    },
    { name: "distribute was killed and then finished by a second run", isMet: killed === null && finished === 0 },
    { name: "another number of shards is refused", isMet: reshard === 1 },
    { name: "a run after that has nothing to do", isMet: again === 0 },
    {
      name: "no row was lost or changed, also while it was interrupted",
      isMet: before === between && before === after,
    },
    { name: "all tables that grow are distributed", isMet: kinds.length === DISTRIBUTED_TABLES.length },
    { name: "foreign keys are restored", isMet: (keys[0]?.count ?? 0) >= DISTRIBUTED_TABLES.length },
  ];
}

/** Number and hash of the rows of each table. */
async function contentOf(url: string): Promise<string> {
  const contents: string[] = [];
  for (const table of DISTRIBUTED_TABLES) {
    const [row] = await runStatement<{ content: string }>(
      url,
      `SELECT concat(count(*), ' ', sum(hash)) AS content FROM (SELECT hashtext(t::text)::bigint AS hash FROM ${table} AS t) hashes`,
    );
    contents.push(`${table} ${row?.content}`);
  }
  return contents.join(", ");
}

/** What migrations of later releases do, in the form that the linter for migrations requires. */
const LATER_MIGRATIONS = {
  "29990101000000_column": `ALTER TABLE "content_item" ADD COLUMN "later" text;`,
  "29990101000001_column_with_default": `ALTER TABLE "connection" ADD COLUMN "later" integer NOT NULL DEFAULT 7;`,
  "29990101000002_index": `-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "content_item_later_idx" ON "content_item"("application_id", "later");`,
  "29990101000003_check": `ALTER TABLE "content_item" ADD CONSTRAINT "content_item_later_check" CHECK (later <> '') NOT VALID;`,
  "29990101000004_check_valid": `ALTER TABLE "content_item" VALIDATE CONSTRAINT "content_item_later_check";`,
  "29990101000005_table": `CREATE TABLE "later" ("id" uuid PRIMARY KEY);`,
  "29990101000006_enum": `ALTER TYPE "job_kind" ADD VALUE 'LATER';`,
  "29990101000007_drop_index": `-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS "content_item_later_idx";`,
  "29990101000008_drop_columns": `ALTER TABLE "content_item" DROP COLUMN "later";`,
  "29990101000009_enum_type": `CREATE TYPE "later_kind" AS ENUM ('A', 'B');`,
};

async function migrateDistributed({ coordinator: { url } }: CitusCluster, folder: string): Promise<Check[]> {
  const command = await makeLaterRelease(folder, LATER_MIGRATIONS);
  const migrated = await runCommand(url, ["migrate"], { command });
  const shards = await runStatement<{ values: string }>(
    url,
    `SELECT DISTINCT result AS values FROM run_command_on_shards('connection', 'SELECT coalesce(min(later), 7) FROM %s')`,
  );
  const [cast] = await runStatement<{ count: number }>(
    url,
    "SELECT count(*)::int AS count FROM pg_cast WHERE castsource = 'later_kind'::regtype AND casttarget = 'text'::regtype",
  );
  return [
    { name: "an enum of a later migration has the cast that RETURNING needs", isMet: cast?.count === 1 },
    {
      name: "migrations change all shards of a distributed database",
      isMet: migrated === 0 && shards.length === 1 && shards[0]?.values === "7",
    },
  ];
}
