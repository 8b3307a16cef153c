import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "../../apps/server/src/platform/database.ts";
import { applyMigrations, MIGRATIONS_FOLDER } from "../../apps/server/src/platform/migrations.ts";
import { prepareTaskQueues } from "../../apps/server/src/worker/boss.ts";
import { testDatabase } from "../../packages/testkit/src/index.ts";
import type { RecordedCall, RecordedRelease } from "./release.ts";
import { multiplyPosts, storeRows } from "./replay.ts";

/** Of each recorded post. */
const COPIES = 250;

/** A database as the previous release leaves it. */
export interface PreviousDatabase {
  readonly url: string;
  /** Its migrations. */
  readonly folder: string;
  drop(): Promise<void>;
}

export async function createPreviousDatabase(release: RecordedRelease): Promise<PreviousDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-migrations-"));
  const { url, drop } = await testDatabase({ migrated: false });
  for (const name of await migrationNames()) {
    if (name <= release.migration) await cp(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
  }
  await applyMigrations(url, folder);
  const { pool, close } = openDatabase({ url, poolSize: 2 });
  await prepareTaskQueues(pool);
  await close();
  await withClient(url, async (client) => {
    await storeRows(client, release);
    await multiplyPosts(client, COPIES);
  });
  return {
    url,
    folder,
    drop: async () => {
      await rm(folder, { recursive: true, force: true });
      await drop();
    },
  };
}

export async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{14}_/.test(name)).toSorted();
}

export async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** One lane writes, for writers of one account take turns anyway; the others read. */
export function lanesOf({ calls }: RecordedRelease): readonly (readonly RecordedCall[])[] {
  const isRead = ({ statements }: RecordedCall) =>
    statements.every(({ text }) => /^SELECT\b/i.test(text) && !/FOR UPDATE|advisory/.test(text));
  const reads = calls.filter(isRead);
  return [calls, reads, reads];
}
