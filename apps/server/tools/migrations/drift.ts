/** Compares the migrations with schema.prisma: builds a database from each, and compares PostgreSQL's own catalogues. */
import pg from "pg";
import { applyMigrations } from "../../src/platform/database/migrations.ts";
import { diffSchemas } from "../../src/platform/testing/schemaEngine.ts";
import { startTemporaryDatabase } from "../../src/platform/testing/temporaryDatabase.ts";
import { describeTables } from "./catalogue.ts";

interface Drift {
  readonly onlyInMigrations: readonly string[];
  readonly onlyInSchema: readonly string[];
}

export async function findDrift(migrationsFolder: string, schema: string): Promise<Drift> {
  await using database = await startTemporaryDatabase();
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
}
