import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pool } from "pg";

/** Tables whose rows show the history of a connection; encrypted values and hashes are omitted. */
const TABLES = [
  "connect_attempt",
  "connection",
  "provider_grant",
  "job",
  "revoke_settlement",
  "pgboss.job",
  "probe.renewal",
  "probe.cut_off_exchange",
  "probe.stored_grant",
];

/** Writes the database's content into the folder of a run, one row per line, to analyze a violation. */
export async function writeRows(pool: Pool, folder: string): Promise<void> {
  const lines: string[] = [];
  for (const table of TABLES) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(`SELECT to_jsonb(t) AS row FROM ${table} AS t`);
    for (const { row } of rows) {
      const shown = Object.entries(row).filter(([name]) => !/_sealed$|_hash$/.test(name));
      lines.push(JSON.stringify({ table, ...Object.fromEntries(shown) }));
    }
  }
  await writeFile(join(folder, "rows.ndjson"), `${lines.join("\n")}\n`, { mode: 0o600 });
}
