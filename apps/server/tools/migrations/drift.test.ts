import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS_FOLDER, SCHEMA_FILE } from "../../src/platform/database/migrations.ts";
import { findDrift } from "./drift.ts";

test("the migrations lead to the tables that schema.prisma declares", async () => {
  const drift = await findDrift(MIGRATIONS_FOLDER, await readFile(SCHEMA_FILE, "utf8"));
  expect(drift, "`pnpm migration NAME` writes what is missing").toEqual({ onlyInMigrations: [], onlyInSchema: [] });
});

test("a column, an index or an enum value that only one of them has is found", async () => {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-drift-"));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const extra = join(folder, "99990101000000_extra");
    await cp(join(folder, await firstMigration(folder)), extra, { recursive: true });
    await writeFile(join(extra, "migration.sql"), "CREATE INDEX extra ON application (created_at);");
    const schema = (await readFile(SCHEMA_FILE, "utf8"))
      .replace("model ClockOffset {", "model ClockOffset {\n  note String?")
      .replace("enum Availability {", "enum Availability {\n  LATER");
    const drift = await findDrift(folder, schema);
    expect(drift.onlyInMigrations).toEqual([
      expect.stringContaining("CREATE INDEX extra"),
      expect.stringMatching(/^enum availability (?!LATER)/),
    ]);
    expect(drift.onlyInSchema).toEqual([
      "column clock_offset.note text default=",
      expect.stringMatching(/^enum availability LATER/),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function firstMigration(folder: string): Promise<string> {
  const { readdir } = await import("node:fs/promises");
  const name = (await readdir(folder)).toSorted().find((entry) => /^\d{14}_/.test(entry));
  if (name === undefined) throw new Error("there is no migration");
  return name;
}
