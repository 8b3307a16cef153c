import type pg from "pg";
import { SessionClient } from "./sessionSettings.ts";

/** Runs work in a separate session, which is closed at its end. `name` is shown in pg_stat_activity. */
export async function withSession<Result>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const application_name = `social-connect ${name}`;
  const client = new SessionClient({ connectionString: url, connectionTimeoutMillis: 5_000, application_name });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function inTransaction<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN");
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A lost connection cannot roll back, and its session ends.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
