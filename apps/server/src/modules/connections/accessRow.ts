import type { Capability, ErrorCode } from "@social-connect/contract";
import {
  type ApplicationPolicy,
  type CallRefusals,
  type ConnectionRow,
  type RecheckFacts,
  recheckConnection,
  syncStatusAsRead,
} from "@social-connect/domain";
import type { Connection, GrantStatus, RegistrationStatus } from "../../_generated/prisma/client.ts";
import { dateOf } from "../applications/readForKey.ts";

type ProfileColumns = Pick<
  Connection,
  "providerAccountId" | "displayName" | "handle" | "avatarUrl" | "profileUrl" | "description"
>;

export interface StoredProfile extends ProfileColumns {
  readonly observedAt: Date;
}

/** A connection with the state of its grant and registration, from which access is decided. JSON from PostgreSQL. */
export interface AccessRow extends Pick<Connection, "id" | "provider" | "status" | "capabilities"> {
  /** Offered by the registration. */
  readonly offeredCapabilities: readonly Capability[];
  readonly refusals: CallRefusals;
  readonly lastSuccessfulSyncAt: string | null;
  readonly grantStatus: GrantStatus | null;
  readonly refreshExpiresAt: string | null;
  readonly registrationStatus: RegistrationStatus;
  readonly servesApplication: boolean;
}

/** The same with what a connection shows. */
export interface ViewRow extends AccessRow, ProfileColumns, Pick<Connection, "syncStatus"> {
  readonly profileObservedAt: string | null;
  readonly nextRetryAt: string | null;
}

/** Renewal ends with the refresh token, or with the access token if there is no refresh token. */
export const ACCESS_COLUMNS = `
  c.id, c.provider, c.status, c.capabilities, c.call_refusals AS refusals, c.last_successful_sync_at AS "lastSuccessfulSyncAt",
  g.status AS "grantStatus",
  CASE WHEN g.refresh_token_sealed IS NULL THEN g.access_token_expires_at ELSE g.refresh_token_expires_at END AS "refreshExpiresAt",
  r.status AS "registrationStatus", r.capabilities AS "offeredCapabilities",
  (r.all_applications OR EXISTS (SELECT 1 FROM registration_application ra
     WHERE ra.registration_id = r.id AND ra.application_id = $2)) AS "servesApplication"`;

export const VIEW_COLUMNS = `${ACCESS_COLUMNS},
  c.provider_account_id AS "providerAccountId", c.sync_status AS "syncStatus", c.display_name AS "displayName", c.handle,
  c.avatar_url AS "avatarUrl", c.profile_url AS "profileUrl", c.description, c.profile_observed_at AS "profileObservedAt",
  c.next_retry_at AS "nextRetryAt"`;

/** The connection of the application $2; see `keyedRead`. */
export const ACCESS_TABLES = `connection c
  JOIN provider_registration r ON r.id = c.registration_id
  LEFT JOIN provider_grant g ON g.connection_id = c.id AND g.application_id = $2`;

/** The connection $5 of the subject $4; see `keyedRead`. */
export const JOIN_CONNECTION_OF_SUBJECT = `LEFT JOIN (${ACCESS_TABLES})
  ON c.application_id = $2 AND c.tenant_key = $3 AND c.external_subject_id = $4 AND c.id = $5`;

/** Rule 1 of part 3 of the service description, for a stored row. */
export function recheck(row: AccessRow, tenantKey: string, policy: ApplicationPolicy, now: Date): ErrorCode | null {
  const facts: RecheckFacts = {
    connection: { tenantKey, provider: row.provider, capabilities: row.capabilities },
    grant:
      row.grantStatus === null
        ? null
        : { active: row.grantStatus === "ACTIVE", refreshExpiresAt: dateOf(row.refreshExpiresAt) },
    registration: { status: row.registrationStatus, servesApplication: row.servesApplication },
    application: policy,
  };
  return recheckConnection(facts, now);
}

/** Maps a row to the input of the domain's view rules. */
export function viewRow(row: ViewRow, now: Date): ConnectionRow<StoredProfile> {
  const { providerAccountId, displayName, handle, avatarUrl, profileUrl, description, profileObservedAt } = row;
  const lastSuccessfulSyncAt = dateOf(row.lastSuccessfulSyncAt);
  return {
    status: row.status,
    syncStatus: syncStatusAsRead(row.syncStatus, lastSuccessfulSyncAt, now),
    capabilities: row.capabilities,
    offeredCapabilities: row.offeredCapabilities,
    refusals: row.refusals,
    lastSuccessfulSyncAt,
    nextRetryAt: dateOf(row.nextRetryAt),
    profile:
      profileObservedAt === null
        ? null
        : {
            ...{ providerAccountId, displayName, handle, avatarUrl, profileUrl, description },
            observedAt: dateOf(profileObservedAt),
          },
  };
}
