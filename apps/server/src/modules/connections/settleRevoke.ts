import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Service, Transaction } from "../service.ts";
import { scopeHash } from "./scopeHash.ts";

/**
 * What follows the end of a revoke, however it ended: each account that it suspended is re-checked, and the erasure, which
 * kept the credential for it, goes on. The caller holds the connection's row, as the erasure does when it decides to wait.
 */
export async function settleRevoke(
  service: Service,
  transaction: Transaction,
  revoke: { readonly id: string; readonly eraseJobId: string | null },
  now: Date,
): Promise<void> {
  const suspended = await transaction.connection.findMany({
    where: { suspendedByJobId: revoke.id, status: "SUSPENDED" },
    orderBy: { id: "asc" },
  });
  for (const sibling of suspended) await orderRecheck(service, transaction, sibling, now);
  await dropWhenSettled(transaction, revoke.id);

  if (revoke.eraseJobId === null) return;
  const { count } = await transaction.job.updateMany({
    where: { id: revoke.eraseJobId, status: "QUEUED" },
    data: { nextRetryAt: null },
  });
  // A running one asks by itself how the revoke ended before it waits.
  if (count > 0) await service.queue.enqueue(transaction, "erase", { id: revoke.eraseJobId });
}

/** Orders the re-check of a suspended connection, unless one is under way. */
export async function orderRecheck(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const underWay = await transaction.job.count({
    where: { connectionId: connection.id, kind: "RECHECK", status: { in: ["QUEUED", "RUNNING"] } },
  });
  if (underWay > 0) return;
  const job = await transaction.job.create({
    data: {
      id: newId(),
      applicationId: connection.applicationId,
      connectionId: connection.id,
      scopeHash: scopeHash(connection.id, connection),
      provider: connection.provider,
      kind: "RECHECK",
      status: "QUEUED",
      background: true,
      createdAt: now,
    },
  });
  await service.queue.enqueue(transaction, "recheck", { id: job.id });
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
