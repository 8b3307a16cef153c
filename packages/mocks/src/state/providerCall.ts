import type { GrantEnd } from "./providerState.ts";

/** Calls of the service at a provider, by what they are for. */
export const PROVIDER_CALLS = ["exchange", "refresh", "revoke", "profile", "list"] as const;
/** What a call of the service at a provider is for. */
export type ProviderCall = (typeof PROVIDER_CALLS)[number];

/**
 * How a call at a provider failed, in the terms the service decides on:
 * - `grant_gone`: the person or the provider ended the grant; only a reconnect helps
 * - `access_expired`: the access token is dead, a refresh may help
 * - `scope_missing`: the grant lives but does not cover this call
 * - `rate_limited`: later; `retryAfterSeconds` when the provider said when
 * - `unavailable`: it broke down, or what came could not be read: later
 * - `rejected`: the provider refused for good
 */
export const CALL_FAILURES = [
  "grant_gone",
  "access_expired",
  "scope_missing",
  "rate_limited",
  "unavailable",
  "rejected",
] as const;
/** How a call at a provider failed. */
export type CallFailureKind = (typeof CALL_FAILURES)[number];

export interface CallFailure {
  readonly kind: CallFailureKind;
  readonly retryAfterSeconds: number | null;
  /** The provider says that the person removed the app. */
  readonly appRemoved: boolean;
}

/** What a script or a test makes of a call. */
export type CallFault =
  | { readonly kind: "failure"; readonly failure: CallFailure }
  /** It is answered well, but so much later. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** The grant ends before this call is answered. */
  | { readonly kind: "grant-ends"; readonly cause: GrantEnd };

export function failure(kind: CallFailureKind, options: Partial<Omit<CallFailure, "kind">> = {}): CallFailure {
  return { kind, retryAfterSeconds: options.retryAfterSeconds ?? null, appRemoved: options.appRemoved ?? false };
}

export function failing(kind: CallFailureKind, options?: Partial<Omit<CallFailure, "kind">>): CallFault {
  return { kind: "failure", failure: failure(kind, options) };
}

/** The failure that an HTTP status of a provider tells of. */
export function failureOfStatus(status: number, retryAfterSeconds: number | null): CallFailure {
  if (status === 429) return failure("rate_limited", { retryAfterSeconds });
  if (status >= 500 || status === 408) return failure("unavailable", { retryAfterSeconds });
  return failure(status === 401 ? "access_expired" : "rejected");
}

/** True for a failure that may pass by itself. */
export function isPassing({ kind }: CallFailure): boolean {
  return kind === "unavailable" || kind === "rate_limited";
}
