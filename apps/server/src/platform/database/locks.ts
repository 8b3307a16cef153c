import type { Prisma } from "../../_generated/prisma/client.ts";

/**
 * Acquires a lock until the transaction ends. Counted limits (five attempts, twenty jobs) are exact only under a lock:
 * count-then-insert let 26 of 40 parallel calls through a limit of 5.
 */
export async function lockUntilCommit(
  transaction: Prisma.TransactionClient,
  ...name: readonly string[]
): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0))`;
}

/** As `lockUntilCommit`, but together with others that share the lock. */
export async function lockForShareUntilCommit(
  transaction: Prisma.TransactionClient,
  ...name: readonly string[]
): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${JSON.stringify(name)}, 0))`;
}

/** Where two locks are needed, they are acquired in this order. */
export async function lockAllUntilCommit(
  transaction: Prisma.TransactionClient,
  names: readonly (readonly string[])[],
): Promise<void> {
  const ordered = [...new Set(names.map((name) => JSON.stringify(name)))].sort();
  for (const name of ordered) await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/**
 * Bounds how long the transaction's statements wait for a lock. The first setting makes Citus apply the second one on its
 * workers; PostgreSQL ignores it.
 */
export async function limitLockWait(transaction: Prisma.TransactionClient, timeoutMs: number): Promise<void> {
  await transaction.$executeRaw`SET LOCAL citus.propagate_set_commands = 'local'`;
  await transaction.$executeRawUnsafe(`SET LOCAL lock_timeout = ${timeoutMs}`);
}
