/**
 * Fails when the migrations and schema.prisma lead to different tables: one database is built from each, and PostgreSQL's
 * own catalogues are compared.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { applyMigrations, MIGRATIONS_FOLDER, SCHEMA_FILE } from "../apps/server/src/platform/migrations.ts";
import { diffSchemas } from "../apps/server/src/platform/testing/schemaEngine.ts";
import { withTemporaryDatabase } from "../packages/testkit/src/harness/temporaryDatabase.ts";
import { describeTables } from "./catalogue.ts";

export interface Drift {
  readonly onlyInMigrations: readonly string[];
  readonly onlyInSchema: readonly string[];
}

export async function findDrift(migrationsFolder: string, schema: string): Promise<Drift> {
  return withTemporaryDatabase(async (database) => {
    const run = async (name: string, statement: string) => {
      const client = new pg.Client({ connectionString: database.url(name) });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    for (const name of ["migrated", "declared"]) await run("postgres", `CREATE DATABASE ${name}`);
    await applyMigrations(database.url("migrated"), migrationsFolder);
    await run("declared", await diffSchemas(database.url("postgres"), null, schema));
    const migrated = await describeTables(database.url("migrated"));
    const declared = await describeTables(database.url("declared"));
    return {
      onlyInMigrations: migrated.filter((line) => !declared.includes(line)),
      onlyInSchema: declared.filter((line) => !migrated.includes(line)),
    };
  });
}

async function main(): Promise<void> {
  const { onlyInMigrations, onlyInSchema } = await findDrift(MIGRATIONS_FOLDER, await readFile(SCHEMA_FILE, "utf8"));
  if (onlyInMigrations.length + onlyInSchema.length === 0) {
    console.log("schema.prisma matches the migrations");
    return;
  }
  const lines = [
    "schema.prisma and the migrations differ; `pnpm migration NAME` writes what is missing:",
    ...onlyInMigrations.map((line) => `  only in the migrations: ${line}`),
    ...onlyInSchema.map((line) => `  only in schema.prisma:  ${line}`),
  ];
  throw new Error(lines.join("\n"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
