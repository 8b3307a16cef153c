import { LIMITS } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import { changesOf, SECRET_SET } from "../audit/changes.ts";
import { type AdminDecision, type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, notFound } from "../decisions/refusal.ts";
import { countActiveKeys, type KeyLifetime, keyExpiry } from "../keys/keyLifetime.ts";
import type { Client } from "./client.ts";

export interface IssueCredentialFacts {
  readonly client: Pick<Client, "id" | "slug"> | null;
  /** All keys of the client, active or not. */
  readonly keys: readonly KeyLifetime[];
}

export interface NewCredential {
  readonly id: string;
  readonly applicationId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/**
 * Issues an application key. A client has two active ones at most: one to rotate from and one to rotate to.
 * Source: service description, parts 5 (rule 4) and 8.
 */
export function decideIssueCredential(
  { client, keys }: IssueCredentialFacts,
  { id, expiresInDays }: { readonly id: string; readonly expiresInDays: number | null },
  now: Date,
): AdminRefusal | AuditedChange<NewCredential> {
  if (client === null) return notFound("The client");
  const limit = checkCredentialLimit(keys, now);
  if (limit !== null) return limit;
  const expiresAt = expiresInDays === null ? null : keyExpiry(now, expiresInDays);
  const summary = `Issued the application key ${id}${expiresInDays === null ? "" : ` for ${expiresInDays} days`}.`;
  const patch = { id, applicationId: client.id, createdAt: now, expiresAt };
  const issued = changesOf(null, { key: id, expiresAt, secret: SECRET_SET });
  return auditedChange(patch, aboutClient(client, "Application key issued", summary, issued));
}

/** KEY_LIMIT when a client has two active keys already. `keys` are all of the client's, active or not. */
export function checkCredentialLimit(keys: readonly KeyLifetime[], now: Date): AdminRefusal | null {
  const limit = LIMITS.activeApplicationKeys;
  if (countActiveKeys(keys, now) < limit) return null;
  return conflict("KEY_LIMIT", `The client has ${limit} active keys already. Revoke one first.`);
}

/** Ends an application key at its next call; a revoked key does not change. `key` is `null` when the client has none of that id. */
export function decideRevokeCredential(
  client: Pick<Client, "id" | "slug"> | null,
  key: { readonly id: string; readonly revokedAt: Date | null } | null,
  now: Date,
): AdminDecision<{ readonly revokedAt: Date }> {
  if (client === null) return notFound("The client");
  if (key === null) return notFound("The application key");
  if (key.revokedAt !== null) return null;
  const summary = `Revoked the application key ${key.id}.`;
  const revoked = changesOf({ revoked: false }, { revoked: true });
  return auditedChange({ revokedAt: now }, aboutClient(client, "Application key revoked", summary, revoked));
}
