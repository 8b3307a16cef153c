import { RETENTION } from "@social-connect/domain";
import { after, ENCRYPTED, INTERNAL_ID, ofConnections, ofSubject, type PersonTable, SUBJECT } from "./personTable.ts";

/** Linked accounts with their consents and posts. */
export const ACCOUNT_TABLES: readonly PersonTable[] = [
  {
    name: "connection",
    until: "NULL::timestamptz",
    fields: {
      application: SUBJECT,
      provider: {
        provider_account_id: "The account's id at the provider.",
        live_account_id: "The same while the account is connected.",
        provider_user_key: "The provider's id of the person behind the account.",
        display_name: "The account's name.",
        handle: "The account's handle.",
        avatar_url: "The address of the account's picture.",
        profile_url: "The address of the account's page.",
        description: "The account's description.",
        capabilities: "What the person allowed the application to read.",
        app_removed_at: "When the person removed the application at the provider.",
      },
      service: {
        id: "The id of the connection.",
        provider: "The provider.",
        status: "Whether the account can be read.",
        sync_status: "How the latest scan of the posts ended.",
        scan_error_code: "Why the latest scan of the posts failed.",
        profile_observed_at: "When the profile was last read.",
        last_successful_sync_at: "When the posts were last read.",
        next_retry_at: "When a failed read is repeated.",
        next_scan_at: "When the posts are read next.",
        next_profile_at: "When the profile is read next.",
        cause: "Why posts are not read, or who ended the connection; null without a known cause.",
        cause_since: "Since when it is the cause.",
        unreadable_since: "Since when the provider says that the account cannot be read.",
        tried_at: "When the provider last responded to a read.",
        call_refusals: "Since when and with which code the provider refuses calls for the account.",
        suspended_by_job_id: "The disconnect of another account for which this one waits.",
        revoke_job_id: "The job that revokes the consent.",
        erase_job_id: "The job that erases the account.",
        created_at: "When the account was linked first.",
        updated_at: "When the connection changed.",
      },
    },
    excluded: { application_id: INTERNAL_ID, registration_id: INTERNAL_ID },
    rows: ofSubject,
  },
  {
    name: "provider_grant",
    until: "NULL::timestamptz",
    fields: {
      provider: {
        access_token_expires_at: "When the access token expires.",
        refresh_token_expires_at: "When the refresh token expires.",
      },
      service: {
        id: "The id of the consent's record.",
        attempt_id: "The connect attempt that obtained it.",
        import_line_id: "The line of an import that brought it.",
        capabilities: "What an import may read with it.",
        connection_id: "The connection that it belongs to.",
        status: "Whether it can be used.",
        version: "How often the tokens were renewed, plus one.",
        renewal_started_at: "When a renewal began that has not ended.",
        renewal_unanswered: "Whether a renewal ended without an answer.",
        created_at: "When the person consented.",
        updated_at: "When it was renewed or ended.",
      },
    },
    excluded: {
      application_id: INTERNAL_ID,
      registration_id: INTERNAL_ID,
      access_token_sealed: ENCRYPTED,
      refresh_token_sealed: ENCRYPTED,
      owner_sealed: "the ids of an account that was not linked, encrypted until its consent is revoked",
    },
    rows: {
      where:
        "application_id = $1 AND (connection_id = ANY($2::uuid[]) OR attempt_id = ANY($3::uuid[]) OR import_line_id = ANY($4::uuid[]))",
      values: (person) => [...ofConnections.values(person), person.attemptIds, person.importLineIds],
    },
  },
  {
    name: "content_item",
    until: `CASE WHEN reason IS DISTINCT FROM 'EXPIRED' THEN ${after("observed_at", RETENTION.content)} END`,
    fields: {
      provider: {
        provider_content_id: "The post's id at the provider.",
        kind: "What the post is.",
        canonical_url: "The post's address.",
        thumbnail_url: "The address of its picture.",
        title: "Its title.",
        description: "Its text.",
        published_at: "When it was published.",
        metrics: "Its numbers, for example views.",
      },
      service: {
        id: "The id of the post's record.",
        connection_id: "The connection that it belongs to.",
        availability: "Whether its values are available.",
        reason: "Why they are not.",
        observed_at: "When it was last read.",
        metrics_observed_at: "When its numbers were last read.",
      },
    },
    excluded: {
      application_id: INTERNAL_ID,
      observed_since: "an internal bound of observed_at, which is in the export",
    },
    key: ["connection_id", "provider_content_id"],
    rows: ofConnections,
  },
];
