import type { SocialProvider } from "@social-connect/contract";
import { connectionsOfOwner, decideDeauthorization } from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import type { DeauthorizedAccount } from "../../providers/contract.ts";
import { lockConnection } from "../jobs/jobAttempt.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Handles a provider's signed message that a user removed the app. Marks the grants of the account's connections as
 * revoked; a later disconnect has nothing to revoke. Registrations can share a client and its secret, for example an old
 * and a new one: the message concerns the connections of every registration whose secret it fits. Returns false if no registration's secret
 * signed it.
 *
 * @throws SecretBoxError if none fits, and the secret of one cannot be read
 */
export async function receiveDeauthorization(
  service: Service,
  provider: SocialProvider,
  signedRequest: string,
): Promise<boolean> {
  const verify = service.provider(provider).verifyDeauthorization?.bind(service.provider(provider));
  if (verify === undefined) return false;
  const now = await service.clock.now();
  let isGenuine = false;
  let unreadable: SecretBoxError | null = null;
  for (const registration of await service.prisma.providerRegistration.findMany({ where: { provider } })) {
    try {
      const account = verify(registrationAccess(service, registration, now), signedRequest);
      if (account === null) continue;
      isGenuine = true;
      await endGrants(service, registration.id, account, now);
    } catch (error) {
      // One registration that cannot be read does not hide the message from the others.
      if (!(error instanceof SecretBoxError)) throw error;
      unreadable = error;
    }
  }
  if (!isGenuine && unreadable !== null) throw unreadable;
  return isGenuine;
}

async function endGrants(
  service: Service,
  registrationId: string,
  { providerUserId, issuedAt }: DeauthorizedAccount,
  now: Date,
): Promise<void> {
  const owner = { providerAccountId: providerUserId, providerUserKey: providerUserId };
  const where = connectionsOfOwner(registrationId, owner);
  await service.prisma.$transaction(async (transaction) => {
    const select = { id: true, applicationId: true } as const;
    for (const found of await transaction.connection.findMany({ where, select, orderBy: { id: "asc" } })) {
      const { id: connectionId, applicationId } = found;
      const connection = await lockConnection(transaction, found);
      const grant = await transaction.grant.findUnique({
        where: { connectionId_applicationId: { connectionId, applicationId } },
      });
      const change = connection && decideDeauthorization({ connection, grant }, issuedAt, newId(), now);
      if (change === null) continue;
      await transaction.connection.update({ where: keyOf(found), data: change.patch });
      await applyFollowUps(service, transaction, applicationId, change.followUps, now);
    }
  });
}
