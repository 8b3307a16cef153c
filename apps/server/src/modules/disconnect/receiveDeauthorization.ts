import type { SocialProvider } from "@social-connect/contract";
import { accountRevocationKeys, latestRemovedGrant } from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import type { DeauthorizedAccount } from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { beginRevocation } from "../revocations/providerRevocations.ts";
import type { Service } from "../service.ts";

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
  const ofAccount = {
    registrationId,
    OR: [{ providerAccountId: providerUserId }, { providerUserKey: providerUserId }],
    grant: { updatedAt: { lte: latestRemovedGrant(issuedAt, now) } },
  };
  await service.prisma.$transaction(async (transaction) => {
    const connections = await transaction.connection.findMany({ where: ofAccount });
    const ids = connections.map(({ id }) => id);
    for (const connection of connections) {
      // A concurrent code exchange for the account may have obtained a grant that is already revoked.
      const keys = accountRevocationKeys(connection);
      await beginRevocation(transaction, { ...connection, id: newId(), keys, endedAt: now });
    }
    await transaction.grant.updateMany({
      where: { connectionId: { in: ids } },
      data: { status: "GONE", updatedAt: now },
    });
    await transaction.connection.updateMany({
      where: { id: { in: ids } },
      data: { appRemovedAt: now, updatedAt: now },
    });
    await transaction.connection.updateMany({
      where: { id: { in: ids }, status: "CONNECTED" },
      data: { status: "RECONNECT_REQUIRED", updatedAt: now },
    });
  });
}
