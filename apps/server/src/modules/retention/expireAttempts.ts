import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { attemptEvent, changeAttempt, UNFINISHED_STATUSES } from "@social-connect/domain";
import { type ConnectAttempt, Prisma } from "../../_generated/prisma/client.ts";
import { ownedBy } from "../../platform/distribution/shardGroups.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { groupSweep, idsOf, type Sweep, timestamp, updateSweep } from "../sweeps/sweep.ts";

const UNFINISHED = Prisma.raw(UNFINISHED_STATUSES.map((status) => `'${status}'`).join(", "));

/**
 * Stores the EXPIRED status that readers of overdue attempts already see, and clears data that only an unfinished
 * attempt needs. The state hash remains, so that a late callback shows the expiry page instead of an unknown state.
 * Source: service description, part 3.
 */
const EXPIRE_CONNECT_ATTEMPTS = groupSweep(
  "expireConnectAttempts",
  {
    table: "connect_attempt",
    order: "status, expires_at",
    due: (now) => Prisma.sql`status IN (${UNFINISHED}) AND expires_at <= ${timestamp(now)}`,
  },
  ({ prisma, queue }, group, due, now) =>
    prisma.$transaction(async (transaction) => {
      const overdue = await transaction.$queryRaw<Pick<ConnectAttempt, "id" | "status" | "provider">[]>`
        SELECT id, status::text AS status, provider::text AS provider FROM connect_attempt
         WHERE ${ownedBy(group)} AND id = ANY(${idsOf(group)}::uuid[]) AND ${due} FOR UPDATE SKIP LOCKED`;
      const applicationId = { in: [...group.applicationIds] };
      for (const provider of SOCIAL_PROVIDERS) {
        for (const status of UNFINISHED_STATUSES) {
          const ids = overdue.filter((one) => one.status === status && one.provider === provider).map(({ id }) => id);
          if (ids.length === 0) continue;
          const data = { ...changeAttempt({ status, provider }, "DEADLINE_PASSED"), codeVerifierSealed: null };
          const where = { applicationId, id: { in: ids } };
          const expired = await transaction.connectAttempt.updateManyAndReturn({ where, data });
          await recordEvents({ queue }, transaction, now, expired.map(attemptEvent));
        }
      }
      return overdue.length;
    }),
);

const EXPIRE_IDENTITY_ATTEMPTS = updateSweep("expireIdentityAttempts", {
  table: "identity_attempt",
  order: "expires_at",
  due: (now) => Prisma.sql`status = 'PENDING' AND expires_at <= ${timestamp(now)}`,
  set: Prisma.sql`status = 'EXPIRED', exchange_sealed = NULL`,
});

export const EXPIRE_ATTEMPTS: readonly Sweep[] = [EXPIRE_CONNECT_ATTEMPTS, EXPIRE_IDENTITY_ATTEMPTS];
