import { reconcileRevokeSettlements } from "../modules/disconnect/applyFollowUps.ts";
import { revokeOrphanedGrant } from "../modules/disconnect/revokeOrphanedGrant.ts";
import { enqueueBackgroundReads } from "../modules/jobs/backgroundReads.ts";
import { expireAttempts, purge } from "../modules/retention/purge.ts";
import { deleteEndedRevocations } from "../modules/revocations/providerRevocations.ts";
import type { ScheduledTask } from "../state/state.ts";
import { SWEEP_EVERY_MS } from "../world/schedule.ts";
import type { World } from "../world/world.ts";
import { runDueJob } from "./runJob.ts";

/** Runs a scheduled task: a job, a revoke of an orphaned grant, background reads or a sweep. */
export function runScheduledTask(world: World, { what, id, atMs }: ScheduledTask): void {
  switch (what) {
    case "job":
      runDueJob(world, id, atMs);
      return;
    case "orphan":
      revokeOrphanedGrant(world, id);
      return;
    case "reads": {
      const connection = world.state.connections.get(id);
      if (connection !== undefined) enqueueBackgroundReads(world, connection);
      return;
    }
    case "sweep":
      expireAttempts(world);
      purge(world);
      reconcileRevokeSettlements(world);
      deleteEndedRevocations(world);
      world.schedule(atMs + SWEEP_EVERY_MS, "sweep", "");
  }
}
