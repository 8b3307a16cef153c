import { randomUUID } from "node:crypto";
import type { AccountState } from "@social-connect/provider-fixtures";
import type { ErrorForms } from "../../faults/withFaults.ts";
import { jsonResponse } from "../../shared/http.ts";

/** A log id: 14 digits and a random tail. */
function logId(): string {
  return `20220829194722${randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase()}`;
}

const MESSAGES = {
  access_token_invalid: [401, "The access token is invalid or not found in the request."],
  scope_permission_missed: [400, "Access token is invalid, some fields need additional scopes."],
  scope_not_authorized: [401, "The user did not authorize the scope required for completing this request."],
  invalid_params: [400, "One or more fields in request is invalid."],
  rate_limit_exceeded: [429, "The API rate limit was exceeded. Please try again later."],
  user_banned: [403, "The account of this user is banned."],
  user_deactivated: [403, "The account of this user is deactivated."],
  unauthorized_client: [403, "The client is not authorized to call this API."],
  internal_error: [500, "The server is experiencing an internal error. Please try again later."],
} as const;

/** A read error: the envelope with empty data. */
export function apiError(
  code: keyof typeof MESSAGES,
  overrides: { message?: string; status?: number; headers?: Readonly<Record<string, string>> } = {},
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

const UNREADABLE: Readonly<Record<AccountState, keyof typeof MESSAGES>> = {
  "account-suspended": "user_banned",
  "account-closed": "user_deactivated",
  "account-blocked-by-organization": "user_banned",
  "account-not-professional": "user_banned",
};

/** The provider sends no Retry-After; explicit faults do. */
export const READ_ERRORS: ErrorForms = {
  unavailable: (status, headers) => apiError("internal_error", { status, ...(headers && { headers }) }),
  rateLimited: (_quota, headers) => apiError("rate_limit_exceeded", { headers }),
  grantGone: () => apiError("access_token_invalid"),
  accountUnreadable: (state) => apiError(UNREADABLE[state]),
  applicationBlocked: (form) => apiError(form === undefined ? "unauthorized_client" : "scope_permission_missed"),
  listNotFound: () => apiError("invalid_params"),
  refused: (status, code, message) => jsonResponse({ data: {}, error: { code, message, log_id: logId() } }, status),
};

/** An error of the token and revocation endpoints: flat, with RFC 6749's codes. */
export function oauthError(
  error: string,
  description: string,
  status = 400,
  headers?: Readonly<Record<string, string>>,
): Response {
  return jsonResponse({ error, error_description: description, log_id: logId() }, status, headers);
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, headers) =>
    oauthError("server_error", "Something is wrong. Please try again later.", status, headers),
  rateLimited: (_quota, headers) => oauthError("rate_limit_exceeded", MESSAGES.rate_limit_exceeded[1], 429, headers),
  grantGone: () => oauthError("invalid_grant", "Refresh token is invalid or expired."),
  listNotFound: () => oauthError("invalid_request", "The request is malformed."),
  accountUnreadable: () => oauthError("user_banned", MESSAGES.user_banned[1], 403),
  applicationBlocked: () => oauthError("unauthorized_client", MESSAGES.unauthorized_client[1], 403),
  refused: (status, code, message) => oauthError(code, message, status),
};
