import type { AgendaEntry } from "../world/state.ts";
import type { World } from "../world/world.ts";
import { mendSettlements } from "./connections/settleRevoke.ts";
import { forgetEndedRevocations } from "./grants/revocations.ts";
import { revokeOrphanedGrant } from "./grants/revokeOrphanedGrant.ts";
import { orderDueReads } from "./jobs/orderReads.ts";
import { runDueJob } from "./jobs/runJob.ts";
import { sweep } from "./retention/sweep.ts";

export const SWEEP_EVERY_MS = 3_600_000;

/** Does what an entry of the agenda is about: the mock's workers and its sweeps. */
export function runAgendaEntry(world: World, { what, id, atMs }: AgendaEntry): void {
  switch (what) {
    case "job":
      runDueJob(world, id, atMs);
      return;
    case "orphan":
      revokeOrphanedGrant(world, id);
      return;
    case "reads": {
      const connection = world.state.connections.get(id);
      if (connection !== undefined) orderDueReads(world, connection);
      return;
    }
    case "sweep":
      sweep(world);
      mendSettlements(world);
      forgetEndedRevocations(world);
      world.plan(atMs + SWEEP_EVERY_MS, "sweep", "");
  }
}
