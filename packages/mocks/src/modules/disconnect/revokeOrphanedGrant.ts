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
import { isPassing } from "../../state/providerCall.ts";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import { failureAtEnd, startCall } from "../../upstream/calls.ts";
import { accountOf } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { giveBack, isGrantShared, providerGrantOf, renewIfNeeded } from "../grants/grants.ts";
import { recordRevocation } from "../grants/revocations.ts";
import { orderRechecks } from "./settleRevoke.ts";

/** A grant has no count of failures; this many stand for the range that a later try is drawn from, about two minutes. */
const FAILURES = 7;

/**
 * Gives back a grant that became no connection, because its attempt failed after consent, and forgets it. Where it could
 * not be given back, the attempt's result says that the person has to remove the app. Where one consent stands behind all
 * of a person's grants, it is only forgotten once the subject has connected after all.
 */
export function revokeOrphanedGrant(world: World, grantId: string): void {
  const grant = world.state.grants.get(grantId);
  if (grant === undefined || grant.status !== "PENDING" || grant.connectionId !== null) return;
  const now = world.now();
  const attempt = world.state.connectAttempts.get(grant.attemptId ?? "");
  if (attempt !== undefined && isUnfinished(attempt.status) && !hasPassed(attempt.expiresAt, now)) return;
  const { revokeAffectsSiblings } = PROVIDER_TRAITS[providerGrantOf(world, grant).provider];
  const unread = revokeAffectsSiblings ? readOwner(world, grant) : null;
  if (unread === null && revokeAffectsSiblings && isSharedByNow(world, grant, attempt)) {
    world.state.grants.delete(grantId);
    return;
  }
  const given = unread ?? giveBack(world, grant);
  if (revokeAffectsSiblings && attempt !== undefined) noteRevocation(world, grant, attempt, given === "revoked");
  if (typeof given !== "string") {
    const { retryAfterSeconds } = given;
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: world.jitter() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      world.plan(at.getTime(), "orphan", grantId);
      return;
    }
  }
  world.state.grants.delete(grantId);
  if (given !== "revoked" && attempt !== undefined) attempt.creatorAction = "REMOVE_APP_AT_PROVIDER";
}

/** Another subject may have connected the account, so an unknown one is read first. The failure that may pass, or null. */
function readOwner(world: World, grant: Grant): CallFailure | null {
  if (grant.owner !== null) return null;
  const provider = providerGrantOf(world, grant);
  const failed = renewIfNeeded(world, grant) ?? startCall(world, provider, "profile").failure ?? failureAtEnd(provider);
  if (failed !== null) return isPassing(failed) ? failed : null;
  const { providerAccountId, providerUserKey } = readAccount(accountOf(provider));
  grant.owner = { providerAccountId, providerUserKey };
  return null;
}

/** A connection may have been made since the attempt failed: revoking the grant could end that one. */
function isSharedByNow(world: World, grant: Grant, attempt: ConnectAttempt | undefined): boolean {
  if (attempt !== undefined && hasConnectedSince(world, attempt)) return true;
  return grant.owner !== null && isGrantShared(world, grant.registrationId, grant.owner);
}

/** An attempt that is consenting with the account notices, and what the subject has at the provider is asked about. */
function noteRevocation(world: World, grant: Grant, attempt: ConnectAttempt, isRevoked: boolean): void {
  const { applicationId, provider } = attempt;
  if (grant.owner !== null) {
    const keys = accountRevocationKeys({ ...grant.owner, applicationId, provider });
    recordRevocation(world, { id: grant.id, applicationId, provider, keys }, { isEnded: true });
  }
  if (!isRevoked) return;
  orderRechecks(
    world,
    (one) => one.applicationId === applicationId && one.provider === provider && isSameScope(one, attempt),
  );
}

/** Whether a later attempt of the same subject at the same registration came to a connection. */
function hasConnectedSince(world: World, attempt: ConnectAttempt): boolean {
  for (const one of world.state.connectAttempts.values()) {
    if (one.status !== "COMPLETED" || one.createdAt <= attempt.createdAt) continue;
    const { applicationId, registrationId } = one;
    if (applicationId !== attempt.applicationId || registrationId !== attempt.registrationId) continue;
    if (isSameScope(one, attempt)) return true;
  }
  return false;
}
