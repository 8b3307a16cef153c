import { type AdminKeyScope, LIMITS } from "@social-connect/contract";
import { about } from "../audit/about.ts";
import { changesOf, SECRET_SET } from "../audit/changes.ts";
import { type AdminDecision, type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, invalidField, notFound } from "../decisions/refusal.ts";
import { countActiveKeys, isLifetimeInDays, type KeyLifetime, keyExpiry } from "../keys/keyLifetime.ts";
import { KEY_SCOPE_NAMES } from "../text/names.ts";
import { addMs } from "../time/time.ts";

/** `lastUsedAt` is written once a minute at most. */
const LAST_USED_PRECISION_MS = 60_000;

export interface ApiKeyInput {
  readonly label: string;
  readonly scope: AdminKeyScope;
  readonly lifetimeDays: number;
}

export interface MintFacts {
  /** The signed-in admin; `null` when the admin was removed. */
  readonly admin: { readonly id: string; readonly email: string } | null;
  /** All keys of the admin, active or not. */
  readonly keys: readonly KeyLifetime[];
  readonly mode: keyof typeof LIMITS.adminKeyLifetimeDays;
}

export interface NewApiKey {
  readonly id: string;
  readonly memberId: string;
  readonly createdBy: string;
  readonly label: string;
  readonly scope: AdminKeyScope;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Mints an admin API key; an admin has five active ones at most. Source: service description, part 5, admin rules 3 and 4. */
export function decideMintApiKey(
  { admin, keys, mode }: MintFacts,
  { label, scope, lifetimeDays }: ApiKeyInput,
  id: string,
  now: Date,
): AdminRefusal | AuditedChange<NewApiKey> {
  const maximum = LIMITS.adminKeyLifetimeDays[mode];
  if (!isLifetimeInDays(lifetimeDays, maximum)) {
    return invalidField("lifetimeDays", `\`lifetimeDays\` must be between 1 and ${maximum}.`);
  }
  if (admin === null) return notFound("The admin");
  const limit = LIMITS.activeAdminKeys;
  if (countActiveKeys(keys, now) >= limit) {
    return conflict("KEY_LIMIT", `You have ${limit} active keys already. Revoke one first.`);
  }
  const expiresAt = keyExpiry(now, lifetimeDays);
  const summary = `Minted the ${KEY_SCOPE_NAMES[scope]} key "${label}" for ${lifetimeDays} days.`;
  const patch = { id, memberId: admin.id, createdBy: admin.email, label, scope, createdAt: now, expiresAt };
  const minted = changesOf(null, { createdBy: admin.email, label, scope, expiresAt, secret: SECRET_SET });
  return auditedChange(patch, about("API_KEY", id, "API key minted", summary, minted));
}

interface StoredApiKey {
  readonly id: string;
  readonly scope: AdminKeyScope;
  readonly label: string;
}

/** Any admin may revoke any key; a revoked key does not change. Source: service description, part 5, admin rule 6. */
export function decideRevokeApiKey(
  key: (StoredApiKey & { readonly createdBy: string; readonly revokedAt: Date | null }) | null,
  now: Date,
): AdminDecision<{ readonly revokedAt: Date }> {
  if (key === null) return notFound("The key");
  if (key.revokedAt !== null) return null;
  const summary = `Revoked the ${KEY_SCOPE_NAMES[key.scope]} key "${key.label}" of ${key.createdBy}.`;
  const revoked = changesOf({ revoked: false }, { revoked: true });
  return auditedChange({ revokedAt: now }, about("API_KEY", key.id, "API key revoked", summary, revoked));
}

/**
 * What a call with the key records; `null` when another call recorded its use within the last minute. The patch applies
 * only to a key that no concurrent call has marked since `notSince`.
 */
export function decideApiKeyUse(
  key: StoredApiKey & { readonly firstUsedAt: Date | null; readonly lastUsedAt: Date | null },
  now: Date,
) {
  const notSince = addMs(now, -LAST_USED_PRECISION_MS);
  if (key.firstUsedAt === null) {
    const summary = `The ${KEY_SCOPE_NAMES[key.scope]} key "${key.label}" was used for the first time.`;
    const audit = about("API_KEY", key.id, "API key first used", summary, changesOf(null, { firstUsedAt: now }));
    return { patch: { firstUsedAt: now, lastUsedAt: now }, audit, notSince };
  }
  if (key.lastUsedAt !== null && key.lastUsedAt >= notSince) return null;
  return { patch: { lastUsedAt: now }, audit: null, notSince };
}
