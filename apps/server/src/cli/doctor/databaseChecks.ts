import type { Pool } from "pg";
import { CONNECTIONS_REMEDY, type ConnectionRoom, connectionsOf } from "../../composition/connectionRoom.ts";
import type { Settings } from "../../config/settings.ts";
import { nameSome } from "../../platform/nameSome.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** The difference of two clocks that requests and certificates tolerate. */
export const MOST_CLOCK_DIFFERENCE_MS = 5_000;

interface Facts {
  readonly version: string;
  readonly role: string;
  readonly isSuperuser: boolean;
  /** A standby, or a database whose transactions are read-only. */
  readonly isReadOnly: boolean;
  /** Whether it may create tables, or owns one. */
  readonly mayChangeTables: boolean;
  readonly at: Date;
}

export async function readFacts(pool: Pool): Promise<Facts> {
  const { rows } = await pool.query<Facts>(
    `SELECT current_setting('server_version') AS version, current_user AS role,
            (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
            current_setting('transaction_read_only')::boolean AS "isReadOnly",
            EXISTS (SELECT FROM pg_namespace
                     WHERE nspname IN ('public', 'pgboss') AND (has_schema_privilege(oid, 'CREATE') OR EXISTS (
                       SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid AND pg_has_role(relowner, 'USAGE'))))
              AS "mayChangeTables",
            clock_timestamp() AS at`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error("the database returned no row");
  return facts;
}

export function checkServer({ version, isReadOnly }: Facts): Finding {
  const message = `PostgreSQL ${version}`;
  if (!isReadOnly) return ok("database", message);
  const remedy = "Set DATABASE_URL to the primary, and default_transaction_read_only to off";
  return failed("database", `${message} accepts no changes, as a standby does`, remedy);
}

/** The service needs these privileges on each of its tables, and no others; it only reads the record of migrations. */
export async function checkRole(
  pool: Pool,
  { role, isSuperuser, mayChangeTables }: Facts,
  { mode, migratesAtStart }: Pick<Settings, "mode" | "migratesAtStart">,
): Promise<Finding> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'pgboss')
        AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
             AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
        AND NOT (c.relname = '_prisma_migrations' AND has_table_privilege(c.oid, 'SELECT'))
      ORDER BY 1`,
  );
  if (rows.length > 0) {
    const names = nameSome(rows.map(({ name }) => name));
    const message = `${role} may not read and write ${rows.length} tables: ${names}`;
    return failed("role", message, `GRANT SELECT, INSERT, UPDATE, DELETE on them to ${role}, or make it their owner`);
  }
  if (isSuperuser && mode === "live") {
    return warning("role", `${role} is a superuser`, "Use a role that owns only the service's database");
  }
  if (mayChangeTables && mode === "live" && !migratesAtStart) {
    const message = `${role} may change tables, which a process with MIGRATE=off does not need`;
    return warning("role", message, "Use the runtime role of `social-connect roles`");
  }
  return ok("role", `${role} may read and write every table`);
}

/** Whether the database has room for this deployment's processes. */
export function checkConnections(settings: Settings, { maxConnections, limit, others }: ConnectionRoom): Finding {
  const { processes } = settings;
  const needed = processes * connectionsOf(settings);
  const message = `${processes} processes use up to ${needed} of ${maxConnections} connections (${limit})`;
  if (needed > maxConnections) return failed("connections", message, CONNECTIONS_REMEDY);
  if (needed <= maxConnections - others) return ok("connections", message);
  return warning("connections", `${message}, and other clients use ${others}`, CONNECTIONS_REMEDY);
}

/** Compares the machine's clock with the database's, within the round trip of the statement. */
export function checkClock({ at }: Pick<Facts, "at">, before: Date, after: Date): Finding {
  const early = before.getTime() - at.getTime();
  const late = at.getTime() - after.getTime();
  const difference = Math.max(early, late, 0);
  const message = `this machine's clock and the database's differ by ${(difference / 1_000).toFixed(1)} s`;
  if (difference <= MOST_CLOCK_DIFFERENCE_MS) return ok("clock", message);
  return failed("clock", message, "Synchronize both machines with NTP");
}
