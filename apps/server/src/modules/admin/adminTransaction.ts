import { ConflictError, ROW_BUSY } from "@social-connect/domain";
import { limitLockWait } from "../../platform/database/locks.ts";
import type { Service, Transaction } from "../service.ts";

/** How long a change waits for a row lock. */
const LOCK_TIMEOUT_MS = 2_000;

/** PostgreSQL: lock not available in time, deadlock, serialization failure. */
const BUSY = /\b(?:55P03|40P01|40001)\b/;

/**
 * Runs an admin's change with its audit entry in one transaction. A row that is locked for longer is CONFLICT with
 * ROW_BUSY (service description, part 7).
 */
export async function adminTransaction<Result>(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  work: (transaction: Transaction, now: Date) => Promise<Result>,
): Promise<Result> {
  const now = await clock.now();
  try {
    return await prisma.$transaction(async (transaction) => {
      await limitLockWait(transaction, LOCK_TIMEOUT_MS);
      return await work(transaction, now);
    });
  } catch (error) {
    if (isBusy(error)) throw new ConflictError("ROW_BUSY", ROW_BUSY.message, { cause: error });
    throw error;
  }
}

/**
 * Prisma reports the database's code in different places: for raw statements in `meta`, for others in the driver's
 * error.
 */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, meta, cause } = error as Error & { code?: unknown; meta?: unknown };
  // P2034: Prisma's own code for a write conflict or a deadlock.
  return code === "P2034" || BUSY.test(String(code)) || BUSY.test(describe(meta)) || isBusy(cause);
}

function describe(meta: unknown): string {
  if (typeof meta !== "object" || meta === null) return "";
  const { driverAdapterError, code } = meta as { driverAdapterError?: { cause?: unknown }; code?: unknown };
  return JSON.stringify([code, driverAdapterError?.cause]);
}
