import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../_generated/prisma/client.ts";
import type { Presence } from "../call/presence.ts";
import { currentTrail, offTrail } from "../call/trail.ts";
import type { Logger } from "../log/logger.ts";
import { overload } from "../log/overload.ts";
import type { Tracing } from "../log/telemetry.ts";
import { withRetries } from "../retry.ts";
import { ConnectionQueue } from "./connectionQueue.ts";
import { OpenConnections } from "./openConnections.ts";
import { ReadConnections, type ReadQueries, type ReadStatement } from "./readConnections.ts";

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /**
   * Whether the URL is a pooler in transaction mode: statements have no names, and the timeouts are those of the role,
   * because a pooler accepts neither names nor parameters of a session.
   */
  readonly isPooled?: boolean;
  /** Maximum number of connections of this process. */
  readonly poolSize: number;
  /** How long a caller waits for a free connection before an error. */
  readonly connectTimeoutMs?: number;
  /** PostgreSQL's statement timeout. */
  readonly statementTimeoutMs?: number;
  /** PostgreSQL's lock timeout; without it the statement timeout ends a wait for a lock too. */
  readonly lockTimeoutMs?: number;
  /** PostgreSQL's idle-in-transaction timeout: a hung process holds no lock. */
  readonly idleInTransactionTimeoutMs?: number;
  /** A session is replaced at this age; 30 s by default. */
  readonly sessionLifetimeMs?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  readonly logger?: Logger;
  /** Makes each statement a span; null: none. */
  readonly tracing?: Tracing | null;
}

export interface Database {
  /** For hand-written SQL. */
  readonly pool: pg.Pool;
  /** The same pool, for ordinary access. Created on first use, because a client takes several megabytes. */
  readonly prisma: PrismaClient;
  /** For frequent short reads, which share a few more connections. */
  readonly hotReads: ReadQueries;
  /** The connections of `hotReads`. */
  readonly hotPool: pg.Pool;
  /** How many errors PostgreSQL has reported, by SQLSTATE. */
  readonly errors: ReadonlyMap<string, number>;
  /** Settles when every connection is closed, including those of other pools with this pool's `Client`. */
  close(): Promise<void>;
}

/** One is used, unless reads are slow or wait for a lock. */
export const READ_CONNECTIONS = 3;

/**
 * PostgreSQL plans a frequent read once for each connection. Left to itself, it planned a page of posts for each call, because the
 * values of one call can omit parts of the statement; planning took four times as long as reading one post. Citus needs the
 * values to find the node of a statement that joins tables.
 */
const PLAN_ONCE = `SELECT set_config('plan_cache_mode', 'force_generic_plan', false)
  WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`;

/** After a failover, sessions that lead to a standby are replaced within this time. */
const SESSION_LIFETIME_MS = 30_000;

/** The client's timeout is longer than the server's, so it fires only when the server no longer responds. */
const CLIENT_TIMEOUT_MARGIN_MS = 5_000;

/** Opens nothing yet: connections are created on demand, also after an outage of the database. */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
  const { tracing = null } = options;
  // A statement, because PgBouncer accepts no timeouts among the parameters of a connection, in session mode neither.
  const timeouts = `SET statement_timeout = ${statementTimeoutMs};
    SET idle_in_transaction_session_timeout = ${options.idleInTransactionTimeoutMs ?? 30_000};
    SET lock_timeout = ${options.lockTimeoutMs ?? 0}`;
  const connections = new OpenConnections({
    isPooled: options.isPooled ?? false,
    lifetimeMs: options.sessionLifetimeMs ?? SESSION_LIFETIME_MS,
    tracing,
  });
  const settings: pg.PoolConfig = {
    Client: connections.Client,
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: statementTimeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
    ...(!options.isPooled && { onConnect: (client) => offTrail(() => prepareSession(client, timeouts)) }),
    application_name: options.applicationName ?? "social-connect",
  };
  const pool = new RepeatingPool({ ...settings, max: options.poolSize, logger: options.logger });
  const readPool = new pg.Pool({ ...settings, max: READ_CONNECTIONS, pipeline: true });
  // Sent before the first read, and part of no read's trace. Without it reads work too.
  readPool.on("connect", (client) => void offTrail(() => client.query(PLAN_ONCE)).catch(() => undefined));
  for (const each of [pool, readPool]) {
    // Emitted when an idle connection breaks; without a listener it would end the process. The pool replaces the
    // connection.
    each.on("error", (error) => options.logger?.warn({ err: error }, "lost an idle database connection"));
  }
  let prisma: PrismaClient | undefined;
  return {
    pool,
    get prisma() {
      if (prisma === undefined) {
        const transactionOptions = { maxWait: connectTimeoutMs, timeout: statementTimeoutMs };
        prisma = new RepeatingPrismaClient({ adapter: new PrismaPg(pool), transactionOptions });
      }
      return prisma;
    },
    hotReads: options.isPooled ? separateReads(pool) : repeatReads(new ReadConnections(readPool)),
    hotPool: readPool,
    errors: connections.errors,
    close: async () => {
      await prisma?.$disconnect();
      await Promise.all([pool.end(), readPool.end()]);
      await connections.closed();
    },
  };
}

/** PostgreSQL ends a statement whose connection was closed. Not on every system, so a session without it is accepted. */
const END_ABANDONED = "SET client_connection_check_interval = '500ms'";

async function prepareSession(client: pg.ClientBase, timeouts: string): Promise<void> {
  await client.query(timeouts);
  await client.query(END_ABANDONED).catch(() => undefined);
}

/** Whether a statement of a caller could write: not on a standby, in a read-only database, or without privileges. Locks no table. */
const MAY_WRITE = `SELECT current_setting('transaction_read_only') = 'off'
  AND has_table_privilege('public.connect_attempt', 'INSERT') AS "mayWrite"`;

/** Readiness: true when the database confirms within the timeout that it accepts changes. */
export async function databaseIsReady(pool: pg.Pool, timeoutMs = 2_000): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
  return Promise.race([mayWrite(pool).catch(() => false), timeout]);
}

async function mayWrite(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  let isWritable = false;
  try {
    const { rows } = await client.query<{ mayWrite: boolean }>(MAY_WRITE);
    isWritable = rows[0]?.mayWrite === true;
    return isWritable;
  } finally {
    // The next session may lead to the new primary.
    client.release(!isWritable);
  }
}

/** Each read on a connection of the pool, because a pooler shares connections itself. */
function separateReads(pool: pg.Pool): ReadQueries {
  return {
    query: async <Row extends pg.QueryResultRow>({ text, values }: ReadStatement) =>
      (await pool.query<Row>(text, [...values])).rows,
  };
}

/** Serialization failure and deadlock. */
const STATES: ReadonlySet<unknown> = new Set(["40001", "40P01"]);
/** Prisma's own code for both. */
const CONFLICT = "P2034";
/** Citus planned the statement before a shard was split, and executed it after. It reports this as an internal error. */
const INTERNAL = "XX000";
const SPLIT_SHARD = /could not find valid entry for shard/;

/** As the driver reports an error, Prisma's adapter for it, and Prisma. */
interface Reported {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly message?: string;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** Whether the database rolled a transaction back, so that it had no effect, for a reason that a repetition does not meet again. */
function isRolledBack(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, originalCode = code, message = "", cause, meta } = error as Reported;
  if (code === CONFLICT || STATES.has(originalCode)) return true;
  if (originalCode === INTERNAL && SPLIT_SHARD.test(message)) return true;
  return isRolledBack(cause) || isRolledBack(meta?.driverAdapterError);
}

function repeatReads(reads: ReadQueries): ReadQueries {
  return { query: (statement) => withRetries(() => reads.query(statement), isRolledBack) };
}

type Run = (...parameters: readonly unknown[]) => Promise<unknown>;
type Connected = Parameters<pg.Pool["connect"]>[0];

/** The part of the connections for requests of unknown callers: keys that are checked, pages, providers' messages. */
const UNAUTHENTICATED_PART = 0.3;

/**
 * A pool that repeats single statements. Those of a connection that was taken from it belong to a transaction. Requests wait in
 * front of it, those of unknown callers apart: only jobs wait in the pool's own queue, where no caller can leave.
 */
class RepeatingPool extends pg.Pool {
  readonly #known: ConnectionQueue;
  readonly #unauthenticated: ConnectionQueue;
  readonly #holders = new WeakSet<Presence>();
  readonly #exits = new WeakMap<pg.PoolClient, () => void>();

  constructor({ logger, ...settings }: pg.PoolConfig & { readonly max: number; readonly logger: Logger | undefined }) {
    super(settings);
    const { max, connectionTimeoutMillis: timeoutMs = 5_000 } = settings;
    const onRefused = () => logger && overload(logger).count("statements");
    this.#known = new ConnectionQueue(max, timeoutMs, onRefused);
    this.#unauthenticated = new ConnectionQueue(
      Math.max(1, Math.floor(max * UNAUTHENTICATED_PART)),
      timeoutMs,
      onRefused,
    );
    this.on("release", (_, client) => {
      const exit = this.#exits.get(client);
      this.#exits.delete(client);
      exit?.();
    });
  }

  override query(...parameters: readonly unknown[]): never {
    const run = super.query.bind(this) as Run;
    const isAwaited = typeof parameters.at(-1) !== "function";
    return (isAwaited ? withRetries(() => run(...parameters), isRolledBack) : run(...parameters)) as never;
  }

  /** Waiting work continues in its own context, and not in that of the work that returned the connection. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client))),
      );
    }
    const bound: Connected = AsyncLocalStorage.bind(callback);
    const { presence } = currentTrail();
    if (presence === undefined) return void super.connect(bound);
    // The holder of a connection never waits for callers that wait for it.
    if (this.#holders.has(presence)) return void super.connect(bound);
    const queue = presence.owner !== null ? this.#known : this.#unauthenticated;
    queue.enter(presence, (error) => {
      if (error !== null) return bound(error, undefined, () => undefined);
      super.connect((failure, client, release) => {
        if (client === undefined) queue.exit();
        else {
          this.#holders.add(presence);
          this.#exits.set(client, () => {
            this.#holders.delete(presence);
            queue.exit();
          });
        }
        bound(failure, client, release);
      });
    });
    return undefined;
  }
}

/** A client that repeats transactions, whose functions therefore change only the database. */
class RepeatingPrismaClient extends PrismaClient {
  override $transaction(...parameters: readonly unknown[]): never {
    const run = super.$transaction.bind(this) as Run;
    return withRetries(() => run(...parameters), isRolledBack) as never;
  }
}
