import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { orderRecheck, orderRechecks } from "../connections/orderRechecks.ts";
import { endRevocation } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * Runs after every revoke, regardless of its result: re-checks each account that it suspended, and resumes the erasure,
 * which retained the credential for it. The caller has locked the connection's row, as the erasure does when it decides
 * to wait.
 */
export async function settleRevoke(
  service: Service,
  transaction: Transaction,
  revoke: { readonly id: string; readonly connection: Connection | null },
  now: Date,
): Promise<void> {
  const { connection } = revoke;
  // First, because it waits for re-checks that found the revoke in progress; the queries below then see their changes.
  await endRevocation(transaction, revoke.id, now);
  const suspended = await transaction.connection.findMany({
    where: { suspendedByJobId: revoke.id, status: "SUSPENDED" },
    orderBy: { id: "asc" },
  });
  for (const sibling of suspended) await orderRecheck(service, transaction, sibling, now);
  await dropWhenSettled(transaction, revoke.id);
  if (connection === null) return;
  if (service.provider(connection.provider).traits.revokeAffectsSiblings) {
    await orderRechecks(service, transaction, sharedByOtherApplications(connection), now);
  }
  await resumeErasure(service, transaction, connection.eraseJobId);
}

/** Several applications can share one OAuth client, and the provider revokes the account's grants for all of them. */
function sharedByOtherApplications(connection: Connection): Prisma.ConnectionWhereInput {
  const { applicationId, registrationId, providerAccountId, providerUserKey } = connection;
  return {
    applicationId: { not: applicationId },
    registrationId,
    OR: [{ providerAccountId }, ...(providerUserKey === null ? [] : [{ providerUserKey }])],
  };
}

async function resumeErasure(service: Service, transaction: Transaction, eraseJobId: string | null): Promise<void> {
  if (eraseJobId === null) return;
  const { count } = await transaction.job.updateMany({
    where: { id: eraseJobId, status: "QUEUED" },
    data: { nextRetryAt: null },
  });
  // A running erasure checks the revoke's status before it waits.
  if (count > 0) await service.queue.enqueue(transaction, "erase", { id: eraseJobId });
}

/** Locks the settlement record, so that the last two concurrent re-checks see each other's changes. */
export async function lockSettlement(transaction: Transaction, revokeJobId: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM revoke_settlement WHERE revoke_job_id = ${revokeJobId}::uuid FOR UPDATE`;
}

/** Lets the scope connect again once the revoke has ended and no connection is suspended by it. */
export async function dropWhenSettled(transaction: Transaction, revokeJobId: string): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM revoke_settlement settlement
     WHERE settlement.revoke_job_id = ${revokeJobId}::uuid
       AND NOT EXISTS (SELECT 1 FROM connection WHERE suspended_by_job_id = settlement.revoke_job_id AND status = 'SUSPENDED')
       AND NOT EXISTS (SELECT 1 FROM job WHERE id = settlement.revoke_job_id AND status IN ('QUEUED', 'RUNNING'))`;
}
