import type { Pool } from "pg";

/** Rows that may contain an erased connection's ID: its two receipts, and attempt results until they expire. */
const MAY_REMAIN: Readonly<Record<string, string>> = {
  job: "kind IN ('REVOKE', 'ERASE')",
  connect_attempt: "true",
};

/**
 * Searches every row of every table, including the queue's job payloads, for the ID of an erased connection. Content,
 * credentials and read jobs all contain the ID.
 */
export async function isErased(pool: Pool, connectionId: string): Promise<boolean> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  for (const { schema, name } of tables) {
    const mayRemain = (schema === "public" && MAY_REMAIN[name]) || "false";
    // Searches the whole row as text, which includes columns added later.
    const { rowCount } = await pool.query(
      `SELECT 1 FROM "${schema}"."${name}" AS t WHERE position($1 IN t::text) > 0 AND NOT (${mayRemain}) LIMIT 1`,
      [connectionId],
    );
    if (rowCount !== 0) return false;
  }
  return true;
}
