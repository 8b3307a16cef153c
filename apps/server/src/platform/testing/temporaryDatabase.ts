import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { reservePort } from "@social-connect/testkit";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../embeddedDatabase/start.ts";

const CLEARING_PROGRAM = fileURLToPath(new URL("./clearAfterParent.ts", import.meta.url));

/** A data folder for an embedded database. A second process removes both when this one is killed. */
export async function makeTemporaryDataFolder() {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-database-"));
  const clearing = spawn(process.execPath, [CLEARING_PROGRAM, dataFolder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  // It runs as long as this process and must not keep this process running.
  clearing.unref();
  return {
    path: dataFolder,
    remove: async () => {
      clearing.ref();
      const cleared = once(clearing, "exit");
      clearing.stdin.end();
      await cleared;
    },
  };
}

export async function startTemporaryDatabase(): Promise<EmbeddedDatabase & AsyncDisposable> {
  const folder = await makeTemporaryDataFolder();
  const options = { dataFolder: folder.path, port: await reservePort(), unsafeAndFast: true };
  const database = await startEmbeddedDatabase(options);
  const stop = async () => {
    await database.stop();
    await folder.remove();
  };
  return { ...database, stop, [Symbol.asyncDispose]: stop };
}

/** A database server that keeps committed data when it crashes. */
export async function startDurableDatabase() {
  const folder = await makeTemporaryDataFolder();
  const options = { dataFolder: folder.path, port: await reservePort() };
  let current = await startEmbeddedDatabase(options);
  return {
    url: current.url,
    /** Kills the server without notice to its clients, and starts it again after `forMs`. Returns the id of the new process. */
    crash: async (forMs: number): Promise<number> => {
      process.kill(current.pid, "SIGQUIT");
      await setTimeout(forMs);
      current = await startEmbeddedDatabase(options);
      return current.pid;
    },
    stop: async () => {
      await current.stop();
      await folder.remove();
    },
  };
}
