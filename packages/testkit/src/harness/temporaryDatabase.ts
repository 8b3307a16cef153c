import type { EmbeddedDatabase } from "../../../../apps/server/src/platform/embeddedDatabase/start.ts";
import { startTemporaryDatabase } from "../../../../apps/server/src/platform/testing/temporaryDatabase.ts";

export { startTemporaryDatabase };

/** A temporary PostgreSQL for one task. */
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
