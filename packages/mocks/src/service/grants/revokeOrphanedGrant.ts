import { addMs, hasPassed, isUnfinished, RETRY_BOUNDS, retryDelayMs } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { giveBack } from "./grants.ts";

/** A grant has no count of failures; this many stand for the range that a later try is drawn from, about two minutes. */
const FAILURES = 7;

/**
 * Gives back a grant that became no connection, because its attempt failed after consent, and forgets it. Where it could
 * not be given back, the attempt's result says that the person has to remove the app.
 */
export function revokeOrphanedGrant(world: World, grantId: string): void {
  const grant = world.state.grants.get(grantId);
  if (grant === undefined || grant.status !== "PENDING" || grant.connectionId !== null) return;
  const now = world.now();
  const attempt = world.state.connectAttempts.get(grant.attemptId ?? "");
  if (attempt !== undefined && isUnfinished(attempt.status) && !hasPassed(attempt.expiresAt, now)) return;
  const given = giveBack(world, grant);
  if (typeof given !== "string") {
    const { retryAfterSeconds } = given;
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: world.random.fraction() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      world.plan(at.getTime(), "orphan", grantId);
      return;
    }
  }
  world.state.grants.delete(grantId);
  if (given !== "revoked" && attempt !== undefined) attempt.creatorAction = "REMOVE_APP_AT_PROVIDER";
}
