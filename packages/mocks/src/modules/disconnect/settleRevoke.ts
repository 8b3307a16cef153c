import { isInFlight, PROVIDER_TRAITS } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { endRevocation } from "../grants/revocations.ts";
import { createJob } from "../jobs/createJob.ts";
import { scheduleJob } from "../jobs/jobAttempt.ts";

/** After a revoke has ended: rechecks each account that it suspended, and runs the erasure, which waited for it. */
export function settleRevoke(world: World, revokeJobId: string, revoked: Connection | null): void {
  endRevocation(world, revokeJobId);
  for (const connection of world.state.connections.values()) {
    if (connection.suspendedByJobId === revokeJobId && connection.status === "SUSPENDED")
      enqueueRecheck(world, connection);
  }
  dropWhenSettled(world, revokeJobId);
  if (revoked === null) return;
  if (PROVIDER_TRAITS[revoked.provider].revokeAffectsSiblings) {
    enqueueRechecks(world, (one) => isSharedElsewhere(revoked, one));
  }
  const erase = world.state.jobs.get(revoked.eraseJobId ?? "");
  if (erase?.status !== "QUEUED") return;
  erase.nextRetryAt = null;
  scheduleJob(world, erase, world.nowMs());
}

/** One client at the provider can serve several applications, and the provider ends the account's grants for all of them. */
function isSharedElsewhere(revoked: Connection, other: Connection): boolean {
  if (other.applicationId === revoked.applicationId || other.registrationId !== revoked.registrationId) return false;
  const { providerAccountId, providerUserKey } = revoked;
  const sameUser = providerUserKey !== null && other.providerUserKey === providerUserKey;
  return sameUser || other.providerAccountId === providerAccountId;
}

/** Rechecks active connections whose grants a revoke may have ended. */
export function enqueueRechecks(world: World, concerns: (connection: Connection) => boolean): void {
  for (const connection of world.state.connections.values()) {
    if (connection.status === "CONNECTED" && concerns(connection)) enqueueRecheck(world, connection);
  }
}

function enqueueRecheck(world: World, connection: Connection): void {
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === "RECHECK" && isInFlight(job.status)) return;
  }
  createJob(world, connection, { kind: "RECHECK", background: true });
}

/** Deletes a settlement once its revoke has ended and no connection is suspended by it; the scope may then connect again. */
export function dropWhenSettled(world: World, revokeJobId: string): void {
  const revoke = world.state.jobs.get(revokeJobId);
  if (revoke !== undefined && isInFlight(revoke.status)) return;
  for (const one of world.state.connections.values()) {
    if (one.suspendedByJobId === revokeJobId && one.status === "SUSPENDED") return;
  }
  world.state.settlements.delete(revokeJobId);
}

/** Deletes settled settlements, for example after the last suspended sibling was reconnected or disconnected. */
export function reconcileRevokeSettlements(world: World): void {
  for (const id of [...world.state.settlements.keys()]) dropWhenSettled(world, id);
}
