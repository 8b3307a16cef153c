import { settleRevoke } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { applyFollowUps, lockSettlement } from "./applyFollowUps.ts";

const BATCH = 100;

/**
 * Reconciles settlement records whose revoke has ended: re-enqueues missing re-checks of suspended connections, and
 * deletes records without suspended connections, whose last sibling was disconnected or reconnected.
 */
export async function reconcileRevokeSettlements(service: Service): Promise<void> {
  const ended = await service.prisma.$queryRaw<{ id: string }[]>`
    SELECT settlement.revoke_job_id AS id FROM revoke_settlement settlement
     WHERE NOT EXISTS (SELECT 1 FROM job WHERE id = settlement.revoke_job_id AND status IN ('QUEUED', 'RUNNING'))
       AND (NOT EXISTS (
         SELECT 1 FROM connection
          WHERE suspended_by_job_id = settlement.revoke_job_id AND status = 'SUSPENDED')
       OR EXISTS (
         SELECT 1 FROM connection waiting
          WHERE waiting.suspended_by_job_id = settlement.revoke_job_id AND waiting.status = 'SUSPENDED'
            AND NOT EXISTS (SELECT 1 FROM job WHERE connection_id = waiting.id AND kind = 'RECHECK'
                               AND status IN ('QUEUED', 'RUNNING'))))
     ORDER BY settlement.created_at LIMIT ${BATCH}`;
  const now = await service.clock.now();
  for (const { id } of ended) {
    await service.prisma.$transaction(async (transaction) => {
      await lockSettlement(transaction, id);
      await applyFollowUps(service, transaction, settleRevoke(id), now);
    });
  }
}
