import type { SocialProvider } from "@social-connect/contract";
import { addMs, hasPassed, isRenewing, type RevokeResult, revokeResultOf } from "@social-connect/domain";
import { type ProviderAdapter, ProviderError } from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { type LiveGrant, liveGrant } from "./liveGrant.ts";
import { isLostGrant, openTokens } from "./sealTokens.ts";
import { findGrant, findGrantOfConnection, type GrantWithOwner } from "./store.ts";

type Load = () => Promise<GrantWithOwner | null>;

/** Revokes a connection's grant at the provider; see `revokeGrant`. */
export async function revokeGrantOfConnection(
  service: Service,
  provider: SocialProvider,
  connection: RowKey,
): Promise<RevokeResult> {
  return revokeGrant(service, service.provider(provider), () => findGrantOfConnection(service.prisma, connection));
}

/** Revokes a grant without a connection at the provider; see `revokeGrant`. */
export async function revokePendingGrant(
  service: Service,
  provider: SocialProvider,
  grant: RowKey,
): Promise<RevokeResult> {
  return revokeGrant(service, service.provider(provider), () => findGrant(service.prisma, grant));
}

/**
 * Revokes a grant at the provider. Throws ProviderError for transient failures; every other outcome is a result. `load`
 * rereads the grant, because it can be renewed concurrently.
 */
async function revokeGrant(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  if (!adapter.traits.canRevoke || adapter.revoke === undefined) return "unsupported";
  const stored = await load();
  // Only its user can end it, at the provider.
  if (stored !== null && isLostGrant(service.secretBox, stored)) return "rejected";
  try {
    return adapter.traits.revokeNeedsLiveAccessToken
      ? await revokeWithLiveToken(service, adapter, load)
      : await revokeWithAnyToken(service, adapter, load);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const result = revokeResultOf(error);
    if (result === null) throw error;
    if (result === "rejected")
      service.logger.warn({ fault: error.kind, reason: error.message }, "provider rejected a revoke");
    return result;
  }
}

async function revokeWithAnyToken(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  const grant = await load();
  if (grant === null) return "rejected";
  const registration = registrationAccess(service, grant.registration, await service.clock.now());
  return revokeWith(service, adapter, load, { grant, registration, tokens: openTokens(service.secretBox, grant) });
}

/**
 * A concurrent read may renew the credential, and the provider then rejects the replaced token although the grant is
 * still active. The revoke is therefore retried after a concurrent renewal. After an interrupted or unanswered renewal, a
 * rejected token proves nothing either: its replacement may have been lost in transit.
 */
async function revokeWith(
  service: Service,
  adapter: ProviderAdapter,
  load: Load,
  { grant, registration, tokens }: LiveGrant,
): Promise<RevokeResult> {
  let isInvalid = false;
  try {
    await adapter.revoke?.(registration, tokens);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "grant_gone") throw error;
    isInvalid = true;
  }
  const current = await load();
  if (current === null) return "revoked";
  if (current.version !== grant.version || isRenewing(current, await service.clock.unmoved())) {
    throw new ProviderError("unavailable", "the credential was renewed during the revoke");
  }
  return isInvalid && mayHaveOtherTokens(current) ? "rejected" : "revoked";
}

/** How much earlier the provider's clock may expire a token than ours. */
const CLOCK_SKEW_MS = 5_000;

/**
 * The provider reports success for an expired access token without revoking the grant, so the token is renewed first. A
 * token that expired before the response arrived proves nothing either, for example when the process was paused: the revoke
 * is retried.
 */
async function revokeWithLiveToken(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  const live = await open(service, load, null);
  if ("ended" in live) return live.ended;
  try {
    return await revokeBeforeExpiry(service, adapter, load, live);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "access_expired") throw error;
  }
  const renewed = await open(service, load, live.grant.version);
  if ("ended" in renewed) return renewed.ended;
  return revokeBeforeExpiry(service, adapter, load, renewed);
}

async function revokeBeforeExpiry(
  service: Service,
  adapter: ProviderAdapter,
  load: Load,
  live: LiveGrant,
): Promise<RevokeResult> {
  const result = await revokeWith(service, adapter, load, live);
  const { accessTokenExpiresAt } = live.grant;
  const hasExpired =
    accessTokenExpiresAt !== null && hasPassed(addMs(accessTokenExpiresAt, -CLOCK_SKEW_MS), await service.clock.now());
  if (result === "revoked" && hasExpired)
    throw new ProviderError("unavailable", "the access token expired during the revoke");
  return result;
}

async function open(
  service: Service,
  load: Load,
  rejectedVersion: number | null,
): Promise<LiveGrant | { readonly ended: RevokeResult }> {
  try {
    return await liveGrant(service, load, rejectedVersion);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "grant_gone") throw error;
  }
  const grant = await load();
  if (grant === null) return { ended: "rejected" };
  // Unless no stored token is known to be valid, the provider itself reported the grant as revoked.
  return { ended: mayHaveOtherTokens(grant) ? "rejected" : "revoked" };
}

/**
 * After an interrupted or unanswered renewal, the provider may have replaced the stored tokens: the grant can be active
 * although it rejects them, and cannot be revoked with them.
 */
function mayHaveOtherTokens({ renewalStartedAt, renewalUnanswered }: GrantWithOwner): boolean {
  return renewalStartedAt !== null || renewalUnanswered;
}
