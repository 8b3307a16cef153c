import {
  type CancelReconnects,
  type ConnectAttemptEvent,
  decideAbandon,
  type GrantOwner,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { isGrantShared, sealOwner, WORKING } from "../grants/grantOwner.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { changeAttempt, lockAttempt } from "./attemptRow.ts";
import { subject } from "./store.ts";

/** The pending grant of an attempt, and its account where that is known. */
export interface PendingGrant {
  readonly id: string;
  readonly owner: GrantOwner | null;
}

/** Ends an attempt that failed after the user's consent; `pending` is null if the code exchange failed. */
export async function abandonAttempt(
  service: Service,
  attempt: ConnectAttempt,
  event: ConnectAttemptEvent,
  pending: PendingGrant | null,
): Promise<ConnectAttempt> {
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    const current = (await lockAttempt(transaction, attempt)) ?? attempt;
    const facts = pending && { ...pending, isShared: await isShared(transaction, attempt, pending.owner) };
    const { patch, followUps } = decideAbandon(current, event, facts, now);
    for (const { type, grant } of followUps) {
      const key = { id: grant.id, applicationId: attempt.applicationId };
      if (type === "REVOKE_GRANT") await revokeLater(service, transaction, key, grant.owner, now);
      else await transaction.grant.deleteMany({ where: key });
    }
    return changeAttempt(service, transaction, current, patch, now);
  });
}

/** Stores the owner, because other subjects may connect the account before the job runs, which checks for sharing again. */
async function revokeLater(
  service: Service,
  transaction: Transaction,
  grant: RowKey,
  owner: GrantOwner | null,
  now: Date,
): Promise<void> {
  const ownerSealed = owner && sealOwner(service.secretBox, grant.id, owner);
  const data = { ...(ownerSealed && { ownerSealed }), updatedAt: now };
  const { count } = await transaction.grant.updateMany({ where: grant, data });
  // An attempt that ended during the exchange has no use for its grant: a sweep may have revoked it by now.
  if (count > 0) await service.queue.enqueue(transaction, "revokeOrphanedGrant", grant);
}

/** If the account is unknown, any working connection of the subject may share the grant. */
async function isShared(transaction: Transaction, attempt: ConnectAttempt, owner: GrantOwner | null): Promise<boolean> {
  const { registrationId, applicationId } = attempt;
  if (owner !== null) return isGrantShared(transaction, registrationId, owner);
  const ofSubject = { ...WORKING, registrationId, applicationId, ...subject(attempt) };
  return (await transaction.connection.count({ where: ofSubject })) > 0;
}

export async function cancelReconnects(
  transaction: Transaction,
  applicationId: string,
  { connectionId, statuses, createdBefore, patch }: CancelReconnects,
  now: Date,
): Promise<void> {
  const older = createdBefore && { createdAt: { lt: createdBefore } };
  const open = { status: { in: [...statuses] }, expiresAt: { gt: now } };
  await transaction.connectAttempt.updateMany({
    where: { applicationId, reconnectConnectionId: connectionId, ...open, ...older },
    data: { ...patch, codeVerifierSealed: null },
  });
}
