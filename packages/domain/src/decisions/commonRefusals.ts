/** Refusals about a missing record, a key or a request. The server and the mocks share them. */
import { type AdminRefusal, badUserInput, refuse } from "./refusal.ts";

export const UNKNOWN_CONNECTION = refuse("NOT_FOUND", "No such connection.");
export const UNKNOWN_CONNECT_SESSION = refuse("NOT_FOUND", "No such connect session.");
export const UNKNOWN_IDENTITY_SESSION = refuse("NOT_FOUND", "No such identity session.");
export const REDEEMED_IDENTITY_SESSION = refuse(
  "NOT_FOUND",
  "The result of this identity session was redeemed before, and can be redeemed once. Store what the first call returns.",
);
export const UNKNOWN_JOB = refuse("NOT_FOUND", "No such job.");
export const UNKNOWN_POST = refuse("NOT_FOUND", "Unknown post for this connection.");
export const INVALID_CONTENT_ID = badUserInput(
  "`providerContentId` must not contain NUL characters or unpaired surrogates.",
);
export const PROVIDER_NOT_AVAILABLE = refuse(
  "FORBIDDEN",
  "The provider is not available to the application with these capabilities.",
);

/** The same for a missing, malformed, unknown, wrong, revoked and expired key. */
export const INVALID_APPLICATION_KEY = refuse(
  "UNAUTHENTICATED",
  "A valid application key is required, in the header `Authorization: Bearer KEY`.",
);
export const INVALID_ADMIN_KEY = refuse(
  "UNAUTHENTICATED",
  "A valid admin key is required, in the header `Authorization: Bearer KEY`.",
);
export const APPLICATION_DISABLED = refuse("FORBIDDEN", "The application is disabled.");

/** A call that finds all slots of its application in use, and the queue for them full. */
export const TOO_MANY_CALLS = refuse("RATE_LIMITED", "Too many calls of the application at the same time.", 1);
/** The same for an admin; the admin API has no RATE_LIMITED. */
export const TOO_MANY_ADMIN_CALLS = refuse("UPSTREAM_UNAVAILABLE", "Too many calls at the same time. Try again.");

/** For a request to the admin side that came over a wrong host, over plain HTTP, or with credentials of the other API. */
export const REQUEST_REJECTED = refuse(
  "FORBIDDEN",
  "Request rejected: cookies, duplicate Authorization headers and plain HTTP are not accepted here.",
);
/** For a request to the panel's API that no page of the panel sent. */
export const PANEL_REQUEST_REJECTED = refuse(
  "FORBIDDEN",
  "Request rejected: only pages of the admin panel can use this API, with the session of a signed-in browser. Send an admin key to POST /api/admin/graphql, an application key to POST /graphql.",
);
export const SIGN_IN_REQUIRED = refuse("UNAUTHENTICATED", "Sign in to continue.");
export const PANEL_ONLY: AdminRefusal = {
  code: "FORBIDDEN",
  reason: "PANEL_ONLY",
  message: "This operation is only available in the admin panel.",
};
export const API_KEY_READ_ONLY: AdminRefusal = {
  code: "FORBIDDEN",
  reason: "API_KEY_READ_ONLY",
  message: "This API key is read-only.",
};
