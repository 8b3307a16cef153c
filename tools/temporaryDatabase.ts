import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedDatabase } from "../apps/server/src/platform/embeddedDatabase/start.ts";
import { startEmbeddedDatabase } from "../apps/server/src/platform/embeddedDatabase/start.ts";
import { reservePort } from "../apps/server/src/platform/ports.ts";

/** A PostgreSQL of its own for one piece of work, gone afterwards. */
export async function withTemporaryDatabase<Result>(
  work: (database: EmbeddedDatabase) => Promise<Result>,
): Promise<Result> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-tool-"));
  try {
    const database = await startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}
