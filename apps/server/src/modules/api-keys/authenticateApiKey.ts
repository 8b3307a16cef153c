import {
  type AuditRecord,
  decideApiKeyUse,
  INVALID_ADMIN_KEY,
  isKeyActive,
  parseAdminKey,
} from "@social-connect/domain";
import type { Pool } from "pg";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { newLogEntryId } from "../../platform/ids.ts";
import { RefusedCallError } from "../../platform/log/refusedCallError.ts";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import { actorName, type KeyActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";

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

interface ApiKeyRow
  extends Pick<
    AdminApiKey,
    "secretHash" | "scope" | "label" | "expiresAt" | "revokedAt" | "firstUsedAt" | "lastUsedAt"
  > {
  /** null: the admin was removed. */
  readonly memberId: string | null;
  /** False when the admin is no longer bound to the account that minted the key. */
  readonly isSameAccount: boolean | null;
}

/** Handwritten because it runs before every call: one prepared statement for the key and its admin. */
async function findApiKey(pool: Pool, keyId: string): Promise<ApiKeyRow | null> {
  const { rows } = await pool.query<ApiKeyRow>({
    name: "adminKeys.findApiKey",
    text: `SELECT k.secret_hash AS "secretHash", k.scope, k.label, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
                  k.first_used_at AS "firstUsedAt", k.last_used_at AS "lastUsedAt", m.id AS "memberId",
                  (k.subject IS NULL OR (k.issuer, k.subject) = (m.issuer, m.subject)) AS "isSameAccount"
             FROM admin_api_key k LEFT JOIN admin_member m ON m.id = k.member_id
            WHERE k.id = $1`,
    values: [keyId],
  });
  return rows[0] ?? null;
}

interface FirstUse {
  readonly keyId: string;
  readonly at: Date;
  readonly entryId: string;
  readonly actor: string;
  readonly audit: AuditRecord;
}

/**
 * Records the first use of a key with its audit entry in one statement: of parallel first calls one changes the row,
 * the others wait for it and then change nothing.
 */
async function noteFirstUse(pool: Pool, { keyId, at, entryId, actor, audit }: FirstUse): Promise<void> {
  await pool.query({
    name: "adminKeys.noteFirstUse",
    text: `WITH used AS (UPDATE admin_api_key SET first_used_at = $2, last_used_at = $2
                          WHERE id = $1 AND first_used_at IS NULL RETURNING id)
           INSERT INTO audit_entry (id, at, actor, api_key_id, action, target_type, target_id, summary)
           SELECT $3, $2, $4, id, $5, $6, $7, $8 FROM used`,
    values: [keyId, at, entryId, actor, audit.action, audit.target.type, audit.target.id, audit.summary],
  });
}

/** The condition prevents parallel calls from writing the same minute twice. */
async function noteKeyUse(pool: Pool, keyId: string, now: Date, notSince: Date): Promise<void> {
  await pool.query({
    name: "adminKeys.noteKeyUse",
    text: "UPDATE admin_api_key SET last_used_at = $2 WHERE id = $1 AND last_used_at < $3",
    values: [keyId, now, notSince],
  });
}
