import {
  accountRevocationKeys,
  addMs,
  hasPassed,
  isSameScope,
  isUnfinished,
  PROVIDER_TRAITS,
  RETRY_BOUNDS,
  retryDelayMs,
} from "@social-connect/domain";
import { readAccount } from "../../providers/accounts.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import { isTransient } from "../../state/providerCall.ts";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import { failureAtEnd, startCall } from "../../upstream/calls.ts";
import { accountOf } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { isGrantShared, providerGrantOf, renewIfNeeded, revokeGrant } from "../grants/grants.ts";
import { recordRevocation } from "../grants/revocations.ts";
import { enqueueRechecks } from "./settleRevoke.ts";

/** A grant has no failure count; this one gives a retry delay of about two minutes. */
const FAILURES = 7;

/**
 * Revokes and deletes the grant of an attempt that failed after consent. If that is impossible, the attempt's result asks
 * the person to remove the app. Where one consent covers all of a person's grants, the grant is only deleted if the subject
 * has connected in the meantime.
 */
export function revokeOrphanedGrant(world: World, grantId: string): void {
  const grant = world.state.grants.get(grantId);
  if (grant === undefined || grant.status !== "PENDING" || grant.connectionId !== null) return;
  const now = world.now();
  const attempt = world.state.connectAttempts.get(grant.attemptId ?? "");
  if (attempt !== undefined && isUnfinished(attempt.status) && !hasPassed(attempt.expiresAt, now)) return;
  const { revokeAffectsSiblings } = PROVIDER_TRAITS[providerGrantOf(world, grant).provider];
  const unread = revokeAffectsSiblings ? readOwner(world, grant) : null;
  if (unread === null && revokeAffectsSiblings && isNowShared(world, grant, attempt)) {
    world.state.grants.delete(grantId);
    return;
  }
  const result = unread ?? revokeGrant(world, grant);
  if (revokeAffectsSiblings && attempt !== undefined)
    recordOrphanRevocation(world, grant, attempt, result === "revoked");
  if (typeof result !== "string") {
    const { retryAfterSeconds } = result;
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: world.jitter() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      world.schedule(at.getTime(), "orphan", grantId);
      return;
    }
  }
  world.state.grants.delete(grantId);
  if (result !== "revoked" && attempt !== undefined) attempt.creatorAction = "REMOVE_APP_AT_PROVIDER";
}

/** Reads an unknown owner, because another subject may have connected the account. Returns a transient failure, or null. */
function readOwner(world: World, grant: Grant): CallFailure | null {
  if (grant.owner !== null) return null;
  const provider = providerGrantOf(world, grant);
  const failed = renewIfNeeded(world, grant) ?? startCall(world, provider, "profile").failure ?? failureAtEnd(provider);
  if (failed !== null) return isTransient(failed) ? failed : null;
  const { providerAccountId, providerUserKey } = readAccount(accountOf(provider));
  grant.owner = { providerAccountId, providerUserKey };
  return null;
}

/** A revoke could end a connection that was created after the attempt failed. */
function isNowShared(world: World, grant: Grant, attempt: ConnectAttempt | undefined): boolean {
  if (attempt !== undefined && hasConnectedSince(world, attempt)) return true;
  return grant.owner !== null && isGrantShared(world, grant.registrationId, grant.owner);
}

/** Fails concurrent attempts with the account, and rechecks the subject's connections at the provider. */
function recordOrphanRevocation(world: World, grant: Grant, attempt: ConnectAttempt, isRevoked: boolean): void {
  const { applicationId, provider } = attempt;
  if (grant.owner !== null) {
    const keys = accountRevocationKeys({ ...grant.owner, applicationId, provider });
    recordRevocation(world, { id: grant.id, applicationId, provider, keys }, { isEnded: true });
  }
  if (!isRevoked) return;
  enqueueRechecks(
    world,
    (one) => one.applicationId === applicationId && one.provider === provider && isSameScope(one, attempt),
  );
}

/** Whether a later attempt of the same subject at the same registration was completed. */
function hasConnectedSince(world: World, attempt: ConnectAttempt): boolean {
  for (const one of world.state.connectAttempts.values()) {
    if (one.status !== "COMPLETED" || one.createdAt <= attempt.createdAt) continue;
    const { applicationId, registrationId } = one;
    if (applicationId !== attempt.applicationId || registrationId !== attempt.registrationId) continue;
    if (isSameScope(one, attempt)) return true;
  }
  return false;
}
