import { decideRevokeAttempt, type RevokeResult, settleRevoke } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import type { ProviderError } from "../../providers/contract.ts";
import { revokeGrantOfConnection } from "../grants/revokeGrant.ts";
import { applyJobChange, connectionOf, inAttempt, runAttempt } from "../jobs/jobAttempt.ts";
import { asProviderError } from "../jobs/recordRead.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { type Position, rowSweep, timestamp } from "../sweeps/sweep.ts";
import { applyFollowUps, lockSettlement } from "./applyFollowUps.ts";

/**
 * Revokes the grant of a disconnected connection at the provider. Retries transient failures for up to 24 hours. After
 * that, or after a rejection, the receipt requests that the user remove the app at the provider.
 */
export async function runRevoke(service: Service, row: RowKey): Promise<void> {
  await runAttempt(service, row, async (job) => {
    const result = await tryRevoke(service, job);
    const now = await service.clock.now();
    await inAttempt(service, job, async (locked) => {
      const change = decideRevokeAttempt(job, result, locked.connection, service.jitter, now);
      await applyJobChange(service, locked, job, change.job, now);
      await applyFollowUps(service, locked.transaction, job.applicationId, change.followUps, now);
    });
  });
}

async function tryRevoke(service: Service, job: Job): Promise<RevokeResult | ProviderError> {
  const connection = await service.prisma.connection.findUnique({ where: keyOf(connectionOf(job)) });
  if (connection?.appRemovedAt != null) return "app-removed";
  try {
    return await revokeGrantOfConnection(service, job.provider, connectionOf(job));
  } catch (error) {
    return asProviderError(service, job, error);
  }
}

/**
 * Reconciles settlement records whose revoke has ended: re-enqueues missing re-checks of suspended connections, and
 * deletes records without suspended connections, whose last sibling was disconnected or reconnected.
 */
export const RECONCILE_REVOKE_SETTLEMENTS = rowSweep("reconcileRevokeSettlements", {
  batchSize: 100,
  find: ({ prisma }, _now, after, limit) => prisma.$queryRaw<(Position & RowKey)[]>`
    SELECT settlement.revoke_job_id AS id, settlement.application_id AS "applicationId", settlement.created_at AS "createdAt" FROM revoke_settlement settlement
     WHERE (settlement.created_at, settlement.revoke_job_id) > (${timestamp(after.createdAt)}, ${after.id}::uuid)
       AND NOT EXISTS (SELECT 1 FROM job WHERE id = settlement.revoke_job_id
                          AND application_id = settlement.application_id AND status IN ('QUEUED', 'RUNNING'))
       AND (NOT EXISTS (
         SELECT 1 FROM connection
          WHERE suspended_by_job_id = settlement.revoke_job_id AND application_id = settlement.application_id
            AND status = 'SUSPENDED')
       OR EXISTS (
         SELECT 1 FROM connection waiting
          WHERE waiting.suspended_by_job_id = settlement.revoke_job_id
            AND waiting.application_id = settlement.application_id AND waiting.status = 'SUSPENDED'
            AND NOT EXISTS (SELECT 1 FROM job WHERE connection_id = waiting.id
                               AND application_id = settlement.application_id AND kind = 'RECHECK'
                               AND status IN ('QUEUED', 'RUNNING'))))
     ORDER BY settlement.created_at, settlement.revoke_job_id LIMIT ${limit}`,
  handle: (service, { id, applicationId }, now) =>
    service.prisma.$transaction(async (transaction) => {
      await lockSettlement(transaction, { id, applicationId });
      await applyFollowUps(service, transaction, applicationId, settleRevoke(id), now);
    }),
});
