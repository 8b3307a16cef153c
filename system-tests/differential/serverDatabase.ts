import { setTimeout as delay } from "node:timers/promises";
import type { Deployment } from "../deployment/deployment.ts";
import { findUnsettled } from "../facts/facts.ts";

const QUIET_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 15;
/** Tables that store the clock or the migrations. */
const KEPT_TABLES = ["clock_offset", "deployment_mode", "_prisma_migrations"];

/** The server's database: whether work remains, and a snapshot of its initial content. */
export class ServerDatabase {
  readonly #deployment: Pick<Deployment, "clock" | "database">;
  #tables: readonly { readonly name: string; readonly columns: string }[] = [];

  constructor(deployment: Pick<Deployment, "clock" | "database">) {
    this.#deployment = deployment;
  }

  /**
   * Waits until no task is due or running; the milliseconds until the next is, null for none. A background read or the end of an
   * attempt that fell due while others ran has no task yet: it needs the sweep that follows a move of the clock, so it counts as due now.
   */
  async quiesce(): Promise<number | null> {
    const { clock, database } = this.#deployment;
    const endMs = performance.now() + QUIET_TIMEOUT_MS;
    for (;;) {
      const { runnable, dueInMs, plannedInMs } = await findUnsettled(database, await clock.now());
      const nextMs = Math.min(dueInMs ?? Infinity, plannedInMs ?? Infinity);
      if (runnable === 0) return nextMs === Infinity ? null : Math.max(0, nextMs);
      if (performance.now() > endMs) throw new Error(`The server still had ${runnable} tasks to do after a minute.`);
      await delay(POLL_INTERVAL_MS);
    }
  }

  async remember(): Promise<void> {
    const { database } = this.#deployment;
    const { rows } = await database.query<{ name: string; columns: string }>(
      `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND table_name <> ALL ($1) GROUP BY 1`,
      [KEPT_TABLES],
    );
    this.#tables = rows;
    await database.query("CREATE SCHEMA differential");
    for (const { name } of rows) await database.query(`CREATE TABLE differential."${name}" AS TABLE public."${name}"`);
  }

  /** All statements are one transaction. */
  async restore(): Promise<void> {
    const statements = [
      // Foreign keys hold again at the end, as they held when the rows were remembered.
      "SET LOCAL session_replication_role = replica",
      `TRUNCATE ${this.#tables.map(({ name }) => `public."${name}"`).join(", ")}`,
      ...this.#tables.map(
        ({ name, columns }) =>
          `INSERT INTO public."${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM differential."${name}"`,
      ),
      "DELETE FROM pgboss.job WHERE name NOT LIKE 'sweep.%'",
    ];
    await this.#deployment.database.query(statements.join(";\n"));
  }
}
