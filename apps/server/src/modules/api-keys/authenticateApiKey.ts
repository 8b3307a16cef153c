import { decideApiKeyUse, INVALID_ADMIN_KEY, isKeyActive, parseAdminKey } from "@social-connect/domain";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { newLogEntryId } from "../../platform/ids.ts";
import { RefusedCallError } from "../../platform/refusedCallError.ts";
import { actorName, type KeyActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { type ApiKeyRow, findApiKey, noteFirstUse, noteKeyUse } from "./store.ts";

/** Replaces the hash of an unknown key, so that an unknown and a known key take the same time. */
const NO_HASH = sha256("no key has this hash");

/**
 * Authenticates the Authorization header. UNAUTHENTICATED, the same for a missing, malformed, unknown, wrong, expired
 * or revoked key and for a key whose admin was removed or changed account. Not cached, so a revocation applies to the
 * next call in every process. The first successful call is in the audit log before its response. Source: service
 * description, part 5, admin rules 6 to 8.
 */
export async function authenticateApiKey(service: Service, authorization: string | null): Promise<KeyActor> {
  const key = parseAdminKey(authorization);
  if (key === null) throw unauthenticated(authorization === null ? "missing" : "malformed");
  const [row, now] = await Promise.all([findApiKey(service.pool, key.keyId), service.clock.now()]);
  const secretIsRight = equalHashes(sha256(key.secret), row?.secretHash ?? NO_HASH);
  if (row === null) throw unauthenticated("unknown", key.keyId);
  if (!secretIsRight) throw unauthenticated("wrong secret", key.keyId, true);
  if (!isKeyActive(row, now)) throw unauthenticated("expired or revoked", key.keyId, true);
  if (row.memberId === null || !row.isSameAccount) throw unauthenticated("admin removed or changed", key.keyId, true);
  const actor: KeyActor = { via: "key", keyId: key.keyId, scope: row.scope, memberId: row.memberId };
  await noteUse(service, actor, row, now);
  return actor;
}

async function noteUse({ pool, logger }: Service, actor: KeyActor, row: ApiKeyRow, now: Date): Promise<void> {
  const { keyId } = actor;
  const use = decideApiKeyUse({ ...row, id: keyId }, now);
  if (use === null) return;
  const { audit, notSince } = use;
  if (audit !== null) {
    return noteFirstUse(pool, { keyId, at: now, entryId: newLogEntryId(now), actor: actorName(actor), audit });
  }
  // Not awaited: calls must not wait or fail for this informational timestamp.
  noteKeyUse(pool, keyId, now, notSince).catch((error: unknown) => {
    logger.warn({ err: error, keyId }, "failed to record key usage");
  });
}

/** The same for every caller; the security log has the reason. */
function unauthenticated(reason: string, keyId: string | null = null, isKnownKey = false): RefusedCallError {
  const security = { event: "api.key_refused", reason, keyId, isKnownKey } as const;
  return new RefusedCallError(INVALID_ADMIN_KEY, security);
}
