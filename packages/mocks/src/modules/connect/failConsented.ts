import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, eventInTime, isSameScope, PROVIDER_TRAITS } from "@social-connect/domain";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { isGrantShared, workingConnections } from "../grants/grants.ts";
import { move } from "./attempts.ts";

/**
 * Ends an attempt that failed after the person had consented. The grant goes back to the provider where it can take it;
 * where it cannot, the result says that the person has to remove the app there. A grant that a living connection shares is
 * only forgotten: giving it back would end that connection. Where nobody knows whose grant it is (`owner` is null), it may
 * be that of any living connection of the subject.
 */
export function failConsented(
  world: World,
  attempt: ConnectAttempt,
  grant: Grant,
  event: ConnectAttemptEvent,
  owner: Grant["owner"],
): ConnectAttempt {
  const { canRevoke } = PROVIDER_TRAITS[attempt.provider];
  if (attempt.status === "EXCHANGING") move(attempt, eventInTime(attempt, event, world.now()));
  if (canRevoke && !isShared(world, attempt, owner)) {
    // Other subjects may connect the account before the revoke is made, which is then asked again.
    grant.owner = owner && ownerOf(owner);
    world.plan(world.nowMs(), "orphan", grant.id);
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
