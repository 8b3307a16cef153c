import type { SocialProvider } from "@social-connect/contract";
import type { RevokeResult } from "@social-connect/domain";
import { isRenewing } from "@social-connect/domain";
import type { ProviderAdapter } from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { Service } from "../service.ts";
import type { LiveGrant } from "./liveGrant.ts";
import { liveGrant } from "./liveGrant.ts";
import { openTokens } from "./sealTokens.ts";
import type { GrantWithOwner } from "./store.ts";
import { findGrantOfConnection } from "./store.ts";

type Load = () => Promise<GrantWithOwner | null>;

/** Asks the provider of a connection to take its grant back; see `revokeGrant`. */
export async function revokeGrantOfConnection(
  service: Service,
  provider: SocialProvider,
  connectionId: string,
): Promise<RevokeResult> {
  return revokeGrant(service, service.provider(provider), () => findGrantOfConnection(service.prisma, connectionId));
}

/**
 * Gives a grant back to the provider, once. Throws the ProviderError of a failure that may pass; every other end is a
 * result. `load` reads the grant anew, since it may be renewed on the way.
 */
export async function revokeGrant(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  if (!adapter.traits.canRevoke || adapter.revoke === undefined) return "unsupported";
  try {
    return adapter.traits.revokeNeedsLiveAccessToken
      ? await revokeWithLiveToken(service, adapter, load)
      : await revokeWithAnyToken(service, adapter, load);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    switch (error.kind) {
      case "grant_gone":
        return "revoked";
      case "scope_missing":
      case "rejected":
        service.logger.warn({ fault: error.kind, reason: error.message }, "a provider refused to take a grant back");
        return "rejected";
      default:
        throw error;
    }
  }
}

async function revokeWithAnyToken(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  const grant = await load();
  if (grant === null) return "rejected";
  const registration = registrationAccess(service, grant.registration, await service.clock.now());
  return revokeWith(service, adapter, load, { grant, registration, tokens: openTokens(service.secretBox, grant) });
}

/**
 * A read that was under way may renew the credential at the same moment, and a token that was just replaced looks like one
 * that is dead already while the grant lives on with the new one. So a renewal meanwhile makes the revoke be tried again. After
 * one that was cut off, a dead token proves nothing either: the one that took its place may have been lost on the way.
 */
async function revokeWith(
  service: Service,
  adapter: ProviderAdapter,
  load: Load,
  { grant, registration, tokens }: LiveGrant,
): Promise<RevokeResult> {
  let isDead = false;
  try {
    await adapter.revoke?.(registration, tokens);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "grant_gone") throw error;
    isDead = true;
  }
  const current = await load();
  if (current === null) return "revoked";
  if (current.version !== grant.version || isRenewing(current, await service.clock.unmoved())) {
    throw new ProviderError("unavailable", "the credential was renewed while it was revoked");
  }
  return isDead && current.renewalStartedAt !== null ? "rejected" : "revoked";
}

/** A dead access token would be taken for a grant given back, so it is renewed first. */
async function revokeWithLiveToken(service: Service, adapter: ProviderAdapter, load: Load): Promise<RevokeResult> {
  const live = await open(service, load, null);
  if ("ended" in live) return live.ended;
  try {
    return await revokeWith(service, adapter, load, live);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "access_expired") throw error;
  }
  const renewed = await open(service, load, live.grant.version);
  if ("ended" in renewed) return renewed.ended;
  return revokeWith(service, adapter, load, renewed);
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
  // A renewal that was cut off (its announcement is still there) left no token that is known to be good: the grant may
  // stand at the provider, and there is nothing left to end it with. Otherwise the provider itself called it dead.
  return { ended: grant.renewalStartedAt === null ? "revoked" : "rejected" };
}
