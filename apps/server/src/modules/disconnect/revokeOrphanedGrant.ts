import {
  connectsSince,
  decideOrphanEnd,
  decideOrphanRevoke,
  type GrantOwner,
  isOrphanedGrant,
  type OrphanRevokeResult,
} from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { lockAllUntilCommit } from "../../platform/database/locks.ts";
import { beginTrail } from "../../platform/log/telemetry.ts";
import { type ProviderAdapter, ProviderError } from "../../providers/contract.ts";
import { changeAttempt, lockAttempt } from "../connect/attemptRow.ts";
import { accountLocks } from "../connections/locks.ts";
import { isGrantShared, openOwner } from "../grants/grantOwner.ts";
import { readOrphanOwner } from "../grants/readOrphanOwner.ts";
import { revokePendingGrant } from "../grants/revokeGrant.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Revokes and deletes a grant without a connection, whose attempt failed after consent or whose process crashed. If it
 * cannot be revoked, the attempt's `creatorAction` requests that the user remove the app. A grant shared with a working
 * connection is only deleted: see `begin`.
 */
export async function revokeOrphanedGrant(service: Service, grant: RowKey): Promise<void> {
  const trace = { name: "revokeOrphanedGrant", kind: "consumer", correlationId: grant.id, parent: null } as const;
  await beginTrail(service.telemetry, trace, () => revokeGrant(service, grant));
}

async function revokeGrant(service: Service, grant: RowKey): Promise<void> {
  const orphan = await findGrant(service, grant);
  const now = await service.clock.now();
  if (orphan === null || !isOrphanedGrant(orphan, orphan.attempt, now)) return;
  await finish(service, orphan, await revoke(service, orphan, now), now);
}

function findGrant({ prisma }: Service, grant: RowKey) {
  return prisma.grant.findUnique({ where: keyOf(grant), include: { registration: true, attempt: true } });
}

type Orphan = NonNullable<Awaited<ReturnType<typeof findGrant>>>;

async function revoke(service: Service, orphan: Orphan, now: Date): Promise<OrphanRevokeResult> {
  const { provider } = orphan.registration;
  try {
    if (!(await begin(service, service.provider(provider), orphan, now))) return "shared";
    return await revokePendingGrant(service, provider, orphan);
  } catch (error) {
    // The retry limit also covers permanent errors, such as a grant that cannot be decrypted.
    const isExpected = error instanceof ProviderError;
    if (!isExpected)
      service.logger.error({ err: error, grantId: orphan.id }, "revoking a grant failed with an unexpected error");
    return { retryAfterSeconds: isExpected ? error.retryAfterSeconds : null, random: service.jitter() };
  }
}

/**
 * Decides, under the account's locks, whether the grant may be revoked, and if so records the revocation. An unknown
 * account is read first, because another subject may have connected it.
 */
async function begin(service: Service, adapter: ProviderAdapter, orphan: Orphan, now: Date): Promise<boolean> {
  if (!adapter.traits.revokeAffectsSiblings) return true;
  const { attempt, registrationId } = orphan;
  const owner = ownerOf(service, orphan) ?? (await readOrphanOwner(service, adapter, orphan));
  return service.prisma.$transaction(async (transaction) => {
    if (owner !== null && attempt !== null)
      await lockAllUntilCommit(transaction, accountLocks({ ...attempt, ...owner }));
    const isShared =
      (attempt !== null && (await transaction.connectAttempt.count({ where: connectsSince(attempt) })) > 0) ||
      (owner !== null && (await isGrantShared(transaction, registrationId, owner)));
    const followUps = decideOrphanRevoke(orphan, { owner, isShared });
    if (followUps !== null) await applyFollowUps(service, transaction, orphan.applicationId, followUps, now);
    return followUps !== null;
  });
}

/** null if the owner is unknown or cannot be decrypted; in the latter case the tokens cannot be decrypted either. */
function ownerOf(service: Service, grant: Orphan): GrantOwner | null {
  try {
    return openOwner(service.secretBox, grant);
  } catch (error) {
    service.logger.error({ err: error, grantId: grant.id }, "failed to decrypt the owner of a grant");
    return null;
  }
}

async function finish(service: Service, orphan: Orphan, result: OrphanRevokeResult, now: Date): Promise<void> {
  const { id, applicationId } = orphan;
  await service.prisma.$transaction(async (transaction) => {
    const attempt = orphan.attempt && (await lockAttempt(transaction, orphan.attempt));
    const end = decideOrphanEnd({ ...orphan, attempt }, result, now);
    if (end.type === "RETRY") {
      await applyFollowUps(service, transaction, applicationId, end.followUps, now);
      // Meanwhile another process may have revoked it.
      if (!(await lockOrphanedGrant(transaction, { id, applicationId }, now))) return;
      const retry = { startAfter: end.at, now };
      return service.queue.enqueue(transaction, "revokeOrphanedGrant", { id, applicationId }, retry);
    }
    const where = { id, applicationId, status: "PENDING", connectionId: null } as const;
    const { count } = await transaction.grant.deleteMany({ where });
    if (count > 0 && attempt !== null) await changeAttempt(service, transaction, attempt, end.attempt, now);
    await applyFollowUps(service, transaction, applicationId, end.followUps, now);
  });
}

/** Whether the grant is stored and no connection will use it. Locks it, unless another process does. */
export async function lockOrphanedGrant(
  transaction: Transaction,
  { id, applicationId }: RowKey,
  now: Date,
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM provider_grant AS row
     WHERE row.id = ${id}::uuid AND row.application_id = ${applicationId}::uuid AND ${orphanedGrantCondition(now)}
       FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

/**
 * The condition of grants that no connection will use, on the table as `row`. An import's grant is never revoked: it was the
 * user's before the import.
 */
export function orphanedGrantCondition(now: Date): Prisma.Sql {
  return Prisma.sql`row.status = 'PENDING' AND row.connection_id IS NULL AND row.import_line_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM connect_attempt WHERE connect_attempt.id = row.attempt_id AND connect_attempt.application_id = row.application_id
       AND status IN ('CREATED', 'AUTHORIZING', 'EXCHANGING') AND expires_at > ${timestamp(now)})`;
}
