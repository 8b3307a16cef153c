import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, eventInTime } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import type { GrantOwner } from "../grants/grantOwner.ts";
import { isGrantShared, sealOwner, WORKING } from "../grants/grantOwner.ts";
import type { Service, Transaction } from "../service.ts";
import { move } from "./receiveCallback.ts";
import { lockAttempt, subject } from "./store.ts";

/**
 * Ends an attempt that failed after the person had consented. The grant is revoked where the provider can revoke it; where
 * it cannot, the credential is deleted and the result says that the person has to remove the app there. A grant that a
 * working connection shares (the same account is connected elsewhere) is only deleted: revoking it would end that
 * connection. Where the account is unknown (`owner` is null), it may be that of any working connection of the subject:
 * whoever reconnects and unticks everything must not lose what they have.
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
        // Other subjects may connect the account before the revoke is made, which is then asked again.
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
