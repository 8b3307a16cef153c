import type { Pool } from "pg";

/** Every row of every table of every schema as text, prefixed with the table's name. */
export async function dumpDatabase(pool: Pool): Promise<string[]> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') ORDER BY 1, 2`,
  );
  const lines: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${name}" AS t`);
    lines.push(...rows.map(({ row }) => `${schema}.${name} ${row}`));
  }
  return lines;
}

/** The forms in which a value can appear in a dump: plain, as hexadecimal bytes, and as base64. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const packed = /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, "hex") : bytes;
  return [text, ...[bytes, packed].flatMap((one) => [one.toString("hex"), one.toString("base64").replace(/=+$/, "")])];
}
