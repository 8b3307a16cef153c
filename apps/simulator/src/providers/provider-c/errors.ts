import type { AccountState } from "@social-connect/provider-fixtures";
import type { ErrorForms } from "../../faults/withFaults.ts";
import type { GrantEnd } from "../../shared/grantEnd.ts";
import { jsonResponse } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { Grant } from "../../state/grants.ts";

interface Extras {
  readonly type?: "OAuthException" | "IGApiException";
  readonly subcode?: number;
  readonly status?: number;
  readonly transient?: boolean;
  readonly userMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Provider C's read errors: `{error: {…}}` with a numeric code; most have status 400. */
export function graphError(code: number, message: string, extras: Extras = {}): Response {
  const { type = "OAuthException", subcode, status = 400, transient, userMessage, headers } = extras;
  const error = {
    message,
    type,
    ...(transient !== undefined && { is_transient: transient }),
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(userMessage !== undefined && { error_user_msg: userMessage }),
    fbtrace_id: `A${unguessable(16)}`,
  };
  return jsonResponse({ error }, status, headers);
}

/** An error of the sign-in host, which is a flat object. */
export function signInError(
  message: string,
  code = 400,
  type = "OAuthException",
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonResponse({ error_type: type, code, error_message: message }, code, headers);
}

export function unreadableToken(): Response {
  return graphError(190, "Invalid OAuth access token - Cannot parse access token");
}

function invalidToken(subcode: number, why: string): Response {
  return graphError(190, `Error validating access token: ${why}`, { subcode });
}

export function expiredToken(now: Date): Response {
  return invalidToken(463, `Session has expired on ${now.toUTCString()}.`);
}

const NEW_PASSWORD =
  "The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons";

export function endedGrant(grant: Grant, cause: GrantEnd): Response {
  if (cause === "password-changed") return invalidToken(460, NEW_PASSWORD);
  if (cause === "expired") return expiredToken(new Date(grant.ended?.at ?? grant.createdAt));
  return invalidToken(458, `The user has not authorized application ${grant.clientId}.`);
}

/** The person's grant lacks the permission. */
export function notGranted(): Response {
  return graphError(10, "(#10) The user has not authorized the application to perform this action");
}

export function missingPermission(): Response {
  return graphError(10, "(#10) Application does not have permission for this action");
}

export function objectMissing(id: string): Response {
  const userMessage = `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`;
  return graphError(100, "Invalid parameter", { subcode: 33, transient: false, userMessage });
}

export function badParameter(message: string): Response {
  return graphError(100, `(#100) ${message}`, { type: "IGApiException" });
}

/** The provider names no size that it would accept. */
export function tooMuchData(): Response {
  return graphError(1, "Please reduce the amount of data you're asking for, then retry your request", { status: 500 });
}

export function unknownError(): Response {
  return graphError(1, "An unknown error has occurred.", { status: 500 });
}

/** The header with an account's usage in percent and the delay in minutes. */
export function usageHeader(accountId: string, callCount: number, minutesToWait: number): Record<string, string> {
  const usage = {
    type: "instagram",
    call_count: callCount,
    total_cputime: 29,
    total_time: 10,
    estimated_time_to_regain_access: minutesToWait,
  };
  return { "x-business-use-case-usage": JSON.stringify({ [accountId]: [usage] }) };
}

const QUOTA_WAIT_MINUTES = 15;

export function limitReached(accountId: string, minutesToWait: number): Response {
  const headers = usageHeader(accountId, 100, minutesToWait);
  return graphError(4, "(#4) Application request limit reached", { status: 403, transient: true, headers });
}

const restricted = () => graphError(25, "The Instagram account is restricted.", { subcode: 2_207_050 });
const UNREADABLE: Readonly<Record<AccountState, () => Response>> = {
  "account-suspended": restricted,
  "account-closed": restricted,
  "account-blocked-by-organization": restricted,
  "account-not-professional": () => graphError(10, "(#10) The user is not an Instagram Business"),
};

export function readErrors(accountId: string): ErrorForms {
  return {
    unavailable: (status, headers = {}) => {
      const message = "An unexpected error has occurred. Please retry your request later.";
      return graphError(2, message, { status, transient: true, headers });
    },
    rateLimited: (quota, _headers, retryAfterSeconds) =>
      limitReached(accountId, quota ? QUOTA_WAIT_MINUTES : Math.floor((retryAfterSeconds ?? 0) / 60)),
    grantGone: (grant) => endedGrant(grant, grant.ended?.cause ?? "removed-app"),
    accountUnreadable: (state) => UNREADABLE[state](),
    applicationBlocked: (form) => {
      if (form === "permission") return missingPermission();
      if (form === undefined) return graphError(200, "API access blocked.");
      return graphError(3, "(#3) Application does not have the capability to make this API call.");
    },
    listNotFound: () => objectMissing(accountId),
    refused: (status, code, message) => {
      const [main, subcode] = code.split(".").map(Number);
      return graphError(main ?? 0, message, { status, ...(subcode !== undefined && { subcode }) });
    },
  };
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, headers) =>
    signInError("Sorry, something went wrong. Please try again later.", status, "OAuthException", headers),
  rateLimited: (_quota, headers) =>
    signInError("Application request limit reached", 429, "OAuthRateLimitException", headers),
  grantGone: () => signInError("Matching code was not found or was already used"),
  listNotFound: () => signInError("Invalid request"),
  accountUnreadable: () => signInError("The account is suspended"),
  applicationBlocked: () => signInError("API access blocked."),
  refused: (status, code, message) => signInError(message, status, code),
};
