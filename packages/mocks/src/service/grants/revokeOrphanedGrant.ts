import {
  addMs,
  hasPassed,
  isSameScope,
  isUnfinished,
  PROVIDER_TRAITS,
  RETRY_BOUNDS,
  retryDelayMs,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { giveBack } from "./grants.ts";

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
  if (attempt !== undefined && hasConnectedSince(world, attempt)) {
    world.state.grants.delete(grantId);
    return;
  }
  const given = giveBack(world, grant);
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

/** Whether a later attempt of the same subject at the same registration came to a connection. */
function hasConnectedSince(world: World, attempt: ConnectAttempt): boolean {
  if (!PROVIDER_TRAITS[attempt.provider].revokeAffectsSiblings) return false;
  for (const one of world.state.connectAttempts.values()) {
    if (one.status !== "COMPLETED" || one.createdAt <= attempt.createdAt) continue;
    const { applicationId, registrationId } = one;
    if (applicationId !== attempt.applicationId || registrationId !== attempt.registrationId) continue;
    if (isSameScope(one, attempt)) return true;
  }
  return false;
}
