import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { createEnumCasts, hasEnumCasts } from "./enumCasts.ts";
import { type ReportWait, withMigrationTurn } from "./migrationTurn.ts";
import { inTransaction, withSession } from "./session.ts";

/** Three folders up in the source, one up in the build, which is flat in `dist`. */
const PRISMA_FOLDER = fileURLToPath(
  new URL(extname(import.meta.url) === ".ts" ? "../../../prisma" : "../prisma", import.meta.url),
);
export const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, "migrations");
export const SCHEMA_FILE = join(PRISMA_FOLDER, "schema.prisma");

/**
 * First line of a migration that cannot run in a transaction, such as `CREATE INDEX CONCURRENTLY`. It has one statement,
 * which can be repeated: `pnpm lint` checks both.
 */
export const NO_TRANSACTION = "-- no transaction";

export function runsWithoutTransaction(sql: string): boolean {
  return sql.startsWith(`${NO_TRANSACTION}\n`);
}

export interface MigrationOptions {
  /**
   * How long a statement waits for a lock. Statements of the service queue behind it, so it stays below what callers
   * accept, and the migration is retried. It is below PostgreSQL's deadlock_timeout of a second: of a deadlock with a statement
   * of the service, such as over the two tables of a foreign key, the migration ends.
   */
  readonly lockTimeoutMs?: number;
  /** How often a migration is tried that waits too long for a lock. */
  readonly tries?: number;
  readonly delayMs?: number;
  /** Receives a line for each long wait: for another process that migrates, and for a lock. */
  readonly onWait?: ReportWait;
}

/** About six minutes of tries. */
const DEFAULTS: Required<MigrationOptions> = {
  lockTimeoutMs: 800,
  tries: 200,
  delayMs: 1_000,
  onWait: () => undefined,
};

/** The wait for a lock, a deadlock, and a transaction that could not be serialized. */
const TEMPORARY: ReadonlySet<string | undefined> = new Set(["55P03", "40P01", "40001"]);

/** What to do, by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  "42501":
    "Run `social-connect migrate` as the owner of the tables (for a new database, as its owner), and start other users' processes with MIGRATE=off",
  "42710": "The database has types or tables that no migration of this version made: use an empty database",
  "55P03": "A transaction holds the lock for long: end it, then try again",
};

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Applies pending migrations to a database. Concurrent processes take turns. The record is Prisma's own
 * `_prisma_migrations`, so `prisma migrate deploy` agrees with it. Ignores applied migrations that are not in the
 * folder: a later version applied them.
 *
 * @returns names of the applied migrations
 */
export async function applyMigrations(
  url: string,
  folder: string = MIGRATIONS_FOLDER,
  options: MigrationOptions = {},
): Promise<readonly string[]> {
  const { lockTimeoutMs, tries, delayMs, onWait } = { ...DEFAULTS, ...options };
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  for (let count = 1; ; count += 1) {
    try {
      await withMigrationTurn(url, (client) => applyPending(client, migrations, lockTimeoutMs, applied), onWait);
      return applied;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (!TEMPORARY.has(code) || count >= tries) throw error;
      if (count === 2) onWait(`${message}. It is repeated, at most ${tries} times in about six minutes`);
      await setTimeout(delayMs);
    }
  }
}

/** Names of the migrations that a database lacks. Changes nothing. */
export async function pendingMigrations(url: string, folder: string = MIGRATIONS_FOLDER): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  return withSession(url, "migrate", async (client) => {
    const done = await appliedMigrations(client);
    return migrations.map(({ name }) => name).filter((name) => !done.has(name));
  });
}

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  lockTimeoutMs: number,
  applied: string[],
): Promise<void> {
  await explained("the record of migrations", () => client.query(RECORD_TABLE));
  const done = await appliedMigrations(client);
  for (const migration of migrations) {
    if (done.has(migration.name)) continue;
    await explained(migration.name, async () => {
      if (runsWithoutTransaction(migration.sql)) {
        await dropInvalidIndexes(client, migration.sql);
        await run(client, migration);
      } else {
        await inTransaction(client, async () => {
          await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
          await run(client, migration);
        });
      }
    });
    applied.push(migration.name);
  }
  if (await hasEnumCasts(client)) await createEnumCasts(client);
}

async function explained(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, code = "" } = error as Error & { readonly code?: string };
    const remedy = code in REMEDIES ? `. ${REMEDIES[code]}` : "";
    const explanation = `the database could not be migrated: ${what}: ${message.trim()}${remedy}`;
    throw Object.assign(new Error(explanation, { cause: error }), { code });
  }
}

/** As Prisma Migrate creates it. */
const RECORD_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0)`;

async function appliedMigrations(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows: tables } = await client.query("SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL");
  if (tables.length === 0) return new Set();
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const done = new Set(rows.filter(({ finished }) => finished).map(({ name }) => name));
  const failed = rows.find(({ name }) => !done.has(name));
  if (failed !== undefined) {
    throw new Error(
      `the database could not be migrated: ${failed.name} failed under Prisma's own command; repair the database, then record the result with \`prisma migrate resolve\``,
    );
  }
  return done;
}

async function run(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
    [randomUUID(), checksum, name, startedAt],
  );
}

/** A try that failed leaves an index of the migration invalid, and `IF NOT EXISTS` would keep it. */
async function dropInvalidIndexes(client: pg.Client, sql: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = 'public'::regnamespace AND strpos(lower($1), lower(relname)) > 0`,
    [sql],
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
}

/** The migrations of a folder, in their order. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}
