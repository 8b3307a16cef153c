import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { eventually, runStatement } from "@social-connect/testkit";
import pg from "pg";
import { giveToDatabaseUser } from "../../platform/embeddedDatabase/binaries.ts";
import {
  type EmbeddedDatabase,
  MAINTENANCE_DATABASE,
  startEmbeddedDatabase,
} from "../../platform/embeddedDatabase/start.ts";
import { reservePort } from "../../platform/ports.ts";
import { makeTemporaryDataFolder } from "../../platform/testing/temporaryDatabase.ts";

/** Files of a running server that no base backup contains, as `pg_basebackup` leaves them out. */
const NOT_IN_BACKUP = /^(?:pg_wal\/.+|postmaster\.(?:pid|opts))$/;

export interface ReplicatedDatabase {
  readonly primary: EmbeddedDatabase;
  /** Replicates the primary, and answers reads. */
  readonly standby: EmbeddedDatabase;
  stop(): Promise<void>;
}

/** Two servers with streaming replication. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folders = [await makeTemporaryDataFolder(), await makeTemporaryDataFolder()] as const;
  const [{ path: from }, { path: to }] = folders;
  const primary = await startEmbeddedDatabase({ dataFolder: from, port: await reservePort(), unsafeAndFast: true });
  await copy(primary, from, to);
  const standby = await startEmbeddedDatabase({ dataFolder: to, port: await reservePort(), unsafeAndFast: true });
  await eventually(async () => {
    const senders = await runStatement(primary.url(MAINTENANCE_DATABASE), "SELECT 1 FROM pg_stat_replication");
    if (senders.length === 0) throw new Error("the standby does not replicate yet");
  });
  const stop = async () => {
    for (const server of [standby, primary]) await server.stop();
    for (const folder of folders) await folder.remove();
  };
  return { primary, standby, stop };
}

async function copy(primary: EmbeddedDatabase, from: string, to: string): Promise<void> {
  const [source, target] = [join(from, "postgres"), join(to, "postgres")];
  const client = new pg.Client({ connectionString: primary.url(MAINTENANCE_DATABASE) });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await cp(source, target, { recursive: true, filter: (path) => !NOT_IN_BACKUP.test(relative(source, path)) });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    await writeFile(join(target, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  await cp(join(from, "postgres.password"), join(to, "postgres.password"));
  const { port, username } = new URL(primary.url(MAINTENANCE_DATABASE));
  const password = (await readFile(join(from, "postgres.password"), "utf8")).trim();
  const address = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await writeFile(join(target, "postgresql.auto.conf"), `primary_conninfo = '${address}'\n`);
  await writeFile(join(target, "standby.signal"), "");
  for (const entry of ["", ...(await readdir(target, { recursive: true }))])
    await giveToDatabaseUser(join(target, entry));
}
