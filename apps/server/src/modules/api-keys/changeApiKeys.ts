import { type ApiKeyInput, accepted, adminKeyText, decideMintApiKey, decideRevokeApiKey } from "@social-connect/domain";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockAdmin } from "../admins/admins.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

export type MintedKey = Awaited<ReturnType<typeof mintApiKey>>;

/**
 * Mints a key for the signed-in admin. The limit of five active keys is exact under parallel calls: the admin's row is
 * locked. `key` is the complete key, of which only the hash is stored.
 */
export async function mintApiKey(service: Service, actor: SessionActor, input: ApiKeyInput) {
  const { mode } = service;
  const [id, secret] = [newId(), newSecretHex()];
  const apiKey = await adminTransaction(service, async (transaction, now) => {
    const admin = await lockAdmin(transaction, actor.memberId);
    const keys = await transaction.adminApiKey.findMany({
      where: { memberId: actor.memberId },
      select: { expiresAt: true, revokedAt: true },
    });
    const { audit, patch } = accepted(decideMintApiKey({ admin, keys, mode }, input, id, now));
    await recordAudit(transaction, actor, now, audit);
    const { issuer, subject } = actor;
    return transaction.adminApiKey.create({ data: { ...patch, issuer, subject, secretHash: sha256(secret) } });
  });
  return { apiKey, key: new Secret(adminKeyText({ keyId: id, secret })) };
}

/** Revokes any admin's key as of its next call. */
export async function revokeApiKey(service: Service, actor: AdminActor, id: string): Promise<AdminApiKey> {
  return adminTransaction(service, async (transaction, now) => {
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
