import { AUDITED } from "@social-connect/domain";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

/** Ends a key, anybody's. One that was revoked before stays as it is. Source: service description, part 5, admin rule 6. */
export async function revokeApiKey(service: Service, actor: AdminActor, id: string): Promise<AdminApiKey> {
  const keyId = asUuid(id);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    if (keyId === null) throw new NotFoundError("The key");
    const { count } = await transaction.adminApiKey.updateMany({
      where: { id: keyId, revokedAt: null },
      data: { revokedAt: now },
    });
    const key = await transaction.adminApiKey.findUnique({ where: { id: keyId } });
    if (key === null) throw new NotFoundError("The key");
    if (count === 0) return key;
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.apiKeyRevoked(key),
      target: { type: "API_KEY", id: keyId },
    });
    return key;
  });
}
