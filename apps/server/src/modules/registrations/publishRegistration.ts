import { accepted, checkPublishable, conflict, decidePublishRegistration } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockRegistration } from "./changeRegistration.ts";
import { isClientSecretUsable } from "./clientSecret.ts";
import { probeAddresses } from "./probeAddresses.ts";
import { readRegistration } from "./readRegistrations.ts";
import { readAddresses } from "./registrationParts.ts";

/**
 * Publishes a registration after its URLs responded like the provider. No transaction is open while they are probed. A sweep plans
 * the reads of its connections that are late.
 */
export async function publishRegistration(
  service: Service,
  actor: SessionActor,
  id: string,
): Promise<ProviderRegistration> {
  const now = await service.clock.now();
  const probed = await readRegistration(service, id);
  accepted(checkPublishable({ ...probed, addresses: readAddresses(probed) }, service.mode));
  const message = "The registration was changed outside of the service. Check it, and enter the client secret again.";
  if (!isClientSecretUsable(service.secretBox, probed)) accepted(conflict(null, message));
  const probe = { updatedAt: probed.updatedAt, problems: await probeAddresses(service, probed, now) };
  return adminTransaction(service, async (transaction) => {
    const registration = await lockRegistration(transaction, id);
    const { patch, audit } = accepted(decidePublishRegistration({ registration, probe }, now));
    await recordAudit(transaction, actor, now, audit);
    return transaction.providerRegistration.update({ where: { id: probed.id }, data: { ...patch, catchUpSince: now } });
  });
}
