import { accepted, decideRevokeApiKey } from "@social-connect/domain";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

/** Revokes any admin's key as of its next call. */
export async function revokeApiKey(service: Service, actor: AdminActor, id: string): Promise<AdminApiKey> {
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const key = await lockApiKey(transaction, id);
    const change = accepted(decideRevokeApiKey(key, now));
    const where = { id: id.toLowerCase() };
    if (change === null) return transaction.adminApiKey.findUniqueOrThrow({ where });
    await recordAudit(transaction, actor, now, change.audit);
    return transaction.adminApiKey.update({ where, data: change.patch });
  });
}

async function lockApiKey(transaction: Transaction, id: string): Promise<AdminApiKey | null> {
  const keyId = asUuid(id);
  if (keyId === null) return null;
  await transaction.$queryRaw`SELECT 1 FROM admin_api_key WHERE id = ${keyId}::uuid FOR UPDATE`;
  return transaction.adminApiKey.findUnique({ where: { id: keyId } });
}
