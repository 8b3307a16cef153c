import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";

const QUIET_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 15;
/** Tables that store the clock or the migrations. */
const KEPT_TABLES = ["clock_offset", "deployment_mode", "_prisma_migrations"];

/** The server's database: whether work remains, and a snapshot of its initial content. */
export class ServerDatabase {
  readonly #pool: pg.Pool;
  #tables: string[] = [];

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Waits until no task is due or running; the milliseconds until the next is, null for none. A background read that fell due
   * while others ran has no task yet: it needs the sweep that follows a move of the clock, so it counts as due now.
   */
  async quiesce(): Promise<number | null> {
    const endMs = performance.now() + QUIET_TIMEOUT_MS;
    for (;;) {
      const { busy, nextMs } = await this.#work();
      if (busy === 0) return nextMs;
      if (performance.now() > endMs) throw new Error(`The server still had ${busy} tasks to do after a minute.`);
      await delay(POLL_INTERVAL_MS);
    }
  }

  async #work(): Promise<{ readonly busy: number; readonly nextMs: number | null }> {
    const { rows } = await this.#pool.query<{ busy: number; next_ms: number | null }>(`
      WITH moved AS (SELECT coalesce(max(offset_ms), 0) AS by_ms FROM clock_offset),
      task AS (SELECT state, start_after FROM pgboss.job WHERE state IN ('created', 'retry', 'active')),
      moment AS (
        SELECT extract(epoch FROM start_after - now()) * 1000 AS ms FROM task WHERE state <> 'active' AND start_after > now()
        UNION ALL
        SELECT extract(epoch FROM least(next_scan_at, next_profile_at) - now()) * 1000 - by_ms FROM connection, moved
        WHERE least(next_scan_at, next_profile_at) IS NOT NULL)
      SELECT (SELECT count(*) FROM task WHERE state = 'active' OR start_after <= now())::int AS busy,
             (SELECT min(greatest(ms, 0)) FROM moment)::float AS next_ms`);
    return { busy: rows[0]?.busy ?? 0, nextMs: rows[0]?.next_ms ?? null };
  }

  async remember(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1)",
      [KEPT_TABLES],
    );
    this.#tables = rows.map(({ name }) => name);
    await this.#pool.query("CREATE SCHEMA differential");
    for (const name of this.#tables) {
      await this.#pool.query(`CREATE TABLE differential."${name}" AS TABLE public."${name}"`);
    }
  }

  async restore(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("BEGIN");
      // Foreign keys hold again at the end, as they held when the rows were remembered.
      await client.query("SET LOCAL session_replication_role = replica");
      await client.query(`TRUNCATE ${this.#tables.map((name) => `public."${name}"`).join(", ")}`);
      for (const name of this.#tables) {
        const columns = await columnsOf(client, name);
        await client.query(
          `INSERT INTO public."${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM differential."${name}"`,
        );
      }
      await client.query("DELETE FROM pgboss.job WHERE name NOT LIKE 'sweep.%'");
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  }
}

async function columnsOf(client: pg.PoolClient, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  return rows.map(({ name }) => `"${name}"`).join(", ");
}
