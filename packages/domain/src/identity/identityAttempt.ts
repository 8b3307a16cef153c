import type { IdpIdentityStatus } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import { addMs, hasPassed } from "../time/time.ts";

/**
 * Every move of an identity attempt, by what happened; nothing leaves a finished one. Source: service description,
 * part 3, for what redeeming does; the moves themselves are this project's choice.
 */
export const IDENTITY_ATTEMPT_TRANSITIONS = {
  SIGNED_IN: { from: "PENDING", to: "COMPLETED" },
  ACCESS_DENIED: { from: "PENDING", to: "DENIED" },
  /** Any other error of the issuer, and every check of its answer that fails. */
  HANDOFF_FAILED: { from: "PENDING", to: "FAILED" },
  DEADLINE_PASSED: { from: "PENDING", to: "EXPIRED" },
} as const satisfies Record<string, { from: IdpIdentityStatus; to: IdpIdentityStatus }>;

export type IdentityAttemptEvent = keyof typeof IDENTITY_ATTEMPT_TRANSITIONS;

/** The status after `event`; null when the event cannot happen in `status`. */
export function moveIdentityAttempt(status: IdpIdentityStatus, event: IdentityAttemptEvent): IdpIdentityStatus | null {
  const transition = IDENTITY_ATTEMPT_TRANSITIONS[event];
  return transition.from === status ? transition.to : null;
}

/** 10 minutes to finish, 20 minutes to redeem, both from creation. Source: service description, part 8. */
export function identityDeadlines(createdAt: Date): { readonly expiresAt: Date; readonly resultExpiresAt: Date } {
  return {
    expiresAt: addMs(createdAt, LIMITS.identityDeadlineMs),
    resultExpiresAt: addMs(createdAt, LIMITS.identityResultReadableMs),
  };
}

export interface IdentityAttempt {
  readonly status: IdpIdentityStatus;
  readonly expiresAt: Date;
  readonly resultExpiresAt: Date;
  readonly proofConsumed: boolean;
}

/**
 * What a redeem with the right proof finds at `now`: null (answer NOT_FOUND) when the proof was used or the result is past
 * its time; otherwise the status, EXPIRED for a pending attempt past its deadline. Every status but PENDING uses the
 * proof up. Source: service description, part 3.
 */
export function redeemIdentityAttempt(
  attempt: IdentityAttempt,
  now: Date,
): { readonly status: IdpIdentityStatus; readonly consumesProof: boolean } | null {
  if (attempt.proofConsumed || hasPassed(attempt.resultExpiresAt, now)) return null;
  const overdue = attempt.status === "PENDING" && hasPassed(attempt.expiresAt, now);
  const status = overdue ? "EXPIRED" : attempt.status;
  return { status, consumesProof: status !== "PENDING" };
}
