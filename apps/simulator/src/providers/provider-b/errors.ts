import { randomUUID } from "node:crypto";
import type { ErrorForms } from "../../faults/withFaults.ts";
import { jsonResponse, retryAfter } from "../../shared/http.ts";

/** A log id: 14 digits and a random tail. */
function logId(): string {
  return `20220829194722${randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase()}`;
}

const MESSAGES = {
  access_token_invalid: [401, "The access token is invalid or not found in the request."],
  scope_not_authorized: [401, "The user did not authorize the scope required for completing this request."],
  invalid_params: [400, "One or more fields in request is invalid."],
  rate_limit_exceeded: [429, "The API rate limit was exceeded. Please try again later."],
  internal_error: [500, "The server is experiencing an internal error. Please try again later."],
} as const;

/** A read error: the envelope with empty data. */
export function apiError(
  code: keyof typeof MESSAGES,
  overrides: { message?: string; status?: number; headers?: Record<string, string> } = {},
): Response {
  const [status, message] = MESSAGES[code];
  return jsonResponse(
    { data: {}, error: { code, message: overrides.message ?? message, log_id: logId() } },
    overrides.status ?? status,
    overrides.headers,
  );
}

export function success(data: unknown): Response {
  return jsonResponse({ data, error: { code: "ok", message: "", log_id: logId() } });
}

/** The provider sends no Retry-After; `retryAfterSeconds` is only set by explicit faults. */
export const READ_ERRORS: ErrorForms = {
  unavailable: (status, retryAfterSeconds) =>
    apiError("internal_error", { status, headers: retryAfter(retryAfterSeconds) }),
  rateLimited: (_quota, retryAfterSeconds) =>
    apiError("rate_limit_exceeded", { headers: retryAfter(retryAfterSeconds) }),
  grantGone: () => apiError("access_token_invalid"),
};

/** An error of the token and revocation endpoints: flat, with RFC 6749's codes. */
export function oauthError(error: string, description: string, status = 400): Response {
  return jsonResponse({ error, error_description: description, log_id: logId() }, status);
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, retryAfterSeconds) =>
    jsonResponse(
      { error: "server_error", error_description: "Something is wrong. Please try again later.", log_id: logId() },
      status,
      retryAfter(retryAfterSeconds),
    ),
  rateLimited: (_quota, retryAfterSeconds) =>
    jsonResponse(
      {
        error: "rate_limit_exceeded",
        error_description: "The API rate limit was exceeded. Please try again later.",
        log_id: logId(),
      },
      429,
      retryAfter(retryAfterSeconds),
    ),
  grantGone: () => oauthError("invalid_grant", "Refresh token is invalid or expired."),
};
