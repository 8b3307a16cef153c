import type { ErrorForms } from "../../faults/withFaults.ts";
import type { GrantEnd } from "../../shared/fault.ts";
import { jsonResponse } from "../../shared/http.ts";
import { unguessable } from "../../shared/random.ts";
import type { Grant } from "../../state/grants.ts";

/** Provider C's read errors: `{error: {…}}` with a numeric code; most have status 400. */
interface GraphError {
  readonly message: string;
  readonly code: number;
  readonly type?: "OAuthException" | "IGApiException";
  readonly subcode?: number;
  readonly status?: number;
  readonly transient?: boolean;
  readonly userMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function graphError(error: GraphError): Response {
  return jsonResponse(
    {
      error: {
        message: error.message,
        type: error.type ?? "OAuthException",
        ...(error.transient !== undefined && { is_transient: error.transient }),
        code: error.code,
        ...(error.subcode !== undefined && { error_subcode: error.subcode }),
        ...(error.userMessage !== undefined && { error_user_msg: error.userMessage }),
        fbtrace_id: `A${unguessable(16)}`,
      },
    },
    error.status ?? 400,
    error.headers,
  );
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
  return graphError({ code: 190, message: "Invalid OAuth access token - Cannot parse access token" });
}

export function expiredToken(now: Date): Response {
  return graphError({
    code: 190,
    subcode: 463,
    message: `Error validating access token: Session has expired on ${now.toUTCString()}.`,
  });
}

export function endedGrant(grant: Grant, cause: GrantEnd): Response {
  if (cause === "password-changed") {
    return graphError({
      code: 190,
      subcode: 460,
      message:
        "Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons",
    });
  }
  if (cause === "expired") return expiredToken(new Date(grant.ended?.at ?? grant.createdAt));
  return graphError({
    code: 190,
    subcode: 458,
    message: `Error validating access token: The user has not authorized application ${grant.clientId}.`,
  });
}

export function missingPermission(): Response {
  return graphError({ code: 10, message: "(#10) Application does not have permission for this action" });
}

export function objectMissing(id: string): Response {
  return graphError({
    code: 100,
    subcode: 33,
    message: "Invalid parameter",
    transient: false,
    userMessage: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  });
}

export function badParameter(message: string): Response {
  return graphError({ code: 100, type: "IGApiException", message: `(#100) ${message}` });
}

/** The provider names no size that it would accept. */
export function tooMuchData(): Response {
  return graphError({
    code: 1,
    status: 500,
    message: "Please reduce the amount of data you're asking for, then retry your request",
  });
}

export function unknownError(): Response {
  return graphError({ code: 1, status: 500, message: "An unknown error has occurred." });
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
  return graphError({
    code: 4,
    status: 403,
    transient: true,
    message: "(#4) Application request limit reached",
    headers: usageHeader(accountId, 100, minutesToWait),
  });
}

export function readErrors(accountId: string): ErrorForms {
  return {
    unavailable: (status, headers = {}) =>
      graphError({
        code: 2,
        status,
        transient: true,
        message: "An unexpected error has occurred. Please retry your request later.",
        headers,
      }),
    rateLimited: (quota, _headers, retryAfterSeconds) =>
      limitReached(accountId, quota ? QUOTA_WAIT_MINUTES : Math.floor((retryAfterSeconds ?? 0) / 60)),
    grantGone: (grant) => endedGrant(grant, grant.ended?.cause ?? "removed-app"),
    accountUnreadable: (state) =>
      state === "account-not-professional"
        ? graphError({ code: 10, message: "(#10) The user is not an Instagram Business" })
        : graphError({ code: 25, subcode: 2_207_050, message: "The Instagram account is restricted." }),
    applicationBlocked: () => graphError({ code: 200, message: "API access blocked." }),
  };
}

export const SIGN_IN_ERRORS: ErrorForms = {
  unavailable: (status, headers) =>
    signInError("Sorry, something went wrong. Please try again later.", status, "OAuthException", headers),
  rateLimited: (_quota, headers) =>
    signInError("Application request limit reached", 429, "OAuthRateLimitException", headers),
  grantGone: () => signInError("Matching code was not found or was already used"),
  accountUnreadable: () => signInError("The account is suspended"),
  applicationBlocked: () => signInError("API access blocked."),
};
