import type { AccountState } from "@social-connect/provider-fixtures";
import type { ErrorForms } from "../../faults/withFaults.ts";
import { jsonResponse } from "../../shared/http.ts";

/** Provider A's read errors, with the key order and the HTML of recorded responses. */
interface ApiError {
  readonly status: number;
  readonly reason: string;
  readonly domain: string;
  readonly message: string;
  /** Present in some responses. */
  readonly statusName?: string;
  readonly location?: { readonly location: string; readonly locationType: string };
  readonly headers?: Readonly<Record<string, string>>;
}

function apiError(error: ApiError): Response {
  const { status, reason, domain, message } = error;
  return jsonResponse(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain, reason, ...error.location }],
        ...(error.statusName === undefined ? {} : { status: error.statusName }),
      },
    },
    status,
    error.headers,
  );
}

const QUOTA_MESSAGE =
  'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';

export function quotaExceeded(): Response {
  return apiError({ status: 403, reason: "quotaExceeded", domain: "youtube.quota", message: QUOTA_MESSAGE });
}

/** A spent day with the status and reason of a short limit; `quota_limit` names the day. */
function dailyLimitAsRateLimit(): Response {
  const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'.";
  const metadata = { quota_limit: "defaultPerDayPerProject", service: "youtube.googleapis.com" };
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "RATE_LIMIT_EXCEEDED",
      domain: "googleapis.com",
      metadata,
    },
  ];
  const errors = [{ message, domain: "global", reason: "rateLimitExceeded" }];
  return jsonResponse({ error: { code: 429, message, errors, status: "RESOURCE_EXHAUSTED", details } }, 429);
}

export function invalidCredentials(): Response {
  return apiError({
    status: 401,
    reason: "authError",
    domain: "global",
    message:
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
    statusName: "UNAUTHENTICATED",
    location: { location: "Authorization", locationType: "header" },
    headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
}

/** The reason is only in `details`; other errors have it in `errors`. */
export function scopeInsufficient(): Response {
  return jsonResponse(
    {
      error: {
        code: 403,
        status: "PERMISSION_DENIED",
        message: "Request had insufficient authentication scopes.",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            domain: "googleapis.com",
          },
        ],
      },
    },
    403,
  );
}

/** The error for a request without one of the parameters that select something. */
export function noFilter(expected: string, parameter = "parameters"): Response {
  return badParameter(parameter, "missingRequiredParameter", `No filter selected. Expected one of: ${expected}`);
}

export function badParameter(
  parameter: string,
  reason: "missingRequiredParameter" | "incompatibleParameters" | "invalidParameter" | "invalidPageToken",
  message: string,
): Response {
  return apiError({
    status: 400,
    reason,
    domain: "youtube.parameter",
    message,
    location: { location: parameter, locationType: "parameter" },
  });
}

export function playlistNotFound(): Response {
  return apiError({
    status: 404,
    reason: "playlistNotFound",
    domain: "youtube.playlistItem",
    message: "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.",
    location: { location: "playlistId", locationType: "parameter" },
  });
}

/** One video that the caller must not see. */
export function videoForbidden(): Response {
  return apiError({
    status: 403,
    reason: "forbidden",
    domain: "youtube.video",
    message: "The request is not properly authorized to access the video.",
    location: { location: "id", locationType: "parameter" },
  });
}

const SUSPENDED = {
  reason: "authenticatedUserAccountSuspended",
  domain: "youtube.common",
  message: "The YouTube account of the authenticated user is suspended.",
};
const UNREADABLE: Readonly<Record<AccountState, Pick<ApiError, "reason" | "domain" | "message">>> = {
  "account-suspended": SUSPENDED,
  "account-closed": {
    reason: "authenticatedUserAccountClosed",
    domain: "youtube.common",
    message: "The YouTube account of the authenticated user is closed.",
  },
  "account-blocked-by-organization": {
    reason: "domainPolicy",
    domain: "global",
    message: "The domain administrators have disabled access to this application.",
  },
  "account-not-professional": SUSPENDED,
};

export const READ_ERRORS: ErrorForms = {
  unavailable: (status, headers = {}) =>
    apiError({ status, reason: "backendError", domain: "global", message: "Backend Error", headers }),
  rateLimited: (quota, headers, _retryAfterSeconds, isShortLimitCode) =>
    quota
      ? isShortLimitCode
        ? dailyLimitAsRateLimit()
        : quotaExceeded()
      : apiError({
          status: 429,
          reason: "rateLimitExceeded",
          domain: "usageLimits",
          message: "Rate Limit Exceeded",
          headers,
        }),
  grantGone: () => invalidCredentials(),
  accountUnreadable: (state) => apiError({ status: 403, ...UNREADABLE[state] }),
  applicationBlocked: () =>
    apiError({
      status: 403,
      reason: "accessNotConfigured",
      domain: "usageLimits",
      message: "The API has not been used in this project before, or it is disabled.",
    }),
};

/** Errors of the token and revocation endpoints (RFC 6749, 5.2). */
export function oauthError(error: string, description?: string, status = 400): Response {
  return jsonResponse(description === undefined ? { error } : { error, error_description: description }, status);
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, headers) =>
    jsonResponse({ error: "internal_failure", error_description: "Please try again." }, status, headers),
  rateLimited: (_quota, headers) => jsonResponse({ error: "rate_limit_exceeded" }, 429, headers),
  grantGone: () => oauthError("invalid_grant", "Token has been expired or revoked."),
  accountUnreadable: () =>
    oauthError("admin_policy_enforced", "Access to the account is restricted by its administrator."),
  applicationBlocked: () => oauthError("disabled_client", "The OAuth client was disabled.", 401),
};
