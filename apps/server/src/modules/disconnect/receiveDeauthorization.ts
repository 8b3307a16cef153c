import type { SocialProvider } from "@social-connect/contract";
import { connectionsOfOwner, decideDeauthorization } from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import type { DeauthorizedAccount } from "../../providers/contract.ts";
import { lockConnection } from "../jobs/jobAttempt.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Handles a provider's signed message that a user removed the app. Marks the grants of the account's connections as
 * revoked; a later disconnect has nothing to revoke. Returns false if no registration's secret signed it.
 */
export async function receiveDeauthorization(
  service: Service,
  provider: SocialProvider,
  signedRequest: string,
): Promise<boolean> {
  const verify = service.provider(provider).verifyDeauthorization?.bind(service.provider(provider));
  if (verify === undefined) return false;
  const now = await service.clock.now();
  const registrations = await service.prisma.providerRegistration.findMany({ where: { provider } });
  for (const registration of registrations) {
    const account = verify(registrationAccess(service, registration, now), signedRequest);
    if (account === null) continue;
    await endGrants(service, registration.id, account, now);
    return true;
  }
  return false;
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
