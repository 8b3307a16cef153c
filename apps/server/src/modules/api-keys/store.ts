import type { AdminKeyScope } from "@social-connect/contract";
import type { AuditRecord } from "@social-connect/domain";
import type { Pool } from "pg";

export interface ApiKeyRow {
  readonly secretHash: Buffer;
  readonly scope: AdminKeyScope;
  readonly label: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly firstUsedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** null: the admin was removed. */
  readonly memberId: string | null;
  /** False when the admin is no longer bound to the account that minted the key. */
  readonly isSameAccount: boolean | null;
}

/** Handwritten because it runs before every call: one prepared statement for the key and its admin. */
export async function findApiKey(pool: Pool, keyId: string): Promise<ApiKeyRow | null> {
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

export interface FirstUse {
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
export async function noteFirstUse(pool: Pool, { keyId, at, entryId, actor, audit }: FirstUse): Promise<void> {
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
export async function noteKeyUse(pool: Pool, keyId: string, now: Date, notSince: Date): Promise<void> {
  await pool.query({
    name: "adminKeys.noteKeyUse",
    text: "UPDATE admin_api_key SET last_used_at = $2 WHERE id = $1 AND last_used_at < $3",
    values: [keyId, now, notSince],
  });
}
