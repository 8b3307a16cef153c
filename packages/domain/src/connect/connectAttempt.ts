import type {
  Capability,
  ConnectCreatorAction,
  ConnectResultCode,
  ConnectSessionStatus,
  SocialProvider,
} from "@social-connect/contract";
import { CAPABILITIES, LIMITS } from "@social-connect/contract";
import type { Refusal } from "../decisions/refusal.ts";
import { refuse } from "../decisions/refusal.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { addMs, hasPassed, retryAfterSecondsUntil } from "../time/time.ts";

interface Transition {
  readonly from: readonly ConnectSessionStatus[];
  readonly to: ConnectSessionStatus;
  readonly resultCode: ConnectResultCode | null;
}

/**
 * Every move of a connect attempt, by what happened. An attempt is unfinished in CREATED, AUTHORIZING and EXCHANGING;
 * nothing leaves a finished one. Source: service description, part 3 (EXPIRED on reading, COMPLETED); the browser-side
 * moves and all result codes are this project's choice.
 */
export const CONNECT_ATTEMPT_TRANSITIONS = {
  LAUNCH_REDEEMED: { from: ["CREATED"], to: "AUTHORIZING", resultCode: null },
  /** A newer attempt to reconnect the same connection was redeemed; first-time attempts never cancel each other. */
  SUPERSEDED: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "SUPERSEDED" },
  /** The connection that it was to reconnect was disconnected. */
  RECONNECT_TARGET_GONE: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "RECONNECT_TARGET_GONE" },
  APPLICATION_DISABLED: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "APPLICATION_DISABLED" },
  CODE_RECEIVED: { from: ["AUTHORIZING"], to: "EXCHANGING", resultCode: null },
  ACCESS_DENIED: { from: ["AUTHORIZING"], to: "DENIED", resultCode: "USER_DENIED" },
  CALLBACK_ERROR: { from: ["AUTHORIZING"], to: "FAILED", resultCode: "PROVIDER_ERROR" },
  ACCOUNT_CONNECTED: { from: ["EXCHANGING"], to: "COMPLETED", resultCode: null },
  NO_CAPABILITY_GRANTED: { from: ["EXCHANGING"], to: "DENIED", resultCode: "NO_CAPABILITY_GRANTED" },
  NOT_A_TESTER: { from: ["EXCHANGING"], to: "FAILED", resultCode: "NOT_A_TESTER" },
  /** A reconnect whose person consented with another account. */
  ACCOUNT_MISMATCH: { from: ["EXCHANGING"], to: "FAILED", resultCode: "ACCOUNT_MISMATCH" },
  EXCHANGE_REFUSED: { from: ["EXCHANGING"], to: "FAILED", resultCode: "EXCHANGE_FAILED" },
  /** Still failing after bounded retries. */
  PROVIDER_UNAVAILABLE: { from: ["EXCHANGING"], to: "FAILED", resultCode: "PROVIDER_UNAVAILABLE" },
  /** Policy, registration, reconnect target or a revoke changed during the exchange, or the return URL was removed. */
  POLICY_CHANGED: { from: ["CREATED", "AUTHORIZING", "EXCHANGING"], to: "FAILED", resultCode: "POLICY_CHANGED" },
  DEADLINE_PASSED: { from: ["CREATED", "AUTHORIZING", "EXCHANGING"], to: "EXPIRED", resultCode: "DEADLINE_PASSED" },
} as const satisfies Record<string, Transition>;

export type ConnectAttemptEvent = keyof typeof CONNECT_ATTEMPT_TRANSITIONS;

export interface AttemptMove {
  readonly status: ConnectSessionStatus;
  readonly resultCode: ConnectResultCode | null;
}

/** The attempt's state after `event`; null when the event cannot happen to an attempt in `status`. */
export function moveAttempt(status: ConnectSessionStatus, event: ConnectAttemptEvent): AttemptMove | null {
  const transition: Transition = CONNECT_ATTEMPT_TRANSITIONS[event];
  return transition.from.includes(status) ? { status: transition.to, resultCode: transition.resultCode } : null;
}

export function isUnfinished(status: ConnectSessionStatus): boolean {
  return status === "CREATED" || status === "AUTHORIZING" || status === "EXCHANGING";
}

export interface AttemptDeadlines {
  /** The person has until then to finish: 10 minutes after creation. */
  readonly expiresAt: Date;
  /** The result is readable until then: 24 hours after creation. */
  readonly resultExpiresAt: Date;
}

export function attemptDeadlines(createdAt: Date): AttemptDeadlines {
  return {
    expiresAt: addMs(createdAt, LIMITS.connectDeadlineMs),
    resultExpiresAt: addMs(createdAt, LIMITS.connectResultReadableMs),
  };
}

/**
 * What moves an unfinished attempt at `now`: `event`, or the deadline once that has passed. It makes no difference whether
 * a reader, the sweep or the event comes first.
 */
export function eventInTime<Event extends ConnectAttemptEvent>(
  { expiresAt }: Pick<AttemptDeadlines, "expiresAt">,
  event: Event,
  now: Date,
): Event | "DEADLINE_PASSED" {
  return hasPassed(expiresAt, now) ? "DEADLINE_PASSED" : event;
}

export interface ConnectAttempt extends AttemptMove, AttemptDeadlines {
  readonly provider: SocialProvider;
  readonly connectionId: string | null;
  readonly creatorAction: ConnectCreatorAction | null;
}

/**
 * What a reader of the attempt is shown at `now`, whether or not the sweep has been by: an unfinished attempt past its
 * deadline is EXPIRED; past `resultExpiresAt` there is nothing (null: answer NOT_FOUND). `connectionId` is shown only
 * with COMPLETED. Source: service description, parts 2 and 3.
 */
export function attemptAsRead<T extends ConnectAttempt>(attempt: T, now: Date): T | null {
  if (hasPassed(attempt.resultExpiresAt, now)) return null;
  const overdue = isUnfinished(attempt.status) && hasPassed(attempt.expiresAt, now);
  const expired = overdue ? moveAttempt(attempt.status, "DEADLINE_PASSED") : null;
  if (expired === null)
    return { ...attempt, connectionId: attempt.status === "COMPLETED" ? attempt.connectionId : null };
  return { ...attempt, ...expired, connectionId: null, creatorAction: expiredAttemptCreatorAction(attempt) };
}

/**
 * `creatorAction` of an unfinished attempt whose deadline passes. One that was EXCHANGING, with nobody left to end it, had
 * its person's consent: where the provider has no way to give that back, only the person can.
 */
export function expiredAttemptCreatorAction({
  status,
  provider,
}: Pick<ConnectAttempt, "status" | "provider">): ConnectCreatorAction | null {
  return attemptCreatorAction(status === "EXCHANGING" && !PROVIDER_TRAITS[provider].canRevoke);
}

/**
 * `creatorAction` of an attempt that is over when its code arrives. The person did consent: where the provider has no revoke
 * interface, only the person can take that back.
 */
export function lateConsentCreatorAction(
  attempt: Pick<ConnectAttempt, "status" | "resultCode" | "provider">,
): ConnectCreatorAction | null {
  const isOver = attempt.status === "EXPIRED" || attempt.resultCode === "POLICY_CHANGED";
  return attemptCreatorAction(isOver && !PROVIDER_TRAITS[attempt.provider].canRevoke);
}

/**
 * RATE_LIMITED when a subject already has 5 unfinished attempts at a provider. `expiresAts` are the deadlines of the
 * stored unfinished ones; those that have passed no longer count. Waiting helps from the moment the oldest gets there.
 * Source: service description, part 8.
 */
export function checkUnfinishedAttempts(expiresAts: readonly Date[], now: Date): Refusal | null {
  return checkUnfinishedLimit(expiresAts, LIMITS.unfinishedConnectAttempts, LIMITS.connectDeadlineMs, now);
}

/** The same for the 20 unfinished identity attempts of an application. */
export function checkUnfinishedIdentityAttempts(expiresAts: readonly Date[], now: Date): Refusal | null {
  return checkUnfinishedLimit(expiresAts, LIMITS.unfinishedIdentityAttempts, LIMITS.identityDeadlineMs, now);
}

function checkUnfinishedLimit(
  expiresAts: readonly Date[],
  limit: number,
  lifetimeMs: number,
  now: Date,
): Refusal | null {
  const open = expiresAts.filter((expiresAt) => !hasPassed(expiresAt, now)).sort((a, b) => a.getTime() - b.getTime());
  const oldest = open[0];
  if (oldest === undefined || open.length < limit) return null;
  // An attempt that a process with a clock a little ahead has just created ends no later than its whole lifetime from now.
  const retryAfterSeconds = Math.min(retryAfterSecondsUntil(oldest, now), lifetimeMs / 1_000);
  return refuse("RATE_LIMITED", `${limit} unfinished attempts are the limit`, retryAfterSeconds);
}

/** What is known once the code was exchanged and the account read. */
export interface ExchangeFacts {
  readonly expiresAt: Date;
  /** False when policy, registration, reconnect target or a sibling's disconnect rule the connection out by now. */
  readonly stillAllowed: boolean;
  readonly requested: readonly Capability[];
  readonly granted: readonly Capability[];
  /** True in live mode, and in sandbox for an account on the application's tester list. */
  readonly mayConnect: boolean;
  readonly providerAccountId: string;
  /** The account behind the connection to reconnect; null for a first-time attempt. */
  readonly reconnectAccountId: string | null;
}

/**
 * How an attempt ends whose account could be read. The first that holds decides: too late, no longer allowed, nothing
 * granted, not a tester, another account than the one to reconnect; otherwise it is connected.
 */
export function exchangeEvent(facts: ExchangeFacts, now: Date): ConnectAttemptEvent {
  if (hasPassed(facts.expiresAt, now)) return "DEADLINE_PASSED";
  if (!facts.stillAllowed) return "POLICY_CHANGED";
  if (connectionCapabilities(facts.requested, facts.granted).length === 0) return "NO_CAPABILITY_GRANTED";
  if (!facts.mayConnect) return "NOT_A_TESTER";
  if (facts.reconnectAccountId !== null && facts.reconnectAccountId !== facts.providerAccountId)
    return "ACCOUNT_MISMATCH";
  return "ACCOUNT_CONNECTED";
}

/** The capabilities of a connection: those requested and granted at the latest consent, in the order of the enum. */
export function connectionCapabilities(requested: readonly Capability[], granted: readonly Capability[]): Capability[] {
  return CAPABILITIES.filter((capability) => requested.includes(capability) && granted.includes(capability));
}

/**
 * `creatorAction` of an attempt's result: the person has to remove the app at the provider when a grant was made there
 * that became no connection and could not be given back. `grantLeftBehind` is that fact.
 */
export function attemptCreatorAction(grantLeftBehind: boolean): ConnectCreatorAction | null {
  return grantLeftBehind ? "REMOVE_APP_AT_PROVIDER" : null;
}
