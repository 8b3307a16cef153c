import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
