import { withSession } from "../database/session.ts";
import { findRunningDatabase, MAINTENANCE_DATABASE, startEmbeddedDatabase } from "./start.ts";

export type ServiceDatabase = Awaited<ReturnType<typeof startServiceDatabase>>;

const NAME = "social_connect";

/** Its `url` includes the password. */
export async function startServiceDatabase(dataFolder: string, port: number) {
  const embedded = await startEmbeddedDatabase({ dataFolder, port });
  try {
    await withSession(embedded.url(MAINTENANCE_DATABASE), "start", async (client) => {
      const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [NAME]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
    });
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { pid: embedded.pid, url: embedded.url(NAME), stop: () => embedded.stop() };
}

/** The URL of the database that another process has started in a data folder, including the password; null: it is not ready. */
export async function findServiceDatabase(dataFolder: string): Promise<string | null> {
  return (await findRunningDatabase(dataFolder))?.(NAME) ?? null;
}
