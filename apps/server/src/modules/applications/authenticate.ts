import { addMs, hasPassed, parseApplicationKey } from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import type { Service } from "../service.ts";
import type { ApplicationRow, KeyRow } from "./store.ts";
import { findKey, noteKeyUse } from "./store.ts";

/** The application behind a call, and the key it used. */
export interface Caller {
  readonly keyId: string;
  readonly application: ApplicationRow;
}

const LAST_USED_PRECISION_MS = 60_000;
/** Stands in for the hash of an unknown key, so that finding none costs what finding one costs. */
const NO_HASH = sha256("no key has this hash");

/**
 * Finds who calls from the Authorization header. UNAUTHENTICATED, the same for a missing, malformed, unknown, wrong,
 * revoked or expired key; FORBIDDEN when the key is good and its application disabled. Nothing is cached, so a key that
 * is revoked anywhere is dead at the next call everywhere. Source: service description, part 5.
 */
export async function authenticate(service: Service, authorization: readonly string[]): Promise<Caller> {
  const key = authorization.length === 1 ? parseApplicationKey(authorization[0] ?? null) : null;
  if (key === null) throw unauthenticated(authorization.length === 0 ? "missing" : "malformed");
  const [row, now] = await Promise.all([findKey(service.pool, key.keyId), service.clock.now()]);
  const secretIsRight = equalHashes(sha256(key.secret), row?.secretHash ?? NO_HASH);
  if (row === null) throw unauthenticated("unknown", key.keyId);
  if (!secretIsRight) throw unauthenticated("wrong secret", key.keyId, true);
  if (isDead(row, now)) throw unauthenticated(row.revokedAt === null ? "expired" : "revoked", key.keyId, true);
  if (!row.application.enabled) {
    const refusal = {
      event: "api.call_refused",
      reason: "application disabled",
      keyId: key.keyId,
      isKnownKey: true,
    } as const;
    throw new AppError({ code: "FORBIDDEN", message: "The application is disabled.", refusal });
  }
  noteUse(service, key.keyId, row, now);
  return { keyId: key.keyId, application: row.application };
}

function isDead(row: KeyRow, now: Date): boolean {
  return row.revokedAt !== null || (row.expiresAt !== null && hasPassed(row.expiresAt, now));
}

/** Not awaited: when a key was last used is for people to see, and no call should wait or fail for it. */
function noteUse(service: Service, keyId: string, row: KeyRow, now: Date): void {
  const notSince = addMs(now, -LAST_USED_PRECISION_MS);
  if (row.lastUsedAt !== null && row.lastUsedAt >= notSince) return;
  noteKeyUse(service.pool, keyId, now, notSince).catch((error: unknown) => {
    service.logger.warn({ error, keyId }, "could not note when a key was last used");
  });
}

/** The same for every caller; why is for the security log. */
function unauthenticated(reason: string, keyId: string | null = null, isKnownKey = false): AppError {
  const refusal = { event: "api.key_refused", reason, keyId, isKnownKey } as const;
  return new AppError({ code: "UNAUTHENTICATED", message: "A valid application key is required.", refusal });
}
