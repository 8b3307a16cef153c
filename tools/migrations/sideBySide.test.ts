import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { PURGE_SWEEPS } from "../../apps/server/src/modules/retention/purge.ts";
import { createApplication, createRegistrations } from "../../apps/server/src/modules/testing/builders.ts";
import { refresh } from "../../apps/server/src/modules/testing/calls.ts";
import { createConnection, postsOf } from "../../apps/server/src/modules/testing/connections.ts";
import { runToEnd } from "../../apps/server/src/modules/testing/runToEnd.ts";
import { runScan } from "../../apps/server/src/modules/testing/tasks.ts";
import { startTestService } from "../../apps/server/src/modules/testing/testService.ts";
import { openDatabase } from "../../apps/server/src/platform/database.ts";
import { applyMigrations, MIGRATIONS_FOLDER, NO_TRANSACTION } from "../../apps/server/src/platform/migrations.ts";
import { eventually, PATIENCE_MS } from "../../packages/testkit/src/index.ts";
import { readMigrationFiles } from "./migrationFiles.ts";
import { createPreviousDatabase, lanesOf, migrationNames, withClient } from "./previousDatabase.ts";
import type { RecordedRelease } from "./release.ts";
import { readRelease } from "./release.ts";
import { Replay } from "./replay.ts";

/** Calls that each lane completes before, during and after the migration. */
const ROUNDS = 100;

let release: RecordedRelease;
let folder: string;
let url: string;

beforeEach(async () => {
  release = await readRelease();
  const database = await createPreviousDatabase(release);
  onTestFinished(database.drop);
  ({ url, folder } = database);
  expect(lanesOf(release)[1]?.length).toBeGreaterThan(4);
});

async function completedMore(replay: Replay): Promise<void> {
  const from = replay.completed;
  await eventually(async () => expect(replay.completed - from).toBeGreaterThan(ROUNDS));
}

test("the previous release runs beside this one over the migration, without an error and without a wait of two seconds", async () => {
  const pending = (await migrationNames()).filter((name) => name > release.migration);
  expect(release.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(["content", "a scan", "an erasure"]));
  const replay = new Replay(url, lanesOf(release));
  await completedMore(replay);
  expect(await applyMigrations(url)).toEqual(pending);
  await completedMore(replay);

  // This release writes and reads the same tables while the previous one runs.
  const { pool, prisma, hotReads, close } = openDatabase({ url, poolSize: 4 });
  const service = await startTestService({ pool, prisma, hotReads });
  try {
    service.clock.set(new Date().toISOString());
    const registrations = await createRegistrations(service);
    const application = await createApplication(service, "beside");
    const connection = await createConnection(service, application, registrations);
    service.fakes.PROVIDER_A.posts = postsOf(20, service.clock.current);
    await runScan(service, (await refresh(service, application, connection)).id);
    await runToEnd(service, PURGE_SWEEPS);
    expect(await prisma.contentItem.count({ where: { connectionId: connection.id } })).toBe(20);
  } finally {
    await close();
    await service.close();
  }
  await completedMore(replay);
  await replay.stop();
  expect(replay.failures).toEqual([]);
});

/** Held by the test, so that a migration waits for as long as the test needs. */
const GATE = 1;

test.each([
  [
    "keeps writers waiting",
    `CREATE INDEX "slow_idx" ON "content_item"("title"); SELECT pg_advisory_xact_lock(${GATE});`,
    /lock timeout/,
  ],
  [
    "drops what the previous release reads",
    'ALTER TABLE "content_item" DROP COLUMN "title";',
    /title.* does not exist/,
  ],
])("control: a migration that %s is noticed", async (_, sql, message) => {
  await mkdir(join(folder, "99999999999999_unsafe"));
  await writeFile(join(folder, "99999999999999_unsafe", "migration.sql"), sql);
  const replay = new Replay(url, lanesOf(release));
  await completedMore(replay);
  await withClient(url, async (gate) => {
    await gate.query("SELECT pg_advisory_lock($1)", [GATE]);
    const migrated = applyMigrations(url, folder, { lockTimeoutMs: PATIENCE_MS });
    await eventually(async () => expect(replay.failures.length).toBeGreaterThan(0));
    await gate.query("SELECT pg_advisory_unlock($1)", [GATE]);
    await migrated;
  });
  await replay.stop();
  expect(replay.failures[0]?.message).toMatch(message);
});

test("a migration outside a transaction is repeated if its process was killed before it was recorded", async () => {
  const names = await applyMigrations(url);
  const files = (await readMigrationFiles(MIGRATIONS_FOLDER)).filter(({ name }) => names.includes(name));
  const outside = files.filter(({ sql }) => sql.startsWith(NO_TRANSACTION)).map(({ name }) => name);
  await withClient(url, (client) =>
    client.query("DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)", [outside]),
  );
  expect(await applyMigrations(url)).toEqual(outside);
});
