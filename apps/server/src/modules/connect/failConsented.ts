import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import type { ProviderAccount } from "../../providers/contract.ts";
import type { Service, Transaction } from "../service.ts";
import { move } from "./receiveCallback.ts";
import { lockAttempt } from "./store.ts";

/** Whose grant it is, as far as that was told. */
export type KnownAccount = Pick<ProviderAccount, "providerAccountId" | "providerUserKey">;

/**
 * Ends an attempt that failed after the person had consented. The grant goes back to the provider where it can take it;
 * where it cannot, the credential is deleted and the result says that the person has to remove the app there. A grant
 * that a living connection shares (the same account is connected elsewhere) is only forgotten: giving it back would end
 * that connection. Where nobody knows whose grant it is (`account` is null), it may be that of any living connection of
 * the subject: whoever reconnects and unticks everything must not lose what they have.
 */
export async function failConsented(
  service: Service,
  attempt: ConnectAttempt,
  grantId: string,
  event: ConnectAttemptEvent,
  account: KnownAccount | null,
): Promise<ConnectAttempt> {
  const { canRevoke } = service.provider(attempt.provider).traits;
  return service.prisma.$transaction(async (transaction) => {
    const current = await lockAttempt(transaction, attempt.id);
    const failed = current?.status === "EXCHANGING" ? await move(transaction, current, event) : (current ?? attempt);
    if (canRevoke && !(await isShared(transaction, attempt, account))) {
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

async function isShared(
  transaction: Transaction,
  attempt: ConnectAttempt,
  account: KnownAccount | null,
): Promise<boolean> {
  const { registrationId, provider, applicationId, tenantKey, externalSubjectId } = attempt;
  const living = { liveAccountId: { not: null } };
  const same =
    account === null
      ? [{ applicationId, tenantKey, externalSubjectId, ...living }]
      : [
          { liveAccountId: account.providerAccountId },
          ...(account.providerUserKey === null ? [] : [{ providerUserKey: account.providerUserKey, ...living }]),
        ];
  return (await transaction.connection.count({ where: { registrationId, provider, OR: same } })) > 0;
}
