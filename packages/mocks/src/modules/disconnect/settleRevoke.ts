import { isInFlight, PROVIDER_TRAITS } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { endRevocation } from "../grants/revocations.ts";
import { createJob } from "../jobs/createJob.ts";
import { planJob } from "../jobs/jobAttempt.ts";

/**
 * What follows the end of a revoke, however it ended: each account that it suspended is re-checked, and the erasure, which
 * kept the credential for it, goes on.
 */
export function settleRevoke(world: World, revokeJobId: string, revoked: Connection | null): void {
  endRevocation(world, revokeJobId);
  for (const connection of world.state.connections.values()) {
    if (connection.suspendedByJobId === revokeJobId && connection.status === "SUSPENDED")
      orderRecheck(world, connection);
  }
  dropWhenSettled(world, revokeJobId);
  if (revoked === null) return;
  if (PROVIDER_TRAITS[revoked.provider].revokeAffectsSiblings) {
    orderRechecks(world, (one) => isSharedElsewhere(revoked, one));
  }
  const erase = world.state.jobs.get(revoked.eraseJobId ?? "");
  if (erase?.status !== "QUEUED") return;
  erase.nextRetryAt = null;
  planJob(world, erase, world.nowMs());
}

/** One client at the provider can serve several applications, and the provider ends the account's grants for all of them. */
function isSharedElsewhere(revoked: Connection, other: Connection): boolean {
  if (other.applicationId === revoked.applicationId || other.registrationId !== revoked.registrationId) return false;
  const { providerAccountId, providerUserKey } = revoked;
  const sameUser = providerUserKey !== null && other.providerUserKey === providerUserKey;
  return sameUser || other.providerAccountId === providerAccountId;
}

/** Re-checks connections that go on serving meanwhile, because a revoke may have ended their grants. */
export function orderRechecks(world: World, concerns: (connection: Connection) => boolean): void {
  for (const connection of world.state.connections.values()) {
    if (connection.status === "CONNECTED" && concerns(connection)) orderRecheck(world, connection);
  }
}

function orderRecheck(world: World, connection: Connection): void {
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === "RECHECK" && isInFlight(job.status)) return;
  }
  createJob(world, connection, { kind: "RECHECK", background: true });
}

/** Once the revoke has ended and nobody waits for it, the scope may connect at the provider again. */
export function dropWhenSettled(world: World, revokeJobId: string): void {
  const revoke = world.state.jobs.get(revokeJobId);
  if (revoke !== undefined && isInFlight(revoke.status)) return;
  for (const one of world.state.connections.values()) {
    if (one.suspendedByJobId === revokeJobId && one.status === "SUSPENDED") return;
  }
  world.state.settlements.delete(revokeJobId);
}

/** Drops every settlement that nobody waits for any more, because the last sibling was reconnected or disconnected. */
export function mendSettlements(world: World): void {
  for (const id of [...world.state.settlements.keys()]) dropWhenSettled(world, id);
}
