import type pg from "pg";
import type { Statement } from "../../../apps/server/src/modules/testing/statements.ts";

/** Pages that the statements of a call touch, counted for each touch. Changes nothing. */
export async function pagesTouched(client: pg.Client, statements: readonly Statement[]): Promise<number> {
  let pages = 0;
  await client.query("BEGIN");
  for (const { text, values } of statements) {
    if (!/^(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) continue;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  }
  await client.query("ROLLBACK");
  return pages;
}

export interface UpdateCost {
  readonly updates: number;
  readonly hotUpdates: number;
  readonly walBytes: number;
}

/** Runs a statement that changes posts, with a commit. */
export async function updateCost(client: pg.Client, { text, values }: Statement): Promise<UpdateCost> {
  await client.query("BEGIN");
  const before = await counts(client);
  const { rows } = await client.query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`, [...values]);
  const after = await counts(client);
  await client.query("COMMIT");
  const walBytes = rows[0]["QUERY PLAN"][0].Plan["WAL Bytes"];
  return { updates: after.updates - before.updates, hotUpdates: after.hot - before.hot, walBytes };
}

async function counts(client: pg.Client): Promise<{ updates: number; hot: number }> {
  const { rows } = await client.query<{ updates: string; hot: string }>(
    "SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relname = 'content_item'",
  );
  return { updates: Number(rows[0]?.updates), hot: Number(rows[0]?.hot) };
}
