import { type ConnectAttemptEvent, decideAbandon, isSameScope } from "@social-connect/domain";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { isGrantShared, workingConnections } from "../grants/grants.ts";

/** The pending grant of an attempt, and its account where that is known. */
export interface PendingGrant {
  readonly grant: Grant;
  readonly owner: Grant["owner"];
}

/** Ends an attempt that failed after the user's consent; `pending` is null if the code exchange failed. */
export function abandonAttempt(
  world: World,
  attempt: ConnectAttempt,
  event: ConnectAttemptEvent,
  pending: PendingGrant | null,
): ConnectAttempt {
  const facts = pending && { ...pending, isShared: isShared(world, attempt, pending.owner) };
  const { patch, followUps } = decideAbandon(attempt, event, facts, world.now());
  for (const { type, grant } of followUps) {
    if (type === "REVOKE_GRANT") revokeLater(world, grant);
    else world.state.grants.delete(grant.grant.id);
  }
  return Object.assign(attempt, patch);
}

/** Stores the owner, because another subject may connect the account before the revoke runs, which checks this again. */
function revokeLater(world: World, { grant, owner }: PendingGrant): void {
  grant.owner = owner && { providerAccountId: owner.providerAccountId, providerUserKey: owner.providerUserKey };
  world.schedule(world.nowMs(), "orphan", grant.id);
}

/** If the account is unknown, any working connection of the subject may share the grant. */
function isShared(world: World, attempt: ConnectAttempt, owner: Grant["owner"]): boolean {
  if (owner !== null) return isGrantShared(world, attempt.registrationId, owner);
  return workingConnections(world, attempt.registrationId).some(
    (one) => one.applicationId === attempt.applicationId && isSameScope(one, attempt),
  );
}
