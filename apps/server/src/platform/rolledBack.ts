import type pg from "pg";
import type { PrismaClient } from "../_generated/prisma/client.ts";
import type { ReadQueries } from "./readConnections.ts";
import { withRetries } from "./retry.ts";

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
export function isRolledBack(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, originalCode = code, message = "", cause, meta } = error as Reported;
  if (code === CONFLICT || STATES.has(originalCode)) return true;
  if (originalCode === INTERNAL && SPLIT_SHARD.test(message)) return true;
  return isRolledBack(cause) || isRolledBack(meta?.driverAdapterError);
}

type Parameters = readonly unknown[];

/** Repeats single statements. Those of a connection that was taken from the pool belong to a transaction. */
export function repeatStatements(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...parameters: Parameters) => Promise<unknown>;
  const repeated = (...parameters: Parameters) =>
    typeof parameters.at(-1) === "function"
      ? query(...parameters)
      : withRetries(() => query(...parameters), isRolledBack);
  pool.query = repeated as typeof pool.query;
}

export function repeatReads(reads: ReadQueries): ReadQueries {
  return { query: (statement) => withRetries(() => reads.query(statement), isRolledBack) };
}

/** Repeats transactions, whose functions therefore change only the database. */
export function repeatTransactions(prisma: PrismaClient): void {
  const run = prisma.$transaction.bind(prisma) as (...parameters: Parameters) => Promise<unknown>;
  const repeated = (...parameters: Parameters) => withRetries(() => run(...parameters), isRolledBack);
  prisma.$transaction = repeated as typeof prisma.$transaction;
}
