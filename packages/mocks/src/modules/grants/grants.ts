import type { RevokeResult } from "@social-connect/domain";
import { decideRenewal, PROVIDER_TRAITS } from "@social-connect/domain";
import type { CallFailure } from "../../state/providerCall.ts";
import { failure } from "../../state/providerCall.ts";
import type { ProviderGrant } from "../../state/providerState.ts";
import type { Connection, Grant } from "../../state/state.ts";
import { refresh, startCall } from "../../upstream/calls.ts";
import { revokeAtProvider } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";

export function grantOfConnection(world: World, connectionId: string): Grant | null {
  for (const grant of world.state.grants.values()) if (grant.connectionId === connectionId) return grant;
  return null;
}

/** Connections of a registration whose grant may work: the others have lost theirs. */
export function workingConnections(world: World, registrationId: string): Connection[] {
  return [...world.state.connections.values()].filter(
    (one) => one.registrationId === registrationId && (one.status === "CONNECTED" || one.status === "SUSPENDED"),
  );
}

/** Whether a connection that still works hangs on the same account or provider user: revoking could end that one too. */
export function isGrantShared(world: World, registrationId: string, owner: NonNullable<Grant["owner"]>): boolean {
  const { providerAccountId, providerUserKey } = owner;
  return workingConnections(world, registrationId).some(
    (one) =>
      one.providerAccountId === providerAccountId ||
      (providerUserKey !== null && one.providerUserKey === providerUserKey),
  );
}

export function providerGrantOf(world: World, grant: Grant): ProviderGrant {
  const found = world.state.providers.grants.get(grant.providerGrantId);
  if (found === undefined) throw new Error(`There is no grant ${grant.providerGrantId} at the provider.`);
  return found;
}

/** Renews a grant's access token where it runs out; the failure with which there is none to be had, or null. */
export function renewIfNeeded(world: World, grant: Grant): CallFailure | null {
  if (grant.status === "GONE") return failure("grant_gone");
  const provider = providerGrantOf(world, grant);
  const now = world.now();
  // Nothing is lost on the way here, so a renewal is never found half done.
  const facts = { ...grant, renewalStartedAt: null };
  switch (decideRenewal(facts, PROVIDER_TRAITS[provider.provider], null, now)) {
    case "use":
      return null;
    case "wait":
    case "lost":
      return failure("grant_gone");
    case "renew": {
      const renewed = refresh(world, grant, provider);
      if ("kind" in renewed) return isStillGood(grant, renewed, now) ? null : renewed;
      Object.assign(grant, { ...renewed, version: grant.version + 1, updatedAt: now });
      return null;
    }
  }
}

/** A renewal made ahead of time may fail; not when the provider says of a refresh token that the grant is gone. */
function isStillGood(grant: Grant, refused: CallFailure, now: Date): boolean {
  if (refused.kind === "grant_gone" && grant.hasRefreshToken) return false;
  return grant.accessTokenExpiresAt === null || grant.accessTokenExpiresAt > now;
}

/** Gives a grant back to the provider, once: how that ended, or the failure with which it may be tried again. */
export function giveBack(world: World, grant: Grant | null): RevokeResult | CallFailure {
  if (grant === null) return "rejected";
  const provider = providerGrantOf(world, grant);
  const traits = PROVIDER_TRAITS[provider.provider];
  if (!traits.canRevoke) return "unsupported";
  // A dead access token would be taken for a grant given back, so it is renewed first.
  const unusable = traits.revokeNeedsLiveAccessToken ? renewIfNeeded(world, grant) : null;
  const refused = unusable ?? startCall(world, provider, "revoke").failure;
  if (refused === null) {
    revokeAtProvider(world, provider);
    return "revoked";
  }
  if (refused.kind === "grant_gone") return "revoked";
  return refused.kind === "rejected" || refused.kind === "scope_missing" ? "rejected" : refused;
}
