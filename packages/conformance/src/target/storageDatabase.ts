import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import type { StorageDriver } from "./target.ts";

const DEADLOCK = "40P01";

/** What no API can do, in the service's own database: the only file of the suite that knows tables. */
export async function openStorage(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await pool.query("SELECT 1");
  const driver: StorageDriver = {
    withBrokenContent: async (during) => {
      await pool.query("ALTER TABLE content_item RENAME TO content_item_out_of_reach");
      try {
        return await during();
      } finally {
        await pool.query("ALTER TABLE content_item_out_of_reach RENAME TO content_item");
      }
    },
    // As every change of a client does.
    whileClientIsBusy: (clientId, during) =>
      whileHeld(pool, { text: CHANGE_LOCK, values: [JSON.stringify(["application", clientId.toLowerCase()])] }, during),
    whileOthersConnect: async (connectionId, during) => {
      const { rows } = await pool.query("SELECT application_id FROM connection WHERE id = $1", [connectionId]);
      const values = [connectionId, rows[0]?.application_id];
      return whileHeld(pool, { text: CONNECTION_LOCK, values }, during);
    },
    repeatAttempt: async (sessionId, times) => {
      const found = "SELECT to_jsonb(attempt) AS attempt FROM connect_attempt AS attempt WHERE id = $1";
      const { rows } = await pool.query(found, [sessionId]);
      const copies = Array.from({ length: times }, () => ({
        ...rows[0]?.attempt,
        id: randomUUID(),
        external_subject_id: randomUUID(),
        launch_token_hash: `\\x${randomBytes(32).toString("hex")}`,
      }));
      const insert =
        "INSERT INTO connect_attempt SELECT * FROM jsonb_populate_recordset(NULL::connect_attempt, $1::jsonb)";
      await pool.query(insert, [JSON.stringify(copies)]);
    },
    forgetClient: (clientId) =>
      untilNoDeadlock(async () => {
        // Grants of attempts reference them from the other side, and would remain as orphans.
        await pool.query("DELETE FROM provider_grant WHERE application_id = $1", [clientId]);
        await pool.query("DELETE FROM revoke_settlement WHERE application_id = $1", [clientId]);
        await pool.query("DELETE FROM application WHERE id = $1", [clientId]);
      }),
  };
  return { driver, close: () => pool.end() };
}

const CHANGE_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
/** Names the application, because a distributed database locks rows only on one node. */
const CONNECTION_LOCK = "SELECT 1 FROM connection WHERE id = $1 AND application_id = $2 FOR UPDATE";

async function whileHeld<Result>(pool: pg.Pool, lock: pg.QueryConfig, during: () => Promise<Result>): Promise<Result> {
  const other = await pool.connect();
  try {
    await other.query("BEGIN");
    await other.query(lock);
    return await during();
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
}

/** A client is deleted while workers still read for it: the database may abort one of two deadlocked transactions. */
async function untilNoDeadlock(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK || tries >= 10) throw error;
    }
  }
}
