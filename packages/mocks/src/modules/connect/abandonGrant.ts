import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, eventInTime, isSameScope, PROVIDER_TRAITS } from "@social-connect/domain";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { isGrantShared, workingConnections } from "../grants/grants.ts";
import { move } from "./attempts.ts";

/**
 * Ends an attempt that failed after consent and revokes its grant. A provider without revocation leaves the app installed,
 * so the result asks the person to remove it. A grant that an active connection shares is only deleted, because a revoke
 * would end that connection. When the owner is unknown (null), every active connection of the subject may share it.
 */
export function abandonGrant(
  world: World,
  attempt: ConnectAttempt,
  grant: Grant,
  event: ConnectAttemptEvent,
  owner: Grant["owner"],
): ConnectAttempt {
  const { canRevoke } = PROVIDER_TRAITS[attempt.provider];
  if (attempt.status === "EXCHANGING") move(attempt, eventInTime(attempt, event, world.now()));
  if (canRevoke && !isShared(world, attempt, owner)) {
    // Another subject may connect the account before the revoke runs, which checks this again.
    grant.owner = owner && ownerOf(owner);
    world.schedule(world.nowMs(), "orphan", grant.id);
    return attempt;
  }
  world.state.grants.delete(grant.id);
  if (!canRevoke) attempt.creatorAction = attemptCreatorAction(true);
  return attempt;
}

function ownerOf({ providerAccountId, providerUserKey }: NonNullable<Grant["owner"]>): Grant["owner"] {
  return { providerAccountId, providerUserKey };
}

function isShared(world: World, attempt: ConnectAttempt, owner: Grant["owner"]): boolean {
  if (owner !== null) return isGrantShared(world, attempt.registrationId, owner);
  return workingConnections(world, attempt.registrationId).some(
    (one) => one.applicationId === attempt.applicationId && isSameScope(one, attempt),
  );
}
