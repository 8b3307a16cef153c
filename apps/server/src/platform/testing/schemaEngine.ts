import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { SCHEMA_FILE } from "../database/migrations.ts";
import type { SchemaEngineAnswer, SchemaEngineRequest } from "./schemaEngineWorker.ts";

/**
 * SQL that migrates from one schema.prisma to another; from an empty one when `from` is null. `url`: any reachable
 * database.
 */
export async function diffSchemas(url: string, from: string | null, to: string): Promise<string> {
  const [script = ""] = await askSchemaEngine({ task: "diff", url, from, to });
  return script;
}

/** Applies pending migrations as `prisma migrate deploy` does. Returns their names. */
export async function deployWithPrisma(url: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations = {
    baseDir: folder,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.toSorted().map(async (path) => ({
        path,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: await readFile(join(folder, path, "migration.sql"), "utf8") },
        },
      })),
    ),
  };
  return askSchemaEngine({ task: "apply", url, schema: await readFile(SCHEMA_FILE, "utf8"), migrations });
}

async function askSchemaEngine(request: SchemaEngineRequest): Promise<readonly string[]> {
  const file = new URL("./schemaEngineWorker.ts", import.meta.url);
  await using worker = new Worker(file, { workerData: request, execArgv: ["--disable-warning=ExperimentalWarning"] });
  return await new Promise((resolve, reject) => {
    worker.once("message", (answer: SchemaEngineAnswer) => {
      if ("value" in answer) resolve(answer.value);
      else reject(new Error(`the schema engine failed: ${answer.failure.trim()}`));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the schema engine ended without a result")));
  });
}
