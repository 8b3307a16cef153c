import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../_generated/prisma/client.ts";
import type { Logger } from "./logger.ts";
import { OpenConnections } from "./openConnections.ts";

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Most connections this process holds. */
  readonly poolSize: number;
  /** How long a caller waits for a free connection before it gets an error. */
  readonly connectTimeoutMs?: number;
  /** PostgreSQL ends a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** PostgreSQL ends a transaction that says nothing for this long: a process that hangs holds no lock. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Seen in pg_stat_activity. */
  readonly applicationName?: string;
  readonly logger?: Logger;
}

export interface Database {
  /** For hand-written SQL. */
  readonly pool: pg.Pool;
  /** The same connections, for the ordinary. */
  readonly prisma: PrismaClient;
  /** Settles when every connection is closed, those of other pools with this pool's `Client` included. */
  close(): Promise<void>;
}

/** The client-side bound comes later than the server's, so it speaks only when the server no longer answers at all. */
const UNANSWERED_EXTRA_MS = 5_000;

/** Opens nothing yet: connections are made as they are asked for, and made anew after the database was away. */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
  const connections = new OpenConnections();
  const pool = new pg.Pool({
    Client: connections.Client,
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + UNANSWERED_EXTRA_MS,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    application_name: options.applicationName ?? "social-connect",
  });
  // A connection that breaks while idle raises this; unheard, it would end the process. The pool replaces it by itself.
  pool.on("error", (error) => options.logger?.warn({ err: error }, "lost an idle database connection"));
  // The same for a connection that breaks while a caller holds it: the caller's statement fails, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: connectTimeoutMs, timeout: statementTimeoutMs },
  });
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      await connections.closed();
    },
  };
}

/** Readiness: true when the database answers within the bound. */
export async function databaseAnswers(pool: pg.Pool, timeoutMs = 2_000): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
  const answer = pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return Promise.race([answer, timeout]);
}
