import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { folder, useFolderPerTest } from "../testing/folderPerTest.ts";
import { deployWithPrisma } from "../testing/schemaEngine.ts";
import { applyMigrations, MIGRATIONS_FOLDER, pendingMigrations } from "./migrations.ts";
import { withMigrationTurn } from "./migrationTurn.ts";

useFolderPerTest();

/** Long enough for any machine, where a test expects no timeout. */
const PATIENT = { lockTimeoutMs: 60_000, delayMs: 1 };

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await testDatabase({ migrated: false });
  onTestFinished(drop);
  return url;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function writeMigrations(migrations: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "migration.sql"), sql);
  }
}

const TABLE = "CREATE TABLE post (id int, connection_id int);";
const INDEX =
  '-- no transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "post_idx" ON "post"("connection_id");';

async function validityOf(client: pg.Client, index: string): Promise<boolean | undefined> {
  const { rows } = await client.query("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)", [index]);
  return rows[0]?.indisvalid;
}

test("agrees with Prisma Migrate about what is applied, in both directions", async () => {
  const [own, prismas] = [await emptyDatabase(), await emptyDatabase()];
  const names = await applyMigrations(own);
  expect(names.length).toBeGreaterThan(0);
  expect(await deployWithPrisma(own, MIGRATIONS_FOLDER)).toEqual([]);
  expect(await deployWithPrisma(prismas, MIGRATIONS_FOLDER)).toEqual(names);
  expect(await applyMigrations(prismas)).toEqual([]);
  const recordOf = async (url: string) => {
    const client = await connect(url);
    const { rows } = await client.query(
      `SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, finished_at >= started_at AS finished
         FROM _prisma_migrations ORDER BY migration_name`,
    );
    return rows;
  };
  expect(await recordOf(own)).toEqual(await recordOf(prismas));
});

test("lists pending migrations without changing the database, and ignores those of a later version", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": TABLE });
  expect(await pendingMigrations(url, folder)).toEqual(["1_table"]);
  const client = await connect(url);
  expect((await client.query("SELECT to_regclass('_prisma_migrations') AS record")).rows).toEqual([{ record: null }]);
  expect(await applyMigrations(url, folder)).toEqual(["1_table"]);
  await client.query("UPDATE _prisma_migrations SET migration_name = '2_later'");
  await client.query("DROP TABLE post");
  expect(await applyMigrations(url, folder)).toEqual(["1_table"]);
});

test("a failed migration changes nothing and is not recorded; a failure of Prisma's own command stops the start", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": `${TABLE} SELECT 1 / 0;` });
  await expect(applyMigrations(url, folder)).rejects.toThrow(/1_table: division by zero/);
  const client = await connect(url);
  expect((await client.query("SELECT to_regclass('post') AS post")).rows).toEqual([{ post: null }]);
  expect(await pendingMigrations(url, folder)).toEqual(["1_table"]);
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ('1', '', '1_table', now())",
  );
  await expect(applyMigrations(url, folder)).rejects.toThrow(/1_table failed under Prisma's own command/);
});

test("names who may migrate if a user may not create tables", async () => {
  const url = new URL(await emptyDatabase());
  url.searchParams.set("options", "-c role=pg_read_all_data");
  await expect(applyMigrations(url.href)).rejects.toThrow(/permission denied.+ as the owner .+ MIGRATE=off/);
});

test("gives up its place in the queue for a lock, so that readers pass, and tries again", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": TABLE });
  await applyMigrations(url, folder);
  await writeMigrations({ "2_column": "ALTER TABLE post ADD COLUMN title text;" });
  const [holder, reader] = [await connect(url), await connect(url)];
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE post IN ACCESS SHARE MODE");
  const bounded = applyMigrations(url, folder, { lockTimeoutMs: 50, tries: 2, delayMs: 1 });
  await expect(bounded).rejects.toThrow(/2_column: .*lock timeout\. A transaction holds the lock for long: end it/);

  const waits: string[] = [];
  const patient = applyMigrations(url, folder, {
    lockTimeoutMs: 50,
    tries: 10_000,
    delayMs: 20,
    onWait: (line) => void waits.push(line),
  });
  await eventually(async () => expect(waits).toEqual([expect.stringMatching(/2_column: .*lock.* It is repeated/)]));
  const isWaiting = () => reader.query("SELECT 1 FROM pg_locks WHERE relation = 'post'::regclass AND NOT granted");
  await eventually(async () => expect((await isWaiting()).rowCount).toBe(1));
  // Behind a lock request that did not time out, this would wait for the holder.
  expect((await reader.query("SELECT 1 FROM post")).rowCount).toBe(0);
  await holder.query("COMMIT");
  expect(await patient).toEqual(["2_column"]);
});

test("drops an invalid index that a failed try left, and builds it again", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": `${TABLE} INSERT INTO post VALUES (1, 7), (2, 7);`, "2_index": INDEX });
  await expect(applyMigrations(url, folder)).rejects.toThrow(/2_index: .*unique/);
  const client = await connect(url);
  expect(await validityOf(client, "post_idx")).toBe(false);
  await client.query("DELETE FROM post WHERE id = 2");
  expect(await applyMigrations(url, folder)).toEqual(["2_index"]);
  expect(await validityOf(client, "post_idx")).toBe(true);
});

test("finds the invalid index however its statement is written", async () => {
  const url = await emptyDatabase();
  await writeMigrations({
    "1_table": `${TABLE} INSERT INTO post VALUES (1, 7), (2, 7);`,
    "2_index":
      "-- no transaction\n-- For connections.\ncreate unique index\n  concurrently if not exists Post_Idx on post (connection_id);",
  });
  await expect(applyMigrations(url, folder)).rejects.toThrow(/2_index: .*unique/);
  const client = await connect(url);
  await client.query("DELETE FROM post WHERE id = 2");
  expect(await validityOf(client, "post_idx")).toBe(false);
  expect(await applyMigrations(url, folder)).toEqual(["2_index"]);
  expect(await validityOf(client, "post_idx")).toBe(true);
});

test("records an index whose process was killed after it was built", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": TABLE, "2_index": INDEX });
  await applyMigrations(url, folder);
  const client = await connect(url);
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name = '2_index'");
  expect(await applyMigrations(url, folder)).toEqual(["2_index"]);
  expect(await validityOf(client, "post_idx")).toBe(true);
});

test("processes that start together take turns while one builds an index", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": TABLE, "2_index": INDEX });
  const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(url, folder, PATIENT)));
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([["1_table", "2_index"], [], []]);
});

test("refuses a database with types or tables that no migration of it made", async () => {
  const url = await emptyDatabase();
  await (await connect(url)).query("CREATE TYPE social_provider AS ENUM ('PROVIDER_A')");
  await expect(applyMigrations(url)).rejects.toThrow(
    /already exists\. The database has types or tables .* empty database/,
  );
});

test("says once for which process it waits, and nothing without a wait", async () => {
  const url = await emptyDatabase();
  await writeMigrations({ "1_table": TABLE });
  const waits: string[] = [];
  const onWait = (line: string) => void waits.push(line);
  await applyMigrations(url, folder, { onWait });
  expect(waits).toEqual([]);
  await writeMigrations({ "2_column": "ALTER TABLE post ADD COLUMN title text;" });
  const waiting = await withMigrationTurn(url, async (holder) => {
    const { rows } = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const applied = applyMigrations(url, folder, { onWait });
    const line = new RegExp(`^Another process migrates.*\\(backend ${rows[0]?.pid} of .*\\)\\. This process waits`);
    await eventually(async () => expect(waits).toEqual([expect.stringMatching(line)]));
    return { applied };
  });
  expect(await waiting.applied).toEqual(["2_column"]);
  expect(waits).toHaveLength(1);
});
