import { cp, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { reservePort } from "@social-connect/testkit";
import pg from "pg";
import { giveToDatabaseUser } from "../../platform/embeddedDatabase/binaries.ts";
import {
  type EmbeddedDatabase,
  MAINTENANCE_DATABASE,
  startEmbeddedDatabase,
} from "../../platform/embeddedDatabase/start.ts";

/** Files of a running server that no base backup contains, as `pg_basebackup` leaves them out. */
const NOT_IN_BACKUP = /^(?:pg_wal\/.+|postmaster\.(?:pid|opts))$/;
/** In a data folder. */
export const CLUSTER = "postgres";
export const PASSWORD = "postgres.password";

/**
 * Copies the files of a running server between data folders. It uses the functions of the server itself, because the packaged
 * PostgreSQL has neither pg_basebackup nor pg_dump.
 */
export async function takeBaseBackup(database: EmbeddedDatabase, from: string, to: string): Promise<void> {
  const [source, target] = [join(from, CLUSTER), join(to, CLUSTER)];
  const client = new pg.Client({ connectionString: database.url(MAINTENANCE_DATABASE) });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('copy', true)");
    await cp(source, target, { recursive: true, filter: (path) => !NOT_IN_BACKUP.test(relative(source, path)) });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    await writeFile(join(target, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  await cp(join(from, PASSWORD), join(to, PASSWORD));
}

/** Starts a server on the files of a base backup, in the mode of the signal file. */
export async function startFromBackup(
  dataFolder: string,
  signal: "recovery.signal" | "standby.signal",
  settings: readonly string[],
): Promise<EmbeddedDatabase> {
  const cluster = join(dataFolder, CLUSTER);
  await writeFile(join(cluster, "postgresql.auto.conf"), settings.join("\n"));
  await writeFile(join(cluster, signal), "");
  // A server only accepts files of the user that runs it.
  for (const entry of ["", ...(await readdir(cluster, { recursive: true }))])
    await giveToDatabaseUser(join(cluster, entry));
  return startIn(dataFolder);
}

export async function startIn(dataFolder: string): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
}
