import { settleRevoke } from "@social-connect/domain";
import type { RowKey } from "../rowKey.ts";
import { type Position, rowSweep, timestamp } from "../sweeps/sweep.ts";
import { applyFollowUps, lockSettlement } from "./applyFollowUps.ts";

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
