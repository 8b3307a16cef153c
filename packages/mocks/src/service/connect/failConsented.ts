import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, isDisconnected, isSameScope, PROVIDER_TRAITS } from "@social-connect/domain";
import type { AccountAnswer } from "../../providers/providerSide.ts";
import type { ConnectAttempt, Grant } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { move } from "./attempts.ts";

/**
 * Ends an attempt that failed after the person had consented. The grant goes back to the provider where it can take it;
 * where it cannot, the result says that the person has to remove the app there. A grant that a living connection shares is
 * only forgotten: giving it back would end that connection. Where nobody knows whose grant it is (`account` is null), it may
 * be that of any living connection of the subject.
 */
export function failConsented(
  world: World,
  attempt: ConnectAttempt,
  grant: Grant,
  event: ConnectAttemptEvent,
  account: AccountAnswer | null,
): ConnectAttempt {
  const { canRevoke } = PROVIDER_TRAITS[attempt.provider];
  if (attempt.status === "EXCHANGING") move(attempt, event);
  if (canRevoke && !isShared(world, attempt, account)) {
    world.plan(world.nowMs(), "orphan", grant.id);
    return attempt;
  }
  world.state.grants.delete(grant.id);
  if (!canRevoke) attempt.creatorAction = attemptCreatorAction(true);
  return attempt;
}

function isShared(world: World, attempt: ConnectAttempt, account: AccountAnswer | null): boolean {
  for (const one of world.state.connections.values()) {
    if (one.registrationId !== attempt.registrationId || one.provider !== attempt.provider) continue;
    if (isDisconnected(one.status)) continue;
    if (account === null) {
      if (one.applicationId === attempt.applicationId && isSameScope(one, attempt)) return true;
      continue;
    }
    if (one.providerAccountId === account.providerAccountId) return true;
    if (account.providerUserKey !== null && one.providerUserKey === account.providerUserKey) return true;
  }
  return false;
}
