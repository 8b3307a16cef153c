import type { Branding } from "@social-connect/domain";
import type { Pool } from "pg";
import type { Application } from "../../_generated/prisma/client.ts";

/** The application columns that the domain rules need. */
export type ApplicationRow = Omit<Application, "displayName" | keyof Branding | "createdAt" | "updatedAt">;

export interface StoredKey {
  readonly secretHash: Uint8Array;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly application: { readonly enabled: boolean };
}

export interface KeyRow extends StoredKey {
  readonly application: ApplicationRow;
}

/**
 * The columns of `application`, named as in ApplicationRow. Enum arrays are text, which the driver parses as arrays. A
 * list that was never written is NULL, which Prisma reads as empty.
 */
const APPLICATION_JSON = `json_build_object(
  'id', a.id, 'slug', a.slug, 'enabled', a.enabled, 'webOrigins', a.web_origins, 'returnUrls', a.return_urls,
  'identityReturnUrls', coalesce(a.identity_return_urls, '{}'), 'providers', a.providers, 'capabilities', a.capabilities,
  'tenantKeys', a.tenant_keys, 'previewOriginsEnabled', a.preview_origins_enabled,
  'previewReturnPaths', coalesce(a.preview_return_paths, '{}'), 'idpIdentityEnabled', a.idp_identity_enabled)`;

/** Raw SQL, because it runs before every call: one prepared statement for the key and its application. */
export async function findKey(pool: Pool, keyId: string): Promise<KeyRow | null> {
  const { rows } = await pool.query<KeyRow>({
    name: "applications.findKey",
    text: `SELECT k.secret_hash AS "secretHash", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
                  k.last_used_at AS "lastUsedAt", ${APPLICATION_JSON} AS application
             FROM application_key k JOIN application a ON a.id = k.application_id
            WHERE k.id = $1`,
    values: [keyId],
  });
  return rows[0] ?? null;
}

/** The condition prevents parallel calls from writing the same minute twice. */
export async function recordKeyUse(pool: Pool, keyId: string, now: Date, notSince: Date): Promise<void> {
  await pool.query({
    name: "applications.recordKeyUse",
    text: "UPDATE application_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)",
    values: [keyId, now, notSince],
  });
}
