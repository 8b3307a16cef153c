import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmbeddedDatabase } from "../embeddedDatabase/start.ts";
import { startEmbeddedDatabase } from "../embeddedDatabase/start.ts";
import { reservePort } from "../ports.ts";

const CLEARING_PROGRAM = fileURLToPath(new URL("./clearAfterParent.ts", import.meta.url));

/**
 * A PostgreSQL that forgets: stopped, it is gone with its folder. A second process clears up, so that nothing stays either
 * when this one is killed.
 */
export async function startTemporaryDatabase(): Promise<EmbeddedDatabase> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-database-"));
  const clearing = spawn(process.execPath, [CLEARING_PROGRAM, dataFolder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  // It stays as long as this process does, and must not keep this process.
  clearing.unref();
  const database = await startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
  return {
    ...database,
    stop: async () => {
      await database.stop();
      clearing.ref();
      const cleared = once(clearing, "exit");
      clearing.stdin.end();
      await cleared;
    },
  };
}
