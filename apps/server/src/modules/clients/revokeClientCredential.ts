import { AUDITED } from "@social-connect/domain";
import type { ApplicationKey } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockClient } from "./changeClient.ts";

/** Ends an application key at its next call. One that was revoked before stays as it is. */
export async function revokeClientCredential(
  service: Service,
  actor: AdminActor,
  clientId: string,
  keyId: string,
): Promise<ApplicationKey> {
  const id = asUuid(keyId);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, clientId);
    const key = id && (await transaction.applicationKey.findFirst({ where: { id, applicationId: client.id } }));
    if (!key) throw new NotFoundError("The application key");
    if (key.revokedAt !== null) return key;
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.applicationKeyRevoked(key.id),
      target: { type: "CLIENT", id: client.id },
      clientSlug: client.slug,
    });
    return transaction.applicationKey.update({ where: { id: key.id }, data: { revokedAt: now } });
  });
}
