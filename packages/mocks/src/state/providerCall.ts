import type { CallKind } from "@social-connect/domain";

/** Purposes of the service's calls at a provider. */
export const PROVIDER_CALLS = ["exchange", "refresh", "revoke", "profile", "list"] as const;
/** Purpose of a call at a provider. `profile` reads the account; a scan at PROVIDER_A starts with it too. */
export type ProviderCall = (typeof PROVIDER_CALLS)[number];

/**
 * How a call at a provider failed:
 * - `grant_gone`: the person or the provider ended the grant; a reconnect is required
 * - `access_expired`: the access token is invalid; a refresh may help
 * - `scope_missing`: the grant is active but does not cover this call
 * - `account_unreadable`: the account is suspended, closed or blocked by its organization; only the person can change that
 * - `rate_limited`: retry later, after `retryAfterSeconds` if the provider sent it
 * - `unavailable`: an outage or an unreadable response; retry later
 * - `application_refused`: the provider refuses the registration's client, for every account
 * - `rejected`: the provider refused permanently
 */
export const CALL_FAILURES = [
  "grant_gone",
  "access_expired",
  "scope_missing",
  "account_unreadable",
  "rate_limited",
  "unavailable",
  "application_refused",
  "rejected",
] as const;
/** How a call at a provider failed. */
export type CallFailureKind = (typeof CALL_FAILURES)[number];

export interface CallFailure {
  readonly kind: CallFailureKind;
  readonly retryAfterSeconds: number | null;
  /** The provider reports that the person removed the app. */
  readonly appRemoved: boolean;
  /** The provider's error response; null without one. */
  readonly refusal: { readonly status: number; readonly code: string | null; readonly message: string | null } | null;
  /** The kind of the failed call, if it differs from that of the job. */
  readonly call?: CallKind;
}

/** Why a grant ended at the provider; the service detects it at its next call. */
export type GrantEnd = "revoked" | "removed-app" | "password-changed" | "expired";

/** The effect of a script or a test on a call. */
export type CallFault =
  | { readonly kind: "failure"; readonly failure: CallFailure }
  /** It succeeds after a delay. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** The grant ends before the response. */
  | { readonly kind: "grant-ends"; readonly cause: GrantEnd };

export function failure(kind: CallFailureKind, options: Partial<Omit<CallFailure, "kind">> = {}): CallFailure {
  const refused = kind === "rejected" ? { status: 400, code: null, message: null } : null;
  const { retryAfterSeconds = null, appRemoved = false, refusal = refused, call } = options;
  return { kind, retryAfterSeconds, appRemoved, refusal, ...(call !== undefined && { call }) };
}

export function failing(kind: CallFailureKind, options?: Partial<Omit<CallFailure, "kind">>): CallFault {
  return { kind: "failure", failure: failure(kind, options) };
}

/** The failure for an HTTP status. */
export function failureOfStatus(status: number, retryAfterSeconds: number | null): CallFailure {
  if (status === 429) return failure("rate_limited", { retryAfterSeconds });
  if (status >= 500 || status === 408) return failure("unavailable", { retryAfterSeconds });
  return failure(status === 401 ? "access_expired" : "rejected");
}

/** A request in the call log, without keys, tokens and proofs. */
export interface RecordedCall {
  /** Counted from 1. */
  readonly number: number;
  /** When the response was sent or the connection closed, by the mock's clock. */
  readonly at: Date;
  /** The requested operation, the first of several in a document; null when none could be parsed. */
  readonly operation: string | null;
  /** The API that received it. */
  readonly api: "consumer" | "admin";
  /** The arguments, with `[redacted]` in place of secrets. */
  readonly arguments: unknown;
  /** `OK`, the code of the first error, or the effect of a fault. */
  readonly outcome: string;
  /** null when the connection was closed without a response. */
  readonly httpStatus: number | null;
  /** The calling application; null for an invalid key, and for operations without a key. */
  readonly applicationId: string | null;
  /** The correlationId of the errors; null without errors. */
  readonly correlationId: string | null;
}
