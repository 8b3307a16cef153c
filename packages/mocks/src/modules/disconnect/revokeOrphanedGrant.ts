import {
  decideOrphanEnd,
  decideOrphanRevoke,
  isConnectSince,
  isOrphanedGrant,
  isTransientFault,
  type OrphanRevokeResult,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import { readAccount } from "../../providers/accounts.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import { failureAtEnd, startCall } from "../../upstream/calls.ts";
import { accountOf } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { isGrantShared, providerGrantOf, renewIfNeeded, revokeGrant } from "../grants/grants.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Revokes and deletes the grant of an attempt that failed after consent. If that is impossible, the attempt's result asks
 * the person to remove the app. Where one consent covers all of a person's grants, the grant is only deleted if the subject
 * has connected in the meantime.
 */
export function revokeOrphanedGrant(world: World, grantId: string): void {
  const grant = world.state.grants.get(grantId);
  const attempt = world.state.connectAttempts.get(grant?.attemptId ?? "") ?? null;
  if (grant === undefined || !isOrphanedGrant(grant, attempt, world.now())) return;
  const end = decideOrphanEnd({ ...grant, attempt }, revoke(world, grant, attempt), world.now());
  if (end.type === "RETRY") {
    world.schedule(end.at.getTime(), "orphan", grantId);
  } else {
    world.state.grants.delete(grantId);
    if (attempt !== null) Object.assign(attempt, end.attempt);
  }
  applyFollowUps(world, end.followUps);
}

function revoke(world: World, grant: Grant, attempt: ConnectAttempt | null): OrphanRevokeResult {
  const result = begin(world, grant, attempt) ?? revokeGrant(world, grant);
  return typeof result === "string" ? result : { ...result, random: world.jitter() };
}

/** `shared` or a failure if the revoke cannot begin. */
function begin(world: World, grant: Grant, attempt: ConnectAttempt | null): "shared" | CallFailure | null {
  if (!PROVIDER_TRAITS[providerGrantOf(world, grant).provider].revokeAffectsSiblings) return null;
  const unread = readOwner(world, grant);
  if (unread !== null) return unread;
  const { owner, registrationId } = grant;
  const isShared =
    (attempt !== null && [...world.state.connectAttempts.values()].some((one) => isConnectSince(one, attempt))) ||
    (owner !== null && isGrantShared(world, registrationId, owner));
  const followUps = decideOrphanRevoke({ ...grant, attempt }, { owner, isShared });
  if (followUps === null) return "shared";
  applyFollowUps(world, followUps);
  return null;
}

/** Reads an unknown owner, because another subject may have connected the account. Returns a transient failure, or null. */
function readOwner(world: World, grant: Grant): CallFailure | null {
  if (grant.owner !== null) return null;
  const provider = providerGrantOf(world, grant);
  const failed = renewIfNeeded(world, grant) ?? startCall(world, provider, "profile").failure ?? failureAtEnd(provider);
  if (failed !== null) return isTransientFault(failed) ? failed : null;
  const { providerAccountId, providerUserKey } = readAccount(accountOf(provider));
  grant.owner = { providerAccountId, providerUserKey };
  return null;
}
