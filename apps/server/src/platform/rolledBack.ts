import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { PrismaClient } from "../_generated/prisma/client.ts";
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

export function repeatReads(reads: ReadQueries): ReadQueries {
  return { query: (statement) => withRetries(() => reads.query(statement), isRolledBack) };
}

type Run = (...parameters: readonly unknown[]) => Promise<unknown>;
type Connected = Parameters<pg.Pool["connect"]>[0];

/** A pool that repeats single statements. Those of a connection that was taken from it belong to a transaction. */
export class RepeatingPool extends pg.Pool {
  override query(...parameters: readonly unknown[]): never {
    const run = super.query.bind(this) as Run;
    const isAwaited = typeof parameters.at(-1) !== "function";
    return (isAwaited ? withRetries(() => run(...parameters), isRolledBack) : run(...parameters)) as never;
  }

  /** Waiting work continues in its own context, and not in that of the work that returned the connection. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return super.connect();
    super.connect(AsyncLocalStorage.bind(callback));
    return undefined;
  }
}

/** A client that repeats transactions, whose functions therefore change only the database. */
export class RepeatingPrismaClient extends PrismaClient {
  override $transaction(...parameters: readonly unknown[]): never {
    const run = super.$transaction.bind(this) as Run;
    return withRetries(() => run(...parameters), isRolledBack) as never;
  }
}
