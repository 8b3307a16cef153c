import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";

export const CONSUMER_ERRORS: Readonly<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: "The key is missing, malformed, unknown, revoked or expired.",
  FORBIDDEN:
    "The application is disabled, the call is outside its policy, or a disconnect at the provider is in progress.",
  BAD_USER_INPUT: "An argument or the document is not valid, or a limit was exceeded.",
  NOT_FOUND: "The resource is unknown, erased, expired, or belongs to another scope.",
  RATE_LIMITED: "Too many pending attempts or jobs; `retryAfterSeconds` is the delay before a retry.",
  AUTHORIZATION_SUSPENDED: "The provider registration is paused, so the connection cannot be used for now.",
  RECONNECT_REQUIRED: "The grant is no longer active: the person has to connect again.",
  CAPABILITY_UNAVAILABLE: "The connection or the registration does not offer what the call needs.",
  DISCONNECT_IN_PROGRESS: "The connection to reconnect is being disconnected.",
  SYNC_WINDOW_BUSY: "A scan of another window is in flight on this connection.",
  UPSTREAM_UNAVAILABLE: "The service could not complete the call; also its fallback code.",
};

export const ADMIN_ERRORS: Readonly<Record<AdminErrorCode, string>> = {
  UNAUTHENTICATED:
    "The key is malformed, unknown, wrong, expired or revoked, or its admin was removed. The service does not distinguish them.",
  FORBIDDEN:
    "The key's scope does not allow the operation (`API_KEY_READ_ONLY`), or the transport of the request was rejected.",
  BAD_USER_INPUT: "An argument is invalid. The service does not report which one.",
  NOT_FOUND: "The client does not exist, or the entry to remove is not registered for it.",
  CONFLICT: "The change violates the rule in `reason`, or the row was busy (`ROW_BUSY`). Nothing was changed.",
  UPSTREAM_UNAVAILABLE:
    "The service could not complete the call; a change may have been applied nevertheless. Also its fallback code.",
};
