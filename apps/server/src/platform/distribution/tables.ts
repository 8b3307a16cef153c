/** The column by which Citus distributes rows: all rows of an application are on one shard. */
export const DISTRIBUTION_COLUMN = "application_id";

/**
 * Tables that grow with the number of accounts, posts and attempts. Their keys contain the distribution column. The first
 * one determines the shards of the others.
 */
export const DISTRIBUTED_TABLES = [
  "connection",
  "connect_attempt",
  "import_line",
  "provider_grant",
  "content_item",
  "job",
  "identity_attempt",
  "revoke_settlement",
  "provider_revocation",
  "event_endpoint",
  "event",
  "event_delivery",
] as const;

/** Tables that every node has a copy of: small, rarely written, and joined to the others. Referenced ones come first. */
export const REFERENCE_TABLES = [
  "application",
  "provider_registration",
  "application_key",
  "tester",
  "registration_application",
] as const;

/** Tables that stay on the coordinator: used by the admin side and the scheduler, or written by every process. */
export const COORDINATOR_TABLES = [
  "_prisma_migrations",
  "admin_api_key",
  "admin_member",
  "admin_session",
  "admin_sign_in",
  "audit_entry",
  "clock_offset",
  "data_deletion",
  "deployment_mode",
  "encryption_key_check",
  "incident",
  "provider_quota",
  "provider_quota_use",
  "refused_prompt",
  "rollup",
  "rollup_writer",
  "sweep_state",
] as const;
