import type { ReconnectCode } from "@social-connect/contract";
import {
  connectionsOfOwner,
  decideGrantRevoked,
  decideRenewal,
  decideRenewed,
  type GrantOwner,
  grantEndCode,
  isUsableAfterFailedRenewal,
  matchesFilter,
  mayHaveGrant,
  PROVIDER_TRAITS,
  type RevokeResult,
  revokeResultOf,
  type UpdateGrant,
} from "@social-connect/domain";
import { PROVIDERS } from "../../providers/providers.ts";
import { type CallFailure, failure } from "../../state/providerCall.ts";
import type { ProviderGrant } from "../../state/providerState.ts";
import type { Connection, Grant } from "../../state/state.ts";
import { type CallResult, refresh, startCall } from "../../upstream/calls.ts";
import { revokeAtProvider } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { patchConnection } from "../events/recordEvents.ts";

export function grantOfConnection(world: World, connectionId: string): Grant | null {
  for (const grant of world.state.grants.values()) if (grant.connectionId === connectionId) return grant;
  return null;
}

export function workingConnections(world: World, registrationId: string): Connection[] {
  return [...world.state.connections.values()].filter(
    (one) => one.registrationId === registrationId && mayHaveGrant(one.status),
  );
}

/** Whether an active connection has the same account or provider user, so that a revoke could end it too. */
export function isGrantShared(world: World, registrationId: string, owner: GrantOwner): boolean {
  const filter = connectionsOfOwner(registrationId, owner);
  return workingConnections(world, registrationId).some((one) => matchesFilter(one, filter));
}

export function providerGrantOf(world: World, grant: Grant): ProviderGrant {
  const found = world.state.providers.grants.get(grant.providerGrantId);
  if (found === undefined) throw new Error(`The provider has no grant ${grant.providerGrantId}.`);
  return found;
}

export function renewIfNeeded(world: World, grant: Grant): CallFailure | null {
  if (grant.status === "GONE") return failure("grant_gone");
  const provider = providerGrantOf(world, grant);
  const now = world.now();
  // A renewal in memory is atomic, so it never has to be recovered.
  const facts = { ...grant, renewalStartedAt: null };
  switch (decideRenewal(facts, PROVIDER_TRAITS[provider.provider], null, now)) {
    case "use":
      return null;
    case "wait":
    case "lost":
      return failure("grant_gone");
    case "renew": {
      const renewed = refresh(world, grant, provider);
      if ("kind" in renewed) {
        if (renewed.kind === "unavailable") grant.renewalUnanswered = true;
        return isUsableAfterFailedRenewal(grant, renewed, null, now) ? null : { ...renewed, call: "TOKEN" };
      }
      Object.assign(grant, { ...decideRenewed(grant, renewed, now), renewalUnanswered: false });
      return null;
    }
  }
}

/**
 * Calls a read API, after refreshing an expiring access token. An API that does not report the end of a grant only rejects
 * the access token, so the service refreshes it, which can also fail.
 */
export function readWithGrant(world: World, grant: Grant | null, call: "list" | "profile"): CallResult {
  const unusable = grant === null ? failure("grant_gone") : renewIfNeeded(world, grant);
  if (grant === null || unusable !== null) return { delayMs: 0, failure: unusable };
  const provider = providerGrantOf(world, grant);
  const result = startCall(world, provider, call);
  if (result.failure?.kind !== "grant_gone" || PROVIDERS[provider.provider].reportsRemovedApp) return result;
  return { ...result, failure: startCall(world, provider, "refresh").failure ?? result.failure };
}

/** Revokes a grant at the provider. Returns the result, or the failure that may be retried. */
export function revokeGrant(world: World, grant: Grant | null): RevokeResult | CallFailure {
  if (grant === null) return "rejected";
  const provider = providerGrantOf(world, grant);
  const traits = PROVIDER_TRAITS[provider.provider];
  if (!traits.canRevoke) return "unsupported";
  // The provider accepts an expired access token without revoking the grant, so it is refreshed first.
  const unusable = traits.revokeNeedsLiveAccessToken ? renewIfNeeded(world, grant) : null;
  const refused = unusable ?? startCall(world, provider, "revoke").failure;
  if (refused === null) {
    revokeAtProvider(world, provider);
    return "revoked";
  }
  const result = revokeResultOf(refused) ?? refused;
  return result === "revoked" && grant.renewalUnanswered ? "rejected" : result;
}

/** The provider reported that the grant has ended, or its credential has expired: a reconnect is required. */
export function markGrantRevoked(
  world: World,
  connection: Connection,
  { appRemoved, code }: { readonly appRemoved: boolean; readonly code?: ReconnectCode },
): void {
  const { patch, followUps } = decideGrantRevoked(connection, appRemoved, world.now());
  for (const followUp of followUps) updateGrant(world, followUp);
  patchConnection(world, connection, patch, code ?? grantEndCode(appRemoved));
}

export function updateGrant(world: World, { connectionId, patch }: UpdateGrant): void {
  const grant = grantOfConnection(world, connectionId);
  if (grant !== null) Object.assign(grant, patch);
}
