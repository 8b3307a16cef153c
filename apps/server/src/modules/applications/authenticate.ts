import {
  APPLICATION_DISABLED,
  addMs,
  hasPassed,
  INVALID_APPLICATION_KEY,
  parseApplicationKey,
} from "@social-connect/domain";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { RefusedCallError } from "../../platform/refusedCallError.ts";
import type { Service } from "../service.ts";
import type { ApplicationRow, KeyRow } from "./store.ts";
import { findKey, recordKeyUse } from "./store.ts";

/** The authenticated application and its key. */
export interface Caller {
  readonly keyId: string;
  readonly application: ApplicationRow;
}

const LAST_USED_PRECISION_MS = 60_000;
/** Compared for an unknown key, so that a failed lookup takes as long as a successful one. */
const NO_HASH = sha256("no key has this hash");

/**
 * Authenticates a call by its Authorization header. UNAUTHENTICATED, with the same response for a missing, malformed,
 * unknown, wrong, revoked or expired key; FORBIDDEN if the key is valid and its application is disabled. Nothing is
 * cached, so revocation takes effect on the next call. Source: service description, part 5.
 */
export async function authenticate(service: Service, authorization: readonly string[]): Promise<Caller> {
  const key = authorization.length === 1 ? parseApplicationKey(authorization[0] ?? null) : null;
  if (key === null) throw unauthenticated(authorization.length === 0 ? "missing" : "malformed");
  const [row, now] = await Promise.all([findKey(service.pool, key.keyId), service.clock.now()]);
  const secretIsRight = equalHashes(sha256(key.secret), row?.secretHash ?? NO_HASH);
  if (row === null) throw unauthenticated("unknown", key.keyId);
  if (!secretIsRight) throw unauthenticated("wrong secret", key.keyId, true);
  if (isInactive(row, now)) throw unauthenticated(row.revokedAt === null ? "expired" : "revoked", key.keyId, true);
  if (!row.application.enabled) {
    const refusal = {
      event: "api.call_refused",
      reason: "application disabled",
      keyId: key.keyId,
      isKnownKey: true,
    } as const;
    throw new RefusedCallError(APPLICATION_DISABLED, refusal);
  }
  recordUse(service, key.keyId, row, now);
  return { keyId: key.keyId, application: row.application };
}

function isInactive(row: KeyRow, now: Date): boolean {
  return row.revokedAt !== null || (row.expiresAt !== null && hasPassed(row.expiresAt, now));
}

/** Not awaited: calls must not wait or fail for this informational timestamp. */
function recordUse(service: Service, keyId: string, row: KeyRow, now: Date): void {
  const notSince = addMs(now, -LAST_USED_PRECISION_MS);
  if (row.lastUsedAt !== null && row.lastUsedAt >= notSince) return;
  recordKeyUse(service.pool, keyId, now, notSince).catch((error: unknown) => {
    service.logger.warn({ error, keyId }, "failed to record key usage");
  });
}

/** The same response for every cause; only the security log contains the reason. */
function unauthenticated(reason: string, keyId: string | null = null, isKnownKey = false): RefusedCallError {
  const security = { event: "api.key_refused", reason, keyId, isKnownKey } as const;
  return new RefusedCallError(INVALID_APPLICATION_KEY, security);
}
