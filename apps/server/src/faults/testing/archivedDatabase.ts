import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { eventually, runStatement } from "@social-connect/testkit";
import { giveToDatabaseUser } from "../../platform/embeddedDatabase/binaries.ts";
import { type EmbeddedDatabase, MAINTENANCE_DATABASE } from "../../platform/embeddedDatabase/start.ts";
import { makeTemporaryDataFolder } from "../../platform/testing/temporaryDatabase.ts";
import { startFromBackup, startIn, takeBaseBackup } from "./baseBackup.ts";

export interface RestoredDatabase {
  url(database: string): string;
  remove(): Promise<void>;
}

/** A PostgreSQL with a log archive, of which a base backup can be taken and restored to a point in time. */
export interface ArchivedDatabase extends RestoredDatabase {
  takeBaseBackup(): Promise<void>;
  /** The time on the server, after every earlier commit and before every later one. */
  time(): Promise<string>;
  /** Removes the database. The archive has everything until now. */
  lose(): Promise<void>;
  /** A new server with the database as of a time, from the base backup and the archive. */
  restore(time: string): Promise<RestoredDatabase>;
}

export async function startArchivedDatabase(): Promise<ArchivedDatabase> {
  /** The base backup and the log archive are outside the database's folder. */
  const [folder, safe] = [await makeTemporaryDataFolder(), await makeTemporaryDataFolder()];
  const [archive, backup] = [join(safe.path, "archive"), join(safe.path, "backup")];
  for (const path of [archive, backup]) {
    await mkdir(path);
    await giveToDatabaseUser(path);
  }
  const first = await startIn(folder.path);
  const command = `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"`;
  await run(first, "ALTER SYSTEM SET archive_mode = on");
  await run(first, `ALTER SYSTEM SET archive_command = '${command}'`);
  await first.stop();
  const database = await startIn(folder.path);
  let isLost = false;
  const remove = async () => {
    if (isLost) return;
    isLost = true;
    await database.stop();
    await folder.remove();
  };
  return {
    url: (name) => database.url(name),
    takeBaseBackup: () => takeBaseBackup(database, folder.path, backup),
    time: () => run(database, "SELECT clock_timestamp()::text AS value"),
    lose: async () => {
      const name = await run(database, "SELECT pg_walfile_name(pg_switch_wal()) AS value");
      await eventually(async () => {
        if (!(await readdir(archive)).includes(name)) throw new Error(`${name} is not archived yet`);
      });
      await remove();
    },
    restore: async (time) => {
      const copy = await makeTemporaryDataFolder();
      await cp(backup, copy.path, { recursive: true });
      const restored = await startFromBackup(copy.path, "recovery.signal", [
        `restore_command = 'cp "${archive}/%f" "%p"'`,
        `recovery_target_time = '${time}'`,
        "recovery_target_action = 'promote'",
        "archive_mode = off",
      ]);
      await eventually(async () => {
        if ((await run(restored, "SELECT pg_is_in_recovery()::text AS value")) !== "false")
          throw new Error("the database is in recovery");
      });
      const removeCopy = async () => {
        await restored.stop();
        await copy.remove();
      };
      return { url: (name) => restored.url(name), remove: removeCopy };
    },
    remove: async () => {
      await remove();
      await safe.remove();
    },
  };
}

/** Runs a statement; returns the `value` of its first row. */
async function run(database: EmbeddedDatabase, statement: string): Promise<string> {
  const [row] = await runStatement(database.url(MAINTENANCE_DATABASE), statement);
  return row?.["value"] ?? "";
}
