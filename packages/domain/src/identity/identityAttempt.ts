import { type IdpIdentityStatus, LIMITS } from "@social-connect/contract";
import { checkIdpIdentityInput } from "../applications/policy.ts";
import {
  type AttemptDeadlines,
  checkRecentAttempts,
  checkUnfinishedIdentityAttempts,
  type RecentAttempts,
} from "../connect/connectAttempt.ts";
import type { Change } from "../decisions/change.ts";
import { REDEEMED_IDENTITY_SESSION, UNKNOWN_IDENTITY_SESSION } from "../decisions/commonRefusals.ts";
import type { Refusal } from "../decisions/refusal.ts";
import { addMs, hasPassed } from "../time/time.ts";

/**
 * All transitions of an identity attempt, by event; every state but PENDING is final. Source: service description,
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
export function identityDeadlines(createdAt: Date): AttemptDeadlines {
  return {
    expiresAt: addMs(createdAt, LIMITS.identityDeadlineMs),
    resultExpiresAt: addMs(createdAt, LIMITS.identityResultReadableMs),
  };
}

export interface IdentityAttempt extends AttemptDeadlines {
  readonly status: IdpIdentityStatus;
  readonly launchedAt: Date | null;
  /** When a redeem used the proof. */
  readonly redeemedAt: Date | null;
}

export type IdentityPatch = Partial<Pick<IdentityAttempt, "status" | "launchedAt" | "redeemedAt">>;

/** The identity provider's claims about the user; all null unless the sign-in completed. */
export interface SignedInUser {
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

export const NO_USER: SignedInUser = {
  issuer: null,
  idpSub: null,
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

export interface NewIdentityAttempt extends IdentityAttempt {
  readonly applicationId: string;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly createdAt: Date;
}

/** Starts a sign-in. Source: service description, part 4, createIdpIdentitySession. */
export function decideCreateIdentitySession(
  facts: {
    readonly application: Parameters<typeof checkIdpIdentityInput>[1] & { readonly id: string };
    readonly issuerConfigured: boolean;
    /** Deadlines of the application's pending attempts. */
    readonly unfinished: readonly Date[];
    readonly recent: RecentAttempts;
  },
  input: { readonly tenantKey: string; readonly returnUrl: string },
  now: Date,
): Refusal | Change<NewIdentityAttempt> {
  const { application, issuerConfigured, unfinished } = facts;
  const refusal =
    checkIdpIdentityInput(input, application, issuerConfigured) ??
    checkUnfinishedIdentityAttempts(unfinished, now) ??
    checkRecentAttempts(facts.recent, now);
  if (refusal !== null) return refusal;
  const { tenantKey, returnUrl } = input;
  return {
    patch: {
      applicationId: application.id,
      tenantKey,
      returnUrl,
      status: "PENDING",
      launchedAt: null,
      redeemedAt: null,
      createdAt: now,
      ...identityDeadlines(now),
    },
    followUps: [],
  };
}

/** Launches a sign-in, once. */
export function decideLaunchIdentity(
  { status, expiresAt, launchedAt }: Pick<IdentityAttempt, "status" | "expiresAt" | "launchedAt">,
  application: { readonly enabled: boolean; readonly idpIdentityEnabled: boolean },
  now: Date,
): { readonly outcome: "redirect" | "token-spent" | "expired" | "unavailable"; readonly patch: IdentityPatch | null } {
  if (!application.enabled || !application.idpIdentityEnabled) return { outcome: "unavailable", patch: null };
  if (hasPassed(expiresAt, now)) return { outcome: "expired", patch: null };
  if (status !== "PENDING" || launchedAt !== null) return { outcome: "token-spent", patch: null };
  return { outcome: "redirect", patch: { launchedAt: now } };
}

export interface IdentityCallbackDecision {
  /** `code`: the code may be exchanged. */
  readonly outcome: "code" | "ended" | "expired" | "unknown-state" | "foreign-browser" | "state-used";
  /** null changes nothing; every other change uses the state. */
  readonly patch: IdentityPatch | null;
}

/**
 * Decides the identity provider's callback before its code is exchanged: it is accepted once, before the deadline and in the
 * browser of the launch. Only a denial by the user is DENIED.
 */
export function decideIdentityCallback(
  facts: {
    /** The attempt of the state; null for an unknown state. */
    readonly attempt: Pick<IdentityAttempt, "status" | "expiresAt" | "resultExpiresAt"> | null;
    readonly isBoundBrowser: boolean;
    readonly isStateUsed: boolean;
    readonly isDenied: boolean;
  },
  now: Date,
): IdentityCallbackDecision {
  const { attempt } = facts;
  if (attempt === null || hasPassed(attempt.resultExpiresAt, now)) return { outcome: "unknown-state", patch: null };
  if (!facts.isBoundBrowser) return { outcome: "foreign-browser", patch: null };
  if (attempt.status === "EXPIRED") return { outcome: "expired", patch: null };
  if (attempt.status !== "PENDING" || facts.isStateUsed) return { outcome: "state-used", patch: null };
  const ended = decideIdentityEnd(attempt, "ACCESS_DENIED", now);
  if (hasPassed(attempt.expiresAt, now)) return { outcome: "expired", patch: ended };
  return facts.isDenied ? { outcome: "ended", patch: ended } : { outcome: "code", patch: {} };
}

/** Ends a pending sign-in, as EXPIRED from its deadline on; null when it has ended already. */
export function decideIdentityEnd(
  { status, expiresAt }: Pick<IdentityAttempt, "status" | "expiresAt">,
  event: IdentityAttemptEvent,
  now: Date,
): { readonly status: IdpIdentityStatus } | null {
  const moved = moveIdentityAttempt(status, hasPassed(expiresAt, now) ? "DEADLINE_PASSED" : event);
  return moved && { status: moved };
}

/** How long a call is recognized as the repetition of an earlier one with the same idempotency key. */
export const REPETITION_MS = 60_000;

/**
 * Redeems a result: NOT_FOUND when the proof was used or the result has expired, and for `null`: an unknown id, a wrong proof
 * or another tenant. A pending attempt is EXPIRED from its deadline on. Every status but PENDING uses the proof. Source:
 * service description, part 3.
 *
 * `isSameCall`: the call has the idempotency key of the redeem that used the proof. It is a repetition of the same request.
 */
export function decideRedeemIdentity(
  attempt: Omit<IdentityAttempt, "launchedAt"> | null,
  now: Date,
  { isSameCall }: { readonly isSameCall: boolean } = { isSameCall: false },
): Refusal | { readonly status: IdpIdentityStatus; readonly patch: IdentityPatch | null } {
  if (attempt === null || hasPassed(attempt.resultExpiresAt, now)) return UNKNOWN_IDENTITY_SESSION;
  if (attempt.redeemedAt !== null) {
    const isRepetition = isSameCall && !hasPassed(addMs(attempt.redeemedAt, REPETITION_MS), now);
    return isRepetition ? { status: attempt.status, patch: null } : REDEEMED_IDENTITY_SESSION;
  }
  const isOverdue = attempt.status === "PENDING" && hasPassed(attempt.expiresAt, now);
  const status = isOverdue ? "EXPIRED" : attempt.status;
  return { status, patch: status === "PENDING" ? null : { status, redeemedAt: now } };
}
