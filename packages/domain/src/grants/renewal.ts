import type { ConnectionStatus } from "@social-connect/contract";
import type { ProviderFault } from "../jobs/retry.ts";
import { addMs, hasPassed } from "../time/time.ts";

/** Far longer than a token exchange may take, so an older renewal was interrupted. */
export const RENEWAL_LEASE_MS = 60_000;

/** The columns of a grant that decide whether its access token can be sent. */
export interface RenewalFacts {
  /** Incremented by each renewal. The rejection of an older version's token does not concern the current one. */
  readonly version: number;
  readonly accessTokenExpiresAt: Date | null;
  readonly refreshTokenExpiresAt: Date | null;
  /** Set while a renewal is in progress, by the clock of `leaseNow`. */
  readonly renewalStartedAt: Date | null;
}

/**
 * - `use`: the access token is valid
 * - `renew`: renew it first
 * - `wait`: another process is renewing it
 * - `lost`: it cannot be renewed; a reconnect is required
 */
export type RenewalDecision = "use" | "renew" | "wait" | "lost";

/**
 * What to do before a call. `rejectedVersion` is the version whose access token the provider has just rejected, or null.
 *
 * A renewal is recorded before the refresh token is sent. If its record is older than an exchange can take, its process
 * crashed, and the provider's response is unknown. If a refresh token can be used again, the renewal is repeated. If the
 * provider rotates it, a repeated token can be taken for a stolen one (RFC 9700 4.14) and is not sent: the access token is used
 * until it expires, then the grant is lost.
 *
 * `leaseNow` is the time of a clock that tests cannot move. If it could jump a day ahead during an exchange, a process that
 * is about to store the response would count as crashed.
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

/** True while the process of a renewal may still be running. `leaseNow` as in `decideRenewal`. */
export function isRenewing({ renewalStartedAt }: Pick<RenewalFacts, "renewalStartedAt">, leaseNow: Date): boolean {
  return renewalStartedAt !== null && !hasPassed(addMs(renewalStartedAt, RENEWAL_LEASE_MS), leaseNow);
}

/**
 * Whether the access token can be used although its early renewal failed. If the provider rejected a refresh token because
 * the grant has ended, it cannot.
 */
export function isUsableAfterFailedRenewal(
  grant: Pick<RenewalFacts, "version" | "accessTokenExpiresAt"> & { readonly hasRefreshToken: boolean },
  { kind }: Pick<ProviderFault, "kind">,
  rejectedVersion: number | null,
  now: Date,
): boolean {
  if (rejectedVersion === grant.version || (kind === "grant_gone" && grant.hasRefreshToken)) return false;
  return grant.accessTokenExpiresAt === null || !hasPassed(grant.accessTokenExpiresAt, now);
}

/** The change of a renewed grant. The version rises, so that a slower renewal of the same tokens stores nothing. */
export function decideRenewed<Tokens extends object>(grant: Pick<RenewalFacts, "version">, tokens: Tokens, now: Date) {
  return { ...tokens, version: grant.version + 1, updatedAt: now };
}

/** How long before the end of its credential the panel foresees that a connection will need a reconnect. */
export const RECONNECT_NOTICE_MS = 7 * 86_400_000;
/** A connection in another status needs a reconnect already, or never again. */
export const RECONNECT_FORESEEN_IN = ["CONNECTED", "SUSPENDED"] as const satisfies readonly ConnectionStatus[];

/** When the credential that renews a grant expires: the refresh token, or the access token without one. */
export function credentialEndsAt(grant: {
  readonly hasRefreshToken: boolean;
  readonly refreshTokenExpiresAt: Date | null;
  readonly accessTokenExpiresAt: Date | null;
}): Date | null {
  return grant.hasRefreshToken ? grant.refreshTokenExpiresAt : grant.accessTokenExpiresAt;
}
