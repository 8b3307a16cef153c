import { addMs, hasPassed, isOlderThan } from "./time.ts";

const MINUTE_MS = 60_000;

/** A session of the panel ends 12 hours after its sign-in, and after an hour in which nothing was done. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS;
export const SESSION_IDLE_MS = 60 * MINUTE_MS;
/** Time to sign in at the issuer. */
export const SIGN_IN_LIFETIME_MS = 10 * MINUTE_MS;
/** How old the last sign-in at the issuer may be for what needs a confirmation. */
export const CONFIRMATION_AGE_MS = 5 * MINUTE_MS;

export function isSessionAlive(session: { readonly expiresAt: Date; readonly lastSeenAt: Date }, now: Date): boolean {
  return !hasPassed(session.expiresAt, now) && !hasPassed(addMs(session.lastSeenAt, SESSION_IDLE_MS), now);
}

/** True unless the person proved to the issuer who they are at most 5 minutes ago, by the issuer's own `auth_time`. */
export function needsConfirmation(authenticatedAt: Date, now: Date): boolean {
  return isOlderThan(authenticatedAt, CONFIRMATION_AGE_MS, now);
}
