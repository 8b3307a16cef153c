import { ConflictError, ROW_BUSY } from "@social-connect/domain";
import { databaseFault } from "../../platform/database/databaseFault.ts";
import { limitLockWait } from "../../platform/database/locks.ts";
import type { Service, Transaction } from "../service.ts";

/** How long a change waits for a row lock. */
const LOCK_TIMEOUT_MS = 2_000;

/** Lock not available in time, deadlock, serialization failure; Prisma has its own code for the last two. */
const BUSY: ReadonlySet<unknown> = new Set(["55P03", "40P01", "40001", "P2034"]);

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
    const { code } = Object(error) as { readonly code?: unknown };
    const isBusy = BUSY.has(code) || (error instanceof Error && BUSY.has(databaseFault(error)?.state));
    if (isBusy) throw new ConflictError("ROW_BUSY", ROW_BUSY.message, { cause: error });
    throw error;
  }
}
