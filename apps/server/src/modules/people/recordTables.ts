import { RETENTION } from "@social-connect/domain";
import {
  after,
  ENCRYPTED,
  HASH,
  INTERNAL_ID,
  ofConnections,
  ofSubject,
  type PersonTable,
  SUBJECT,
} from "./personTable.ts";

/** What happened with the accounts. */
export const RECORD_TABLES: readonly PersonTable[] = [
  {
    name: "connect_attempt",
    until: "result_expires_at",
    fields: {
      application: {
        ...SUBJECT,
        capabilities: "What the application asked to read.",
        return_url: "Where the browser returns to.",
        reconnect_connection_id: "The connection that was to be reconnected.",
      },
      service: {
        id: "The id of the attempt.",
        provider: "The provider.",
        status: "How far it came.",
        result_code: "Why it ended without a connection.",
        connection_id: "The connection that it made.",
        creator_action: "What the person has to do at the provider.",
        created_at: "When it began.",
        expires_at: "When it ends unfinished.",
        result_expires_at: "Until when its result can be read.",
      },
    },
    excluded: {
      application_id: INTERNAL_ID,
      registration_id: INTERNAL_ID,
      launch_token_hash: HASH,
      browser_hash: HASH,
      state_hash: HASH,
      code_verifier_sealed: ENCRYPTED,
      exchange_generation: "an internal counter",
    },
    rows: ofSubject,
  },
  {
    name: "import_line",
    until: after("created_at", RETENTION.importLine),
    fields: {
      application: SUBJECT,
      service: {
        id: "The id of the line.",
        provider: "The provider.",
        status: "How the line ended.",
        code: "Why it ended without a connection.",
        connection_id: "The connection that it made.",
        created_at: "When it began.",
      },
    },
    excluded: { application_id: INTERNAL_ID, line_hash: HASH },
    rows: ofSubject,
  },
  {
    name: "event",
    until: after("occurred_at", RETENTION.event),
    fields: {
      application: SUBJECT,
      service: {
        id: "The id of the event.",
        type: "What changed.",
        provider: "The provider.",
        connection_id: "The connection that changed.",
        attempt_id: "The attempt that ended.",
        job_id: "The job that ended.",
        status: "The status since the change.",
        code: "Why it changed.",
        occurred_at: "When it changed.",
      },
    },
    excluded: { application_id: INTERNAL_ID },
    rows: ofSubject,
  },
  {
    name: "revoke_settlement",
    until: "NULL::timestamptz",
    fields: {
      application: SUBJECT,
      service: {
        revoke_job_id: "The job that revokes the consent.",
        provider: "The provider.",
        created_at: "When it began.",
      },
    },
    excluded: { application_id: INTERNAL_ID },
    key: ["revoke_job_id"],
    rows: ofSubject,
  },
  {
    name: "tester",
    until: "NULL::timestamptz",
    fields: {
      application: { provider: "The provider.", provider_account_id: "The account's id at the provider." },
    },
    excluded: { application_id: INTERNAL_ID },
    key: ["provider", "provider_account_id"],
    rows: {
      where: `application_id = $1 AND (provider::text, provider_account_id) IN
        (SELECT * FROM unnest($2::text[], $3::text[]))`,
      values: ({ application, accounts }) => [
        application.id,
        accounts.map(({ provider }) => provider),
        accounts.map(({ providerAccountId }) => providerAccountId),
      ],
    },
  },
  {
    name: "job",
    until: `CASE WHEN kind IN ('REVOKE', 'ERASE') THEN ${after("created_at", RETENTION.receipt)}
      ELSE ${after("finished_at", RETENTION.job)} END`,
    fields: {
      application: {
        window_after: "From when posts are read.",
        window_before: "Until when posts are read.",
        max_items: "How many posts may be read.",
        target_content_id: "The post whose numbers are read.",
        lookup_target: "The post that is looked up.",
      },
      service: {
        id: "The id of the job.",
        connection_id: "The connection that it is for.",
        provider: "The provider.",
        kind: "What it does.",
        status: "How far it came.",
        background: "Whether the service ordered it.",
        requested: "Whether the application asked for the same while it was in progress.",
        attempt: "How often it ran.",
        failures: "How often it failed.",
        next_retry_at: "When it is retried.",
        wait_reason: "What it waits for.",
        error_code: "Why it failed.",
        creator_action: "What the person has to do at the provider.",
        window_is_default: "Whether it reads the usual period.",
        provider_cursor: "Where it continues in the provider's list.",
        items_observed: "How many posts it read.",
        covered_since: "When its reading began.",
        continues_job_id: "The job that it continues.",
        result_provider_content_id: "The post that it found.",
        complete_for_window: "Whether it read the whole period.",
        incomplete_reason: "Why it did not.",
        deleted_counts: "How many rows of each table an erasure deleted.",
        correlation_id: "The id of the request that ordered it.",
        trace_parent: "The trace of that request.",
        created_at: "When it was ordered.",
        started_at: "When it began.",
        finished_at: "When it ended.",
      },
    },
    excluded: { application_id: INTERNAL_ID, scope_hash: HASH },
    rows: ofConnections,
  },
  {
    name: "data_deletion",
    until: after("requested_at", RETENTION.dataDeletion),
    fields: {
      service: {
        id: "The id of the request.",
        provider: "The provider.",
        connections: "How many connections were erased.",
        posts: "How many posts were erased.",
        app_may_remain: "Whether the provider may still list the application.",
        requested_at: "When the provider asked.",
        erased_at: "When the last connection was erased.",
        finished_at: "When the request ended.",
      },
    },
    excluded: { code_hash: HASH, unfinished: "ids of connections, which are in the export if they are this person's" },
    rows: {
      where: `finished_at IS NULL AND EXISTS (SELECT FROM jsonb_array_elements(unfinished) AS one
        WHERE one ->> 'applicationId' = $1::text AND one ->> 'id' = ANY($2::text[]))`,
      values: ofConnections.values,
    },
  },
  {
    name: "audit_entry",
    until: after("at", RETENTION.auditEntry),
    fields: {
      service: {
        id: "The id of the entry.",
        at: "When it was done.",
        action: "What was done.",
        target_type: "What it was done to.",
        target_id: "The id of that.",
        client_slug: "The application.",
        summary: "What was done, in one sentence, with the reason that was given.",
        changes: "The fields that changed, before and after; for older entries not recorded.",
      },
    },
    excluded: {
      actor: "the email address of an admin, who is another person",
      api_key_id: "the id of a key of an admin, who is another person",
    },
    rows: {
      where: "target_id = ANY($1::text[]) OR (target_id = $2 AND action = ANY($3::text[]) AND strpos(summary, $4) > 0)",
      values: ({ application, auditTargets, actions, label }) => [auditTargets, application.id, actions, label],
    },
  },
];
