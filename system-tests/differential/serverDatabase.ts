import { setTimeout as delay } from "node:timers/promises";
import type { Deployment } from "../deployment/deployment.ts";
import { findUnsettled } from "../facts/facts.ts";

const QUIET_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 15;
/** Tables that store the clock or the migrations. */
const KEPT_TABLES = ["clock_offset", "deployment_mode", "_prisma_migrations"];

/**
 * Waits until no task is due or running; the milliseconds until the next is, null for none. A background read or the end of an
 * attempt that fell due while others ran has no task yet: it needs the sweep that follows a move of the clock, so it counts as due now.
 */
export async function quiesce({ clock, database }: Pick<Deployment, "clock" | "database">): Promise<number | null> {
  const endMs = performance.now() + QUIET_TIMEOUT_MS;
  for (;;) {
    const { runnable, dueInMs, plannedInMs } = await findUnsettled(database, await clock.now());
    const nextMs = Math.min(dueInMs ?? Infinity, plannedInMs ?? Infinity);
    if (runnable === 0) return nextMs === Infinity ? null : Math.max(0, nextMs);
    if (performance.now() > endMs) throw new Error(`The server still had ${runnable} tasks to do after a minute.`);
    await delay(POLL_INTERVAL_MS);
  }
}

/** A snapshot of the database's content, and how it is restored, by statements of one transaction. */
export async function remember({ database }: Pick<Deployment, "database">): Promise<() => Promise<unknown>> {
  const { rows: tables } = await database.query<{ name: string; columns: string }>(
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND table_name <> ALL ($1) GROUP BY 1`,
    [KEPT_TABLES],
  );
  await database.query("CREATE SCHEMA differential");
  for (const { name } of tables) await database.query(`CREATE TABLE differential."${name}" AS TABLE public."${name}"`);
  const statements = [
    // Foreign keys hold again at the end, as they held when the rows were remembered.
    "SET LOCAL session_replication_role = replica",
    `TRUNCATE ${tables.map(({ name }) => `public."${name}"`).join(", ")}`,
    ...tables.map(
      ({ name, columns }) =>
        `INSERT INTO public."${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM differential."${name}"`,
    ),
    "DELETE FROM pgboss.job WHERE name NOT LIKE 'sweep.%'",
  ];
  return () => database.query(statements.join(";\n"));
}
