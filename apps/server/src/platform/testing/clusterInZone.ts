import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reservePort } from "@social-connect/testkit";
import { findBinaries, giveToDatabaseUser, runProgram } from "../embeddedDatabase/binaries.ts";
import { startEmbeddedDatabase } from "../embeddedDatabase/start.ts";

/** A cluster that `initdb` created on a machine in a time zone, which it wrote into postgresql.conf. */
export async function startClusterInZone(timeZone: string) {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-zone-"));
  const cluster = join(dataFolder, "postgres");
  const passwordFile = join(dataFolder, "postgres.password");
  await mkdir(cluster, { mode: 0o700 });
  await giveToDatabaseUser(cluster);
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  const { initdb } = await findBinaries();
  const { exitCode, output } = await runProgram("env", [
    ...[`TZ=${timeZone}`, initdb, "--pgdata", cluster, "--username", "social_connect", "--pwfile", passwordFile],
    ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"],
    ...["--set", "listen_addresses=127.0.0.1", "--set", "unix_socket_directories="],
  ]);
  if (exitCode !== 0) throw new Error(output);
  const database = await startEmbeddedDatabase({ dataFolder, port: await reservePort() });
  const stop = async () => {
    await database.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { url: database.url, stop };
}
