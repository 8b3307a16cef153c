import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import pg from "pg";
import type { SchemaEngineAnswer, SchemaEngineRequest } from "./schemaEngineWorker.ts";

/** Two folders up in the source, one up in the build, which is flat in `dist`. */
const PRISMA_FOLDER = fileURLToPath(
  new URL(extname(import.meta.url) === ".ts" ? "../../prisma" : "../prisma", import.meta.url),
);
export const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, "migrations");
export const SCHEMA_FILE = join(PRISMA_FOLDER, "schema.prisma");

/** Key of the migration's advisory lock; any number that is not used elsewhere. */
const MIGRATION_LOCK = 7_305_121_884;

class MigrationError extends Error {
  constructor(message: string) {
    super(`the database could not be migrated: ${message.trim()}`);
    this.name = "MigrationError";
  }
}

/**
 * Applies pending migrations to a database. Concurrent processes take turns. The record is Prisma's own
 * `_prisma_migrations`, so `prisma migrate deploy` agrees with it.
 *
 * @returns names of the applied migrations
 */
export async function applyMigrations(url: string, folder: string = MIGRATIONS_FOLDER): Promise<readonly string[]> {
  const [migrations, schema] = await Promise.all([readMigrations(folder), readFile(SCHEMA_FILE, "utf8")]);
  return withLock(url, () => askSchemaEngine({ task: "apply", url, schema, migrations }));
}

/**
 * SQL that migrates from one schema.prisma to another; from an empty one when `from` is null. `url`: any reachable
 * database.
 */
export async function diffSchemas(url: string, from: string | null, to: string): Promise<string> {
  const [script = ""] = await askSchemaEngine({ task: "diff", url, from, to });
  return script;
}

/**
 * A separate connection has the lock, because the engine opens and closes its own. PostgreSQL releases the lock when
 * that connection ends, so a killed process leaves no lock.
 */
async function withLock<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    return await work();
  } finally {
    await client.end();
  }
}

async function askSchemaEngine(request: SchemaEngineRequest): Promise<readonly string[]> {
  const file = new URL(`./schemaEngineWorker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: request, execArgv: ["--disable-warning=ExperimentalWarning"] });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", (answer: SchemaEngineAnswer) => {
        if ("value" in answer) resolve(answer.value);
        else reject(new MigrationError(answer.failure));
      });
      worker.once("error", (error: Error) => reject(new MigrationError(error.message)));
      worker.once("exit", () => reject(new MigrationError("the schema engine ended without a result")));
    });
  } finally {
    await worker.terminate();
  }
}

async function readMigrations(folder: string): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const lockfile = await readFile(join(folder, "migration_lock.toml"), "utf8");
  return {
    baseDir: folder,
    lockfile: { path: "migration_lock.toml", content: lockfile },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.toSorted().map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: await readFile(join(folder, name, "migration.sql"), "utf8") },
        },
      })),
    ),
  };
}
