import { decideApiKeyUse, isKeyActive, parseAdminKey } from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { newLogEntryId } from "../../platform/ids.ts";
import type { KeyActor } from "../admin/actor.ts";
import { actorName } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import type { ApiKeyRow } from "./store.ts";
import { findApiKey, noteFirstUse, noteKeyUse } from "./store.ts";

/** Stands in for the hash of an unknown key, so that finding none costs what finding one costs. */
const NO_HASH = sha256("no key has this hash");

/**
 * Finds who calls from the Authorization header. UNAUTHENTICATED, the same for a missing, malformed, unknown, wrong,
 * expired or revoked key and for one whose admin was removed or changed account. Nothing is cached, so what ends a key
 * anywhere ends it at the next call everywhere. The first call that gets through is in the audit before it is answered.
 * Source: service description, part 5, admin rules 6 to 8.
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
  // Not awaited: lastUsedAt is for people to see, and no call waits or fails for it.
  noteKeyUse(pool, keyId, now, notSince).catch((error: unknown) => {
    logger.warn({ err: error, keyId }, "could not record the last use of an admin key");
  });
}

/** The same for every caller; why is for the security log. */
function unauthenticated(reason: string, keyId: string | null = null, isKnownKey = false): AppError {
  const refusal = { event: "api.key_refused", reason, keyId, isKnownKey } as const;
  return new AppError({ code: "UNAUTHENTICATED", message: "A valid admin key is required.", refusal });
}
