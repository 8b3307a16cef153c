import type { Pool } from "pg";

/** Where a connection's id may stand once it is erased: its two receipts, and results of attempts for their day. */
const MAY_REMAIN: Readonly<Record<string, string>> = {
  job: "kind IN ('REVOKE', 'ERASE')",
  connect_attempt: "true",
};

/**
 * Whether anything of a connection is left but what must be: every row of every table, job payloads of the queue
 * included, is searched for the id. Content, credentials and read jobs name it, so none of them can be missed by it.
 */
export async function isErased(pool: Pool, connectionId: string): Promise<boolean> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  for (const { schema, name } of tables) {
    const mayRemain = (schema === "public" && MAY_REMAIN[name]) || "false";
    // The whole row as text, so that a column that is added later is searched too.
    const { rowCount } = await pool.query(
      `SELECT 1 FROM "${schema}"."${name}" AS t WHERE position($1 IN t::text) > 0 AND NOT (${mayRemain}) LIMIT 1`,
      [connectionId],
    );
    if (rowCount !== 0) return false;
  }
  return true;
}
