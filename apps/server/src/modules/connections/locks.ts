import type { SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Transaction } from "../service.ts";

/**
 * Acquired by every operation that adds or ends a subject's accounts at a provider: attempts, completions and
 * disconnects.
 */
export function subjectLock(applicationId: string, provider: SocialProvider, scope: SubjectScope): readonly string[] {
  return ["subject", applicationId, provider, scope.tenantKey, scope.externalSubjectId];
}

/** The account of a completion or a disconnect. */
export type LockedAccount = Pick<Connection, "applicationId" | "provider" | "providerAccountId" | "providerUserKey">;

/**
 * Locks for completions and disconnects: one for each way in which two connections can be siblings (see `isSibling`).
 * The second of two related operations then sees the first one's changes.
 */
export function siblingLocks(account: LockedAccount, scope: SubjectScope): (readonly string[])[] {
  return [subjectLock(account.applicationId, account.provider, scope), ...accountLocks(account)];
}

/** The account locks, for a revocation without a connection. */
export function accountLocks(account: LockedAccount): (readonly string[])[] {
  const { applicationId, provider, providerAccountId, providerUserKey } = account;
  const locks: (readonly string[])[] = [["provider-account", applicationId, provider, providerAccountId]];
  if (providerUserKey !== null) locks.push(["provider-user", applicationId, provider, providerUserKey]);
  return locks;
}

/**
 * Locks the connection. All transactions lock the connection before the job, so a disconnect that cancels jobs cannot
 * deadlock with a worker.
 */
export async function lockConnection(transaction: Transaction, connection: RowKey): Promise<Connection | null> {
  const { id, applicationId } = connection;
  await transaction.$queryRaw`
    SELECT 1 FROM connection WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
  return transaction.connection.findUnique({ where: keyOf(connection) });
}
