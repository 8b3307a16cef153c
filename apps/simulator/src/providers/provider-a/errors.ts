import type { AccountState } from "@social-connect/provider-fixtures";
import type { ErrorForms } from "../../faults/withFaults.ts";
import { jsonResponse } from "../../shared/http.ts";

interface Extras {
  /** Present in some responses. */
  readonly statusName?: string;
  readonly location?: { readonly location: string; readonly locationType: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Provider A's read errors, with the key order and the HTML of recorded responses. */
function apiError(status: number, domain: string, reason: string, message: string, extras: Extras = {}): Response {
  const { statusName, location, headers } = extras;
  const errors = [{ message, domain, reason, ...location }];
  const error = { code: status, message, errors, ...(statusName === undefined ? {} : { status: statusName }) };
  return jsonResponse({ error }, status, headers);
}

const QUOTA_MESSAGE =
  'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';
const CREDENTIALS_MESSAGE =
  "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.";
const PLAYLIST_MESSAGE =
  "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.";

export function quotaExceeded(): Response {
  return apiError(403, "youtube.quota", "quotaExceeded", QUOTA_MESSAGE);
}

function errorInfo(reason: string) {
  return { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" };
}

/** A spent day with the status and reason of a short limit; `quota_limit` names the day. */
function dailyLimitAsRateLimit(): Response {
  const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'.";
  const metadata = { quota_limit: "defaultPerDayPerProject", service: "youtube.googleapis.com" };
  const details = [{ ...errorInfo("RATE_LIMIT_EXCEEDED"), metadata }];
  const errors = [{ message, domain: "global", reason: "rateLimitExceeded" }];
  return jsonResponse({ error: { code: 429, message, errors, status: "RESOURCE_EXHAUSTED", details } }, 429);
}

export function invalidCredentials(): Response {
  return apiError(401, "global", "authError", CREDENTIALS_MESSAGE, {
    statusName: "UNAUTHENTICATED",
    location: { location: "Authorization", locationType: "header" },
    headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
}

/** The reason is only in `details`; other errors have it in `errors`. */
export function scopeInsufficient(): Response {
  const message = "Request had insufficient authentication scopes.";
  const details = [errorInfo("ACCESS_TOKEN_SCOPE_INSUFFICIENT")];
  return jsonResponse({ error: { code: 403, status: "PERMISSION_DENIED", message, details } }, 403);
}

/** The error for a request without one of the parameters that select something. */
export function noFilter(expected: string, parameter = "parameters"): Response {
  return badParameter(parameter, "missingRequiredParameter", `No filter selected. Expected one of: ${expected}`);
}

export function badParameter(
  parameter: string,
  reason: "missingRequiredParameter" | "invalidParameter" | "invalidPageToken" | "unknownPart",
  message: string,
): Response {
  const location = { location: parameter, locationType: "parameter" };
  return apiError(400, "youtube.parameter", reason, message, { location });
}

export function playlistNotFound(): Response {
  const location = { location: "playlistId", locationType: "parameter" };
  return apiError(404, "youtube.playlistItem", "playlistNotFound", PLAYLIST_MESSAGE, { location });
}

/** One video that the caller must not see. */
export function videoForbidden(): Response {
  const message = "The request is not properly authorized to access the video.";
  const location = { location: "id", locationType: "parameter" };
  return apiError(403, "youtube.video", "forbidden", message, { location });
}

type Unreadable = readonly [domain: string, reason: string, message: string];
const SUSPENDED: Unreadable = [
  "youtube.common",
  "authenticatedUserAccountSuspended",
  "The YouTube account of the authenticated user is suspended.",
];
const UNREADABLE: Readonly<Record<AccountState, Unreadable>> = {
  "account-suspended": SUSPENDED,
  "account-closed": [
    "youtube.common",
    "authenticatedUserAccountClosed",
    "The YouTube account of the authenticated user is closed.",
  ],
  "account-blocked-by-organization": [
    "global",
    "domainPolicy",
    "The domain administrators have disabled access to this application.",
  ],
  "account-not-professional": SUSPENDED,
};

export const READ_ERRORS: ErrorForms = {
  unavailable: (status, headers = {}) => apiError(status, "global", "backendError", "Backend Error", { headers }),
  rateLimited: (quota, headers, _retryAfterSeconds, isShortLimitCode) => {
    if (!quota) return apiError(429, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded", { headers });
    return isShortLimitCode ? dailyLimitAsRateLimit() : quotaExceeded();
  },
  grantGone: () => invalidCredentials(),
  accountUnreadable: (state) => apiError(403, ...UNREADABLE[state]),
  listNotFound: playlistNotFound,
  applicationBlocked: (form) => {
    if (form !== undefined) return serviceDisabled();
    const message = "The API has not been used in this project before, or it is disabled.";
    return apiError(403, "usageLimits", "accessNotConfigured", message);
  },
  refused: (status, code, message) => apiError(status, "global", code, message),
};

/** The reason is only in `details`. */
function serviceDisabled(): Response {
  const message = "YouTube Data API v3 has not been used in the project before or it is disabled.";
  const details = [errorInfo("SERVICE_DISABLED")];
  return jsonResponse({ error: { code: 403, status: "PERMISSION_DENIED", message, details } }, 403);
}

/** Errors of the token and revocation endpoints (RFC 6749, 5.2). */
export function oauthError(error: string, description?: string, status = 400): Response {
  return jsonResponse(description === undefined ? { error } : { error, error_description: description }, status);
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, headers) =>
    jsonResponse({ error: "internal_failure", error_description: "Please try again." }, status, headers),
  rateLimited: (_quota, headers) => jsonResponse({ error: "rate_limit_exceeded" }, 429, headers),
  grantGone: () => oauthError("invalid_grant", "Token has been expired or revoked."),
  listNotFound: () => oauthError("invalid_request"),
  accountUnreadable: () =>
    oauthError("admin_policy_enforced", "Access to the account is restricted by its administrator."),
  applicationBlocked: () => oauthError("disabled_client", "The OAuth client was disabled.", 401),
  refused: (status, code, message) => oauthError(code, message, status),
};
