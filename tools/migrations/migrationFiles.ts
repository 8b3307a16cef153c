import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/** The migrations of a folder, in their order. */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => ({ name, sql: await readFile(join(folder, name, "migration.sql"), "utf8") })),
  );
}
