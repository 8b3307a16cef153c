import type { Application } from "../../_generated/prisma/client.ts";
import { lockForShareUntilCommit, lockUntilCommit } from "../../platform/database/locks.ts";
import type { Transaction } from "../service.ts";

/**
 * Returns the current application, which does not change until the transaction ends. A change of the application ends the
 * attempts that it no longer allows, so a concurrent transaction must not add one. Not a lock of the row: on Citus, where
 * each node has a copy of the table, that locks the whole table.
 */
export async function lockApplicationForShare(transaction: Transaction, id: string): Promise<Application> {
  await lockForShareUntilCommit(transaction, ...lockName(id));
  return transaction.application.findUniqueOrThrow({ where: { id } });
}

/** Returns the current application, for a change of it or its keys; null for an unknown id. */
export async function lockApplicationForChange(transaction: Transaction, id: string): Promise<Application | null> {
  await lockUntilCommit(transaction, ...lockName(id));
  return transaction.application.findUnique({ where: { id } });
}

function lockName(id: string): readonly string[] {
  return ["application", id];
}
