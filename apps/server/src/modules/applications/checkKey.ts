import {
  APPLICATION_DISABLED,
  addMs,
  hasPassed,
  INVALID_APPLICATION_KEY,
  parseApplicationKey,
} from "@social-connect/domain";
import { RefusedCallError } from "../../platform/log/refusedCallError.ts";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import type { Service } from "../service.ts";
import { type ApplicationRow, findKey, recordKeyUse, type StoredKey } from "./store.ts";

/** A key as a call sent it. */
export interface SentKey {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
}

const LAST_USED_PRECISION_MS = 60_000;
/** Compared for an unknown key, so that a failed lookup takes as long as a successful one. */
const NO_HASH = sha256("no key has this hash");

/**
 * Checks a key against the stored one, which is null for an unknown key. UNAUTHENTICATED, with the same response for an
 * unknown, wrong, revoked or expired key; FORBIDDEN if the key is valid and its application is disabled. Records the use
 * of a valid key. Source: service description, part 5.
 */
export function checkKey<Key extends StoredKey>(
  service: Pick<Service, "reads" | "logger">,
  { keyId, secretHash }: SentKey,
  stored: Key | null,
  now: Date,
): Key {
  const secretIsRight = equalHashes(secretHash, stored?.secretHash ?? NO_HASH);
  if (stored === null) throw unauthenticated("unknown", keyId);
  if (!secretIsRight) throw unauthenticated("wrong secret", keyId, true);
  if (isInactive(stored, now)) throw unauthenticated(stored.revokedAt === null ? "expired" : "revoked", keyId, true);
  if (!stored.application.enabled) {
    const refusal = { event: "api.call_refused", reason: "application disabled", keyId, isKnownKey: true } as const;
    throw new RefusedCallError(APPLICATION_DISABLED, refusal);
  }
  recordUse(service, keyId, stored, now);
  return stored;
}

/** The same response for every cause; only the security log contains the reason. */
export function unauthenticated(reason: string, keyId: string | null = null, isKnownKey = false): RefusedCallError {
  const security = { event: "api.key_refused", reason, keyId, isKnownKey } as const;
  return new RefusedCallError(INVALID_APPLICATION_KEY, security);
}

function isInactive(key: StoredKey, now: Date): boolean {
  return key.revokedAt !== null || (key.expiresAt !== null && hasPassed(key.expiresAt, now));
}

/** Not awaited: calls must not wait or fail for this informational timestamp. */
function recordUse(
  { reads, logger }: Pick<Service, "reads" | "logger">,
  keyId: string,
  key: StoredKey,
  now: Date,
): void {
  const notSince = addMs(now, -LAST_USED_PRECISION_MS);
  if (key.lastUsedAt !== null && key.lastUsedAt >= notSince) return;
  recordKeyUse(reads.pool, keyId, now, notSince).catch((error: unknown) => {
    logger.warn({ error, keyId }, "failed to record key usage");
  });
}

export interface Caller extends SentKey {
  readonly application: ApplicationRow;
  /** Identifies the call, so that its repetition is recognized; absent if the caller sent none. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Authenticates a call by its Authorization header. UNAUTHENTICATED for a missing or malformed key too; otherwise the
 * errors of `checkKey`. Nothing is cached, so revocation takes effect on the next call.
 */
export async function authenticate(service: Service, authorization: readonly string[]): Promise<Caller> {
  const sent = readSentKey(authorization);
  if (sent === null) throw unauthenticated(authorization.length === 0 ? "missing" : "malformed");
  const [stored, now] = await Promise.all([findKey(service.reads.pool, sent.keyId), service.clock.now()]);
  const { application } = checkKey(service, sent, stored, now);
  return { ...sent, application };
}

/** The key of the one Authorization header; null if there is another number of them, or it is malformed. */
export function readSentKey(authorization: readonly string[]): SentKey | null {
  const key = authorization.length === 1 ? parseApplicationKey(authorization[0] ?? null) : null;
  return key && { keyId: key.keyId, secretHash: sha256(key.secret) };
}
