import type { Pool } from "pg";
import type { Settings } from "../config/settings.ts";
import { READ_CONNECTIONS } from "../platform/database/database.ts";
import type { Logger } from "../platform/log/logger.ts";

/** Connections of a process besides its two pools, as docs/operations/database.md lists them. */
const READINESS = 1;
const QUEUE = 4;
const CLOCK = 1;
const WORKER_METRICS = 2;
/** Behind a pooler, for the start. */
const START = 1;

export const CONNECTIONS_REMEDY =
  "Lower DATABASE_POOL_SIZE or DATABASE_READ_POOL_SIZE, raise the limit, or add a pooler";

/** How many connections the service's user can have. */
export interface ConnectionRoom {
  readonly maxConnections: number;
  /** Where the limit is set. */
  readonly limit: string;
  /** Connections of other clients, which count against the same limit. */
  readonly others: number;
}

export async function readConnectionRoom(pool: Pool): Promise<ConnectionRoom> {
  // Every client sees these columns of all connections.
  const { rows } = await pool.query<ConnectionRoom>(
    `WITH connections AS (
       SELECT datname, usename FROM pg_stat_activity
        WHERE backend_type = 'client backend'
          AND NOT (datname = current_database() AND (application_name LIKE 'social-connect%' OR application_name = 'pgboss'))),
     limits AS (
       SELECT 'max_connections' AS name, (SELECT count(*) FROM connections) AS others,
              current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0) AS most
       UNION ALL
       SELECT 'the CONNECTION LIMIT of the role', (SELECT count(*) FROM connections WHERE usename = session_user), rolconnlimit
         FROM pg_roles WHERE rolname = session_user AND rolconnlimit >= 0 AND NOT rolsuper
       UNION ALL
       SELECT 'the CONNECTION LIMIT of the database', (SELECT count(*) FROM connections WHERE datname = current_database()), datconnlimit
         FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
          AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = session_user))
     SELECT most AS "maxConnections", name AS limit, others::int AS others FROM limits ORDER BY most - others LIMIT 1`,
  );
  const [room] = rows;
  if (room === undefined) throw new Error("the database returned no row");
  return room;
}

/** Connections of the database that a process opens at most; those to a pooler are the pooler's. */
export function connectionsOf({
  role,
  databaseDirectUrl,
  databasePoolSize,
  readPoolSize,
  operations,
}: Settings): number {
  const queue = role === "api" ? 0 : QUEUE;
  if (databaseDirectUrl !== null) return queue + START;
  const others =
    role === "worker"
      ? CLOCK + (operations === null ? 0 : WORKER_METRICS)
      : readPoolSize + READ_CONNECTIONS + READINESS;
  return databasePoolSize + queue + others;
}

/**
 * Refuses a process whose pools are larger than the database allows: under load its calls would fail. Other clients can close their
 * connections, so too little room because of them is only a warning.
 */
export async function requireConnectionRoom(settings: Settings, pool: Pool, logger: Logger): Promise<void> {
  const { maxConnections, limit, others } = await readConnectionRoom(pool);
  const needed = connectionsOf(settings);
  const allowed = `the database allows ${maxConnections} connections (${limit})`;
  const use = `a process of role ${settings.role} uses up to ${needed}`;
  if (needed > maxConnections) throw new Error(`${allowed}, and ${use}. ${CONNECTIONS_REMEDY}`);
  if (needed > maxConnections - others) {
    logger.warn(`${allowed}, of which other clients use ${others}, and ${use}. ${CONNECTIONS_REMEDY}`);
  }
}
