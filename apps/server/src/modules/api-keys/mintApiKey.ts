import type { AdminKeyScope } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import {
  AUDITED,
  adminKeyText,
  checkAdminKeyLabel,
  checkAdminKeyLifetime,
  checkNewAdminKey,
  keyExpiry,
} from "@social-connect/domain";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { SessionActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, enforceInput } from "../admin/errors.ts";
import { lockAdmin } from "../admins/readAdmins.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

export interface MintInput {
  readonly label: string;
  readonly scope: AdminKeyScope;
  readonly lifetimeDays: number;
}

export interface MintedKey {
  readonly apiKey: AdminApiKey;
  /** The whole key, as it is sent. It leaves the service here and nowhere else; its hash is kept. */
  readonly key: Secret;
}

/**
 * Mints an admin key for the signed-in member. CONFLICT with KEY_LIMIT for a sixth
 * active one, exactly, whatever runs in parallel: the member's row is held. Source: service description, part 5, admin.
 */
export async function mintApiKey(service: Service, actor: SessionActor, input: MintInput): Promise<MintedKey> {
  const now = await service.clock.now();
  enforceInput("label", checkAdminKeyLabel(input.label));
  enforceInput("lifetimeDays", checkAdminKeyLifetime(input.lifetimeDays, service.mode));
  const [id, secret] = [newId(), newSecretHex()];
  const apiKey = await adminTransaction(service, async (transaction) => {
    const member = await lockAdmin(transaction, actor.memberId);
    const keys = await transaction.adminApiKey.findMany({
      where: { memberId: member.id },
      select: { expiresAt: true, revokedAt: true },
    });
    const limit = checkNewAdminKey(keys, now);
    if (limit !== null) throw new ConflictError(limit, `You have ${LIMITS.activeAdminKeys} active keys already.`);
    const minted = await transaction.adminApiKey.create({
      data: {
        id,
        memberId: member.id,
        createdBy: member.email,
        issuer: actor.issuer,
        subject: actor.subject,
        label: input.label,
        scope: input.scope,
        secretHash: sha256(secret),
        createdAt: now,
        expiresAt: keyExpiry(now, input.lifetimeDays),
      },
    });
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.apiKeyMinted(input),
      target: { type: "API_KEY", id },
    });
    return minted;
  });
  return { apiKey, key: new Secret(adminKeyText({ keyId: id, secret })) };
}
