import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

const MINUTE_MS = 60_000;

/** A session of the panel ends 12 hours after its sign-in, and after an hour in which nothing was done. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS;
export const SESSION_IDLE_MS = 60 * MINUTE_MS;
/** Time to sign in at the issuer. */
export const SIGN_IN_LIFETIME_MS = 10 * MINUTE_MS;
/** How old the last sign-in at the issuer may be for what needs a confirmation. */
export const CONFIRMATION_AGE_MS = 5 * MINUTE_MS;

/**
 * The `max_age` of a sign-in or a confirmation: the issuer asks the person again when it last did so longer ago, and an answer
 * with an older `auth_time` is refused (OpenID Connect Core 3.1.2.1 and 3.1.3.7).
 */
export function maxAuthenticationAgeSeconds(isConfirmation: boolean): number {
  return (isConfirmation ? CONFIRMATION_AGE_MS : SESSION_LIFETIME_MS) / 1_000;
}

export function isSessionAlive(session: { readonly expiresAt: Date; readonly lastSeenAt: Date }, now: Date): boolean {
  return !hasPassed(session.expiresAt, now) && !hasPassed(addMs(session.lastSeenAt, SESSION_IDLE_MS), now);
}

/** True unless the person proved to the issuer who they are at most 5 minutes ago, by the issuer's own `auth_time`. */
export function needsConfirmation(authenticatedAt: Date, now: Date): boolean {
  return isOlderThan(authenticatedAt, CONFIRMATION_AGE_MS, now);
}
