import type { Capability, ConnectionStatus, ErrorCode, SocialProvider, SyncStatus } from "@social-connect/contract";
import type { ConnectionRow, RecheckFacts } from "@social-connect/domain";
import { recheckConnection, syncStatusAsRead } from "@social-connect/domain";
import type { Caller } from "../applications/authenticate.ts";

export interface StoredProfile {
  readonly providerAccountId: string;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
  readonly observedAt: Date;
}

/** A connection with the state of its grant and registration, from which access is decided. */
export interface AccessRow {
  readonly id: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
  readonly provider: SocialProvider;
  readonly registrationId: string;
  readonly providerAccountId: string;
  readonly status: ConnectionStatus;
  readonly syncStatus: SyncStatus;
  /** Granted at the latest consent. */
  readonly capabilities: readonly Capability[];
  /** Offered by the registration. */
  readonly offeredCapabilities: readonly Capability[];
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
  readonly profileObservedAt: Date | null;
  readonly lastSuccessfulSyncAt: Date | null;
  readonly nextRetryAt: Date | null;
  readonly createdAt: Date;
  readonly grantStatus: "PENDING" | "ACTIVE" | "GONE" | null;
  readonly refreshExpiresAt: Date | null;
  readonly registrationStatus: "DRAFT" | "PUBLISHED" | "PAUSED" | "DISABLED";
  readonly servesApplication: boolean;
}

/**
 * Raw SQL, because every read of a connection runs it: connection, grant and registration in one round trip. Renewal
 * ends with the refresh token, or with the access token if there is no refresh token.
 */
export const ACCESS_COLUMNS = `
  c.id, c.tenant_key AS "tenantKey", c.external_subject_id AS "externalSubjectId", c.provider::text AS provider,
  c.registration_id AS "registrationId", c.provider_account_id AS "providerAccountId", c.status::text AS status,
  c.sync_status::text AS "syncStatus", c.capabilities::text[] AS capabilities, c.display_name AS "displayName", c.handle,
  c.avatar_url AS "avatarUrl", c.profile_url AS "profileUrl", c.description, c.profile_observed_at AS "profileObservedAt",
  c.last_successful_sync_at AS "lastSuccessfulSyncAt", c.next_retry_at AS "nextRetryAt", c.created_at AS "createdAt",
  g.status::text AS "grantStatus",
  CASE WHEN g.refresh_token_sealed IS NULL THEN g.access_token_expires_at ELSE g.refresh_token_expires_at END AS "refreshExpiresAt",
  r.status::text AS "registrationStatus", r.capabilities::text[] AS "offeredCapabilities",
  (r.all_applications OR EXISTS (SELECT 1 FROM registration_application ra
     WHERE ra.registration_id = r.id AND ra.application_id = c.application_id)) AS "servesApplication"`;

export const ACCESS_TABLES = `connection c
  JOIN provider_registration r ON r.id = c.registration_id
  LEFT JOIN provider_grant g ON g.connection_id = c.id`;

/** Rule 1 of part 3 of the service description, for a stored row. */
export function recheck(row: AccessRow, { application }: Caller, now: Date): ErrorCode | null {
  const facts: RecheckFacts = {
    connection: row,
    grant:
      row.grantStatus === null
        ? null
        : { active: row.grantStatus === "ACTIVE", refreshExpiresAt: row.refreshExpiresAt },
    registration: { status: row.registrationStatus, servesApplication: row.servesApplication },
    application,
  };
  return recheckConnection(facts, now);
}

/** Maps a row to the input of the domain's view rules. */
export function viewRow(row: AccessRow, now: Date): ConnectionRow<StoredProfile> {
  const { providerAccountId, displayName, handle, avatarUrl, profileUrl, description, profileObservedAt } = row;
  return {
    ...row,
    syncStatus: syncStatusAsRead(row.syncStatus, row.lastSuccessfulSyncAt, now),
    profile: profileObservedAt && {
      ...{ providerAccountId, displayName, handle, avatarUrl, profileUrl, description },
      observedAt: profileObservedAt,
    },
  };
}
