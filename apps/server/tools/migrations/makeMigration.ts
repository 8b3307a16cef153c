/**
 * Writes the next migration: the difference between the schema.prisma of the last commit and that of the working tree.
 *
 *     pnpm migration add_audit_log
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MIGRATIONS_FOLDER, SCHEMA_FILE } from "../../src/platform/database/migrations.ts";
import { diffSchemas } from "../../src/platform/testing/schemaEngine.ts";
import { startTemporaryDatabase } from "../../src/platform/testing/temporaryDatabase.ts";
import { splitMigration } from "./splitMigration.ts";

async function main([name]: readonly string[]): Promise<void> {
  if (name === undefined || !/^[a-z][a-z0-9_]{2,60}$/.test(name)) {
    throw new Error("name the migration in lower case with underscores, e.g. `pnpm migration add_audit_log`");
  }
  const now = await readFile(SCHEMA_FILE, "utf8");
  // Prisma's engine cannot read it back out of the migrations. `drift.test.ts` compares a commit's schema with them.
  const before = execFileSync("git", ["show", `HEAD:./${basename(SCHEMA_FILE)}`], {
    cwd: dirname(SCHEMA_FILE),
    encoding: "utf8",
  });
  await using database = await startTemporaryDatabase();
  const sql = await diffSchemas(database.url("postgres"), before, now);
  if (/^(?:\s|--.*$)*$/m.test(sql) && !/^\s*[A-Z]/m.test(sql)) {
    console.log("schema.prisma changes no table since the last commit; nothing was written");
    return;
  }
  const parts = splitMigration(sql);
  for (const [index, part] of parts.entries()) {
    const stamp = new Date(Date.now() + index * 1_000).toISOString().replaceAll(/\D/g, "").slice(0, 14);
    const folder = join(MIGRATIONS_FOLDER, `${stamp}_${name}${index === 0 ? "" : `_${index + 1}`}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "migration.sql"), part);
    console.log(`wrote ${join(folder, "migration.sql")}`);
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
