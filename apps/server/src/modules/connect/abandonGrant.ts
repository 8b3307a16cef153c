import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, eventInTime } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import type { GrantOwner } from "../grants/grantOwner.ts";
import { isGrantShared, sealOwner, WORKING } from "../grants/grantOwner.ts";
import type { Service, Transaction } from "../service.ts";
import { move } from "./receiveCallback.ts";
import { lockAttempt, subject } from "./store.ts";

/**
 * Fails an attempt after the user's consent. Revokes the grant where the provider supports it; otherwise deletes the
 * credential and sets `creatorAction`, so that the user removes the app at the provider. A grant shared with a working
 * connection is only deleted, because revoking it would end that connection. If the account is unknown (`owner` is
 * null), any working connection of the subject may share it.
 */
export async function abandonGrant(
  service: Service,
  attempt: ConnectAttempt,
  grantId: string,
  event: ConnectAttemptEvent,
  owner: GrantOwner | null,
): Promise<ConnectAttempt> {
  const { canRevoke } = service.provider(attempt.provider).traits;
  const ending = eventInTime(attempt, event, await service.clock.now());
  return service.prisma.$transaction(async (transaction) => {
    const current = await lockAttempt(transaction, attempt.id);
    const failed = current?.status === "EXCHANGING" ? await move(transaction, current, ending) : (current ?? attempt);
    if (canRevoke && !(await isShared(transaction, attempt, owner))) {
      if (owner !== null) {
        // Other subjects may connect the account before the revoke runs, so the job checks for sharing again.
        const data = { ownerSealed: sealOwner(service.secretBox, grantId, owner) };
        await transaction.grant.updateMany({ where: { id: grantId }, data });
      }
      await service.queue.enqueue(transaction, "revokeOrphanedGrant", { id: grantId });
      return failed;
    }
    await transaction.grant.deleteMany({ where: { id: grantId } });
    if (canRevoke) return failed;
    return transaction.connectAttempt.update({
      where: { id: attempt.id },
      data: { creatorAction: attemptCreatorAction(true) },
    });
  });
}

async function isShared(transaction: Transaction, attempt: ConnectAttempt, owner: GrantOwner | null): Promise<boolean> {
  const { registrationId, applicationId } = attempt;
  if (owner !== null) return isGrantShared(transaction, registrationId, owner);
  const ofSubject = { ...WORKING, registrationId, applicationId, ...subject(attempt) };
  return (await transaction.connection.count({ where: ofSubject })) > 0;
}
