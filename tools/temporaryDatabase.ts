import type { EmbeddedDatabase } from "../apps/server/src/platform/embeddedDatabase/start.ts";
import { startTemporaryDatabase } from "../apps/server/src/platform/testing/temporaryDatabase.ts";

/** A PostgreSQL of its own for one piece of work, gone afterwards. */
export async function withTemporaryDatabase<Result>(
  work: (database: EmbeddedDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await startTemporaryDatabase();
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}
