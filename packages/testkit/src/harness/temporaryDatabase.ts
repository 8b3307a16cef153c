import { setTimeout } from "node:timers/promises";
import { startEmbeddedDatabase } from "../../../../apps/server/src/platform/embeddedDatabase/start.ts";
import {
  makeTemporaryDataFolder,
  startTemporaryDatabase,
} from "../../../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { reservePort } from "../ports.ts";

export { startTemporaryDatabase };

/** A temporary PostgreSQL that keeps what it confirms, and can be stopped without order. */
export async function startDurableDatabase() {
  const folder = await makeTemporaryDataFolder();
  const options = { dataFolder: folder.path, port: await reservePort() };
  let current = await startEmbeddedDatabase(options);
  return {
    url: current.url,
    /** No word to any client, and recovery at the next start, which it waits for. Returns the new process. */
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
