import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, runStatement } from "@social-connect/testkit";
import { MAINTENANCE_DATABASE } from "../../platform/embeddedDatabase/start.ts";
import { makeTemporaryDataFolder } from "../../platform/testing/temporaryDatabase.ts";
import { PASSWORD, startFromBackup, startIn, takeBaseBackup } from "./baseBackup.ts";

export type ReplicatedDatabase = Awaited<ReturnType<typeof startReplicatedDatabase>>;

/** Two servers with streaming replication. */
export async function startReplicatedDatabase() {
  const folders = [await makeTemporaryDataFolder(), await makeTemporaryDataFolder()] as const;
  const [{ path: from }, { path: to }] = folders;
  const primary = await startIn(from);
  await takeBaseBackup(primary, from, to);
  const url = primary.url(MAINTENANCE_DATABASE);
  const { port, username } = new URL(url);
  const password = (await readFile(join(from, PASSWORD), "utf8")).trim();
  const address = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const standby = await startFromBackup(to, "standby.signal", [`primary_conninfo = '${address}'\n`]);
  await eventually(async () => {
    const senders = await runStatement(url, "SELECT 1 FROM pg_stat_replication");
    if (senders.length === 0) throw new Error("the standby does not replicate yet");
  });
  const stop = async () => {
    for (const server of [standby, primary]) await server.stop();
    for (const folder of folders) await folder.remove();
  };
  return { primary, standby, stop };
}
