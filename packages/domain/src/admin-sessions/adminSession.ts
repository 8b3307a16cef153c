import { about } from "../audit/about.ts";
import type { AuditAction } from "../audit/auditActions.ts";
import { changesOf } from "../audit/changes.ts";
import { isIdentityDenial } from "../connect/connectCallback.ts";
import { type AdminDecision, type AuditedChange, auditedChange, type Change } from "../decisions/change.ts";
import type { AdminRefusal } from "../decisions/refusal.ts";
import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

const MINUTE_MS = 60_000;

/** A session of the panel ends 12 hours after its sign-in, or after an hour without a call. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS;
export const SESSION_IDLE_MS = 60 * MINUTE_MS;
export const SIGN_IN_LIFETIME_MS = 10 * MINUTE_MS;
/** The maximum age of the last sign-in at the issuer for a change that needs a confirmation. */
export const CONFIRMATION_AGE_MS = 5 * MINUTE_MS;
/** `lastSeenAt` is written once a second at most, so the calls of one page write once. A session can end this much early. */
const LAST_SEEN_PRECISION_MS = 1_000;

/**
 * The `max_age` of a sign-in or a confirmation: the issuer asks the person again when it last did so longer ago, and an answer
 * with an older `auth_time` is refused (OpenID Connect Core 3.1.2.1 and 3.1.3.7).
 */
export function maxAuthenticationAgeSeconds(isConfirmation: boolean): number {
  return (isConfirmation ? CONFIRMATION_AGE_MS : SESSION_LIFETIME_MS) / 1_000;
}

/** True unless the person signed in at the issuer at most 5 minutes ago, by the issuer's own `auth_time`. */
export function needsConfirmation(authenticatedAt: Date, now: Date): boolean {
  return isOlderThan(authenticatedAt, CONFIRMATION_AGE_MS, now);
}

interface Admin {
  readonly id: string;
  readonly email: string;
}

export interface SessionTimes {
  readonly expiresAt: Date;
  readonly lastSeenAt: Date;
}

/** How a callback from the issuer ends before its code is exchanged; null when the exchange goes ahead. */
export function signInCallbackOutcome(
  signIn: { readonly expiresAt: Date; readonly isUsed: boolean },
  query: URLSearchParams,
  now: Date,
): "unknown-state" | "denied" | null {
  if (signIn.isUsed || hasPassed(signIn.expiresAt, now)) return "unknown-state";
  return isIdentityDenial(query) ? "denied" : null;
}

export interface NewSession extends SessionTimes {
  readonly memberId: string;
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
}

export function decideOpenSession(admin: Admin, authenticatedAt: Date, now: Date): AuditedChange<NewSession> {
  const patch = {
    memberId: admin.id,
    authenticatedAt: notAfter(authenticatedAt, now),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addMs(now, SESSION_LIFETIME_MS),
  };
  return auditedChange(patch, audited(admin, "Admin signed in", "signed in to the panel", [null, patch]));
}

/** Records a repeated sign-in of the session's own admin. The session's lifetime stays. */
export function decideConfirmSession(
  session: (SessionTimes & { readonly memberId: string; readonly authenticatedAt: Date }) | null,
  admin: Admin,
  authenticatedAt: Date,
  now: Date,
): AdminRefusal | AuditedChange<{ readonly authenticatedAt: Date; readonly lastSeenAt: Date }> {
  if (session === null || session.memberId !== admin.id || !isSessionAlive(session, now)) return SESSION_ENDED;
  const patch = { authenticatedAt: notAfter(authenticatedAt, now), lastSeenAt: now };
  return auditedChange(patch, audited(admin, "Admin confirmed", "confirmed who they are", [session, patch]));
}

/** What a call with the session records; `null` when another call recorded it within the last second. */
export function decideSessionUse(
  session: SessionTimes | null,
  now: Date,
): AdminRefusal | Change<{ readonly lastSeenAt: Date }> | null {
  if (session === null || !isSessionAlive(session, now)) return SESSION_ENDED;
  if (session.lastSeenAt >= addMs(now, -LAST_SEEN_PRECISION_MS)) return null;
  return { patch: { lastSeenAt: now }, followUps: [] };
}

/** `patch: null` is the deleted session. `null` when the session ended before. */
export function decideSignOut(admin: Admin, session: SignedIn | null): AdminDecision<null> {
  if (session === null) return null;
  return auditedChange(null, audited(admin, "Admin signed out", "signed out of the panel", [session, null]));
}

const SESSION_ENDED: AdminRefusal = { code: "UNAUTHENTICATED", message: "The session has ended. Sign in again." };

export function isSessionAlive(session: SessionTimes, now: Date): boolean {
  return !hasPassed(session.expiresAt, now) && !hasPassed(addMs(session.lastSeenAt, SESSION_IDLE_MS), now);
}

/** An issuer whose clock is ahead must not make a sign-in younger than it is. */
function notAfter(moment: Date, now: Date): Date {
  return moment > now ? now : moment;
}

type SignedIn = Pick<NewSession, "authenticatedAt">;

function audited(
  { id, email }: Admin,
  action: AuditAction,
  text: string,
  [before, after]: readonly [SignedIn | null, SignedIn | null],
) {
  const signedIn = (session: SignedIn | null) => session && { signedInAt: session.authenticatedAt };
  return about("ADMIN", id, action, `${email} ${text}.`, changesOf(signedIn(before), signedIn(after)));
}
