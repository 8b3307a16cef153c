import { addMs, hasPassed } from "../time/time.ts";

/** Far longer than one exchange with a provider may take, so a renewal older than this was cut off. */
export const RENEWAL_LEASE_MS = 60_000;

/** A stored grant, as far as it decides whether its access token can be sent. */
export interface RenewalFacts {
  /** Counts the renewals; a refusal of an older version's token says nothing of the current one. */
  readonly version: number;
  readonly accessTokenExpiresAt: Date | null;
  readonly refreshTokenExpiresAt: Date | null;
  /** A renewal was announced then and has not ended; null when none is under way. On the clock of `leaseNow`. */
  readonly renewalStartedAt: Date | null;
}

/**
 * - `use`: the access token is good
 * - `renew`: get a new one first
 * - `wait`: another process is getting one
 * - `lost`: there is no way to a new one; only a reconnect helps
 */
export type RenewalDecision = "use" | "renew" | "wait" | "lost";

/**
 * What to do before a call. `rejectedVersion` is the version whose access token the provider has just refused, null when it
 * refused none.
 *
 * A renewal is announced on the row before the refresh token leaves. Found announced for longer than an exchange can take,
 * its process is gone, and nobody knows whether the provider answered. Where a refresh leaves the token good that is
 * harmless and the renewal is made again. Where it can use the token up, the old one may look like a stolen one that
 * comes back (RFC 9700 4.14), so it is not sent again: the access token is used while it lives, then the grant is lost.
 *
 * `leaseNow` is the time by which a renewal may be found cut off: one that nobody moves, because a clock that jumps a day
 * ahead in the middle of an exchange would make a process look dead that is about to store what it was given.
 */
export function decideRenewal(
  grant: RenewalFacts,
  traits: { readonly renewBeforeMs: number; readonly rotatesRefreshToken: boolean },
  rejectedVersion: number | null,
  now: Date,
  leaseNow: Date = now,
): RenewalDecision {
  const { accessTokenExpiresAt: endsAt, renewalStartedAt } = grant;
  const usable = rejectedVersion !== grant.version && (endsAt === null || !hasPassed(endsAt, now));
  const endsSoon = endsAt !== null && hasPassed(addMs(endsAt, -traits.renewBeforeMs), now);
  if (usable && !endsSoon) return "use";
  if (grant.refreshTokenExpiresAt !== null && hasPassed(grant.refreshTokenExpiresAt, now))
    return usable ? "use" : "lost";
  if (renewalStartedAt === null) return "renew";
  if (isRenewing(grant, leaseNow)) return usable ? "use" : "wait";
  if (!traits.rotatesRefreshToken) return "renew";
  return usable ? "use" : "lost";
}

/** True while a renewal was announced so lately that its process may still be at it. `leaseNow` as in `decideRenewal`. */
export function isRenewing({ renewalStartedAt }: Pick<RenewalFacts, "renewalStartedAt">, leaseNow: Date): boolean {
  return renewalStartedAt !== null && !hasPassed(addMs(renewalStartedAt, RENEWAL_LEASE_MS), leaseNow);
}

/** When the credential that keeps a grant alive ends: the refresh token, or the access token where there is none. */
export function credentialEndsAt(grant: {
  readonly hasRefreshToken: boolean;
  readonly refreshTokenExpiresAt: Date | null;
  readonly accessTokenExpiresAt: Date | null;
}): Date | null {
  return grant.hasRefreshToken ? grant.refreshTokenExpiresAt : grant.accessTokenExpiresAt;
}
