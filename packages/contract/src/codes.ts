/** Error codes of the consumer API, in `errors[].extensions.code`. */
export const ERROR_CODES = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "BAD_USER_INPUT",
  "NOT_FOUND",
  "RATE_LIMITED",
  "AUTHORIZATION_SUSPENDED",
  "RECONNECT_REQUIRED",
  "CAPABILITY_UNAVAILABLE",
  "DISCONNECT_IN_PROGRESS",
  "SYNC_WINDOW_BUSY",
  "UPSTREAM_UNAVAILABLE",
] as const;
/** A code that an error of the consumer API can have. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Values of `ConnectSessionResult.resultCode`. */
export const CONNECT_RESULT_CODES = [
  "SUPERSEDED",
  "RECONNECT_TARGET_GONE",
  "APPLICATION_DISABLED",
  "USER_DENIED",
  "PROVIDER_ERROR",
  "NO_CAPABILITY_GRANTED",
  "NOT_A_TESTER",
  "ACCOUNT_MISMATCH",
  "EXCHANGE_FAILED",
  "PROVIDER_UNAVAILABLE",
  "POLICY_CHANGED",
  "DEADLINE_PASSED",
] as const;
/** Why a connect attempt did not complete. */
export type ConnectResultCode = (typeof CONNECT_RESULT_CODES)[number];

/** Values of `SyncJob.errorCode`. */
export const JOB_ERROR_CODES = [
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "RECONNECT_REQUIRED",
  "AUTHORIZATION_SUSPENDED",
  "CAPABILITY_UNAVAILABLE",
  "CONTENT_NOT_FOUND",
  "CONTENT_NOT_OWNED",
  "REVOKE_REJECTED",
  "REVOKE_UNSUPPORTED",
  "DISCONNECTED",
] as const;
/** Why a job failed. */
export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

/** Values of `incompleteReason` that a scan can end with. */
export const SCAN_INCOMPLETE_REASONS = [
  "MAX_ITEMS_REACHED",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_PAGE_LIMIT",
  "UPSTREAM_WINDOW_LIMIT",
] as const;
/** Why a scan did not cover its window. */
export type ScanIncompleteReason = (typeof SCAN_INCOMPLETE_REASONS)[number];

/** Values of `PageInfo.incompleteReason`: the reasons of a scan, and reasons that only apply to a page of stored posts. */
export const PAGE_INCOMPLETE_REASONS = [
  ...SCAN_INCOMPLETE_REASONS,
  "NOT_SCANNED",
  "SCAN_RUNNING",
  "SCAN_FAILED",
  "SCAN_STALE",
  "CONTENT_EXPIRED",
] as const;
/** Why posts may be missing on a page of `content`. */
export type PageIncompleteReason = (typeof PAGE_INCOMPLETE_REASONS)[number];

/** Reasons of a capability, post or metric that are not error codes. */
export const OBSERVATION_REASONS = [
  "EXPIRED",
  "DELETED_AT_PROVIDER",
  "PRIVATE_AT_PROVIDER",
  "METRIC_NOT_OFFERED",
  "METRIC_HIDDEN",
  "METRIC_NOT_GIVEN",
  "NOT_GRANTED",
] as const;
/** Why a post, a metric or a capability is not available; the value can also be an error code. */
export type ObservationReason = (typeof OBSERVATION_REASONS)[number];

/** Error codes of the admin API, in `errors[].extensions.code`. */
export const ADMIN_ERROR_CODES = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "BAD_USER_INPUT",
  "NOT_FOUND",
  "CONFLICT",
  "UPSTREAM_UNAVAILABLE",
] as const;
/** A code that an error of the admin API can have. */
export type AdminErrorCode = (typeof ADMIN_ERROR_CODES)[number];

/** Values of `extensions.reason` with CONFLICT on the admin API: the violated rule. */
export const CONFLICT_REASONS = [
  "LAST_ORIGIN",
  "LAST_RETURN_URL",
  "SLUG_TAKEN",
  "ALREADY_PRESENT",
  "ORIGIN_IN_USE",
  "KEY_LIMIT",
  "ROW_BUSY",
] as const;
/** The rule that a change with CONFLICT would violate. */
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** Values of `extensions.reason` with FORBIDDEN on the admin API. */
export const ADMIN_FORBIDDEN_REASONS = ["API_KEY_READ_ONLY", "PANEL_ONLY"] as const;
/** Why the admin API returns FORBIDDEN, if it has a reason. */
export type AdminForbiddenReason = (typeof ADMIN_FORBIDDEN_REASONS)[number];
