import { isInFlight } from "@social-connect/domain";
import type { Connection } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { createJob } from "../jobs/createJob.ts";
import { planJob } from "../jobs/jobAttempt.ts";

/**
 * What follows the end of a revoke, however it ended: each account that it suspended is re-checked, and the erasure, which
 * kept the credential for it, goes on.
 */
export function settleRevoke(world: World, revokeJobId: string, eraseJobId: string | null): void {
  for (const connection of world.state.connections.values()) {
    if (connection.suspendedByJobId === revokeJobId && connection.status === "SUSPENDED")
      orderRecheck(world, connection);
  }
  dropWhenSettled(world, revokeJobId);
  const erase = world.state.jobs.get(eraseJobId ?? "");
  if (erase?.status !== "QUEUED") return;
  erase.nextRetryAt = null;
  planJob(world, erase, world.nowMs());
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
