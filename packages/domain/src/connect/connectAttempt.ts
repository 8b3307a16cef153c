import {
  type ConnectCreatorAction,
  type ConnectResultCode,
  type ConnectSessionStatus,
  LIMITS,
  type SocialProvider,
} from "@social-connect/contract";
import { type Refusal, refuse } from "../decisions/refusal.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { addMs, hasPassed, retryAfterSecondsUntil } from "../time/time.ts";

interface Transition {
  readonly from: readonly ConnectSessionStatus[];
  readonly to: ConnectSessionStatus;
  readonly resultCode: ConnectResultCode | null;
}

/**
 * All transitions of a connect attempt, by event. CREATED, AUTHORIZING and EXCHANGING are unfinished; the other states are
 * final. Source: service description, part 3 (EXPIRED on reading, COMPLETED); the browser-side
 * moves and all result codes are this project's choice.
 */
export const CONNECT_ATTEMPT_TRANSITIONS = {
  LAUNCH_REDEEMED: { from: ["CREATED"], to: "AUTHORIZING", resultCode: null },
  /** A newer attempt to reconnect the same connection was redeemed; first-time attempts never cancel each other. */
  SUPERSEDED: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "SUPERSEDED" },
  RECONNECT_TARGET_GONE: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "RECONNECT_TARGET_GONE" },
  APPLICATION_DISABLED: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "APPLICATION_DISABLED" },
  /** The user turned back at the service's consent pane. */
  TURNED_BACK: { from: ["CREATED", "AUTHORIZING"], to: "CANCELED", resultCode: "USER_DENIED" },
  CODE_RECEIVED: { from: ["AUTHORIZING"], to: "EXCHANGING", resultCode: null },
  ACCESS_DENIED: { from: ["AUTHORIZING"], to: "DENIED", resultCode: "USER_DENIED" },
  CALLBACK_ERROR: { from: ["AUTHORIZING"], to: "FAILED", resultCode: "PROVIDER_ERROR" },
  ACCOUNT_CONNECTED: { from: ["EXCHANGING"], to: "COMPLETED", resultCode: null },
  NO_CAPABILITY_GRANTED: { from: ["EXCHANGING"], to: "DENIED", resultCode: "NO_CAPABILITY_GRANTED" },
  NOT_A_TESTER: { from: ["EXCHANGING"], to: "FAILED", resultCode: "NOT_A_TESTER" },
  /** The user consented to a reconnect with another account. */
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

export const UNFINISHED_STATUSES = ["CREATED", "AUTHORIZING", "EXCHANGING"] as const;

export function isUnfinished(status: ConnectSessionStatus): boolean {
  return UNFINISHED_STATUSES.some((unfinished) => unfinished === status);
}

export type AttemptPatch = Partial<Pick<ConnectAttempt, "status" | "resultCode" | "creatorAction" | "connectionId">>;

/**
 * The columns after `event`; null when the event cannot happen in the attempt's status. An attempt that ends without a
 * connection while it is EXCHANGING has the user's consent. Where the provider has no revocation, only the user can
 * withdraw it.
 */
export function changeAttempt(
  { status, provider }: Pick<ConnectAttempt, "status" | "provider">,
  event: ConnectAttemptEvent,
): Required<Omit<AttemptPatch, "connectionId">> | null {
  const move = moveAttempt(status, event);
  const leavesGrant = status === "EXCHANGING" && event !== "ACCOUNT_CONNECTED" && !PROVIDER_TRAITS[provider].canRevoke;
  return move && { ...move, creatorAction: leavesGrant ? "REMOVE_APP_AT_PROVIDER" : null };
}

export interface AttemptDeadlines {
  /** The user can finish until then: 10 minutes after creation. */
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
 * What moves an unfinished attempt at `now`: `event`, or the deadline once it has passed. So it makes no difference
 * whether a reader, the sweep or the event comes first.
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
 * The attempt as a reader sees it at `now`, before or after the sweep: an unfinished attempt is EXPIRED from its deadline
 * on; from `resultExpiresAt` on it does not exist (null: NOT_FOUND). `connectionId` is shown only with COMPLETED. Source:
 * service description, parts 2 and 3.
 */
export function attemptAsRead<T extends ConnectAttempt>(attempt: T, now: Date): T | null {
  if (hasPassed(attempt.resultExpiresAt, now)) return null;
  const expired = hasPassed(attempt.expiresAt, now) ? changeAttempt(attempt, "DEADLINE_PASSED") : null;
  return { ...attempt, ...expired, connectionId: attempt.status === "COMPLETED" ? attempt.connectionId : null };
}

/**
 * RATE_LIMITED when a subject already has 5 unfinished attempts at a provider. `expiresAts` are their deadlines; passed ones
 * do not count. The caller can retry at the earliest deadline.
 * Source: service description, part 8.
 */
export function checkUnfinishedAttempts(expiresAts: readonly Date[], now: Date): Refusal | null {
  return checkUnfinishedLimit(expiresAts, LIMITS.unfinishedConnectAttempts, LIMITS.connectDeadlineMs, now);
}

/** The same for the 20 unfinished identity attempts of an application. */
export function checkUnfinishedIdentityAttempts(expiresAts: readonly Date[], now: Date): Refusal | null {
  return checkUnfinishedLimit(expiresAts, LIMITS.unfinishedIdentityAttempts, LIMITS.identityDeadlineMs, now);
}

/** Attempts of an application whose first 10 minutes are not over and that were not completed. */
export interface RecentAttempts {
  readonly count: number;
  /** The earliest deadline; null without an attempt. */
  readonly oldestDeadline: Date | null;
}

/**
 * An application can create attempts for any number of subjects, and each is stored until its result expires. So at most 288,000
 * rows of a day remain, 0.4 GB with their indexes; without a limit one key stored 5.8 GB. A client with 100,000 users who all connect
 * within a day starts 70 in 10 minutes. An assumption: the service description has no such limit. Attempts that ended without
 * success count, because an application can end them itself.
 */
export const MOST_RECENT_ATTEMPTS = 2_000;

export function checkRecentAttempts({ count, oldestDeadline }: RecentAttempts, now: Date): Refusal | null {
  if (oldestDeadline === null || count < MOST_RECENT_ATTEMPTS) return null;
  const retryAfterSeconds = Math.min(retryAfterSecondsUntil(oldestDeadline, now), LIMITS.connectDeadlineMs / 1_000);
  const limit = `limit ${MOST_RECENT_ATTEMPTS} in 10 minutes`;
  const message = `The application started too many attempts that were not completed (${limit}). ${nextIn(retryAfterSeconds)}.`;
  return refuse("RATE_LIMITED", message, retryAfterSeconds);
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
  const next = `${nextIn(retryAfterSeconds)}, or when one of them ends.`;
  return refuse("RATE_LIMITED", `Too many pending attempts (limit ${limit}). ${next}`, retryAfterSeconds);
}

function nextIn(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `The next is possible in ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
}
