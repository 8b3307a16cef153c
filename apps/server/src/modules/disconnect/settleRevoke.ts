import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { orderRecheck, orderRechecks } from "../connections/orderRechecks.ts";
import { endRevocation } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * What follows the end of a revoke, however it ended: each account that it suspended is re-checked, and the erasure, which
 * kept the credential for it, goes on. The caller holds the connection's row, as the erasure does when it decides to wait.
 */
export async function settleRevoke(
  service: Service,
  transaction: Transaction,
  revoke: { readonly id: string; readonly connection: Connection | null },
  now: Date,
): Promise<void> {
  const { connection } = revoke;
  // First, because it waits for re-checks that found the revoke under way; what they changed is then seen below.
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

/** One client at the provider can serve several applications, and the provider ends the account's grants for all of them. */
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
  // A running one asks by itself how the revoke ended before it waits.
  if (count > 0) await service.queue.enqueue(transaction, "erase", { id: eraseJobId });
}

/** Locks the record of a settling revoke, so that of the last two re-checks the second sees what the first did. */
export async function lockSettlement(transaction: Transaction, revokeJobId: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM revoke_settlement WHERE revoke_job_id = ${revokeJobId}::uuid FOR UPDATE`;
}

/** Once the revoke has ended and nobody waits for it, the scope may connect at the provider again. */
export async function dropWhenSettled(transaction: Transaction, revokeJobId: string): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM revoke_settlement settlement
     WHERE settlement.revoke_job_id = ${revokeJobId}::uuid
       AND NOT EXISTS (SELECT 1 FROM connection WHERE suspended_by_job_id = settlement.revoke_job_id AND status = 'SUSPENDED')
       AND NOT EXISTS (SELECT 1 FROM job WHERE id = settlement.revoke_job_id AND status IN ('QUEUED', 'RUNNING'))`;
}
