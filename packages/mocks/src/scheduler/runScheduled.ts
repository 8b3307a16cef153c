import { revokeOrphanedGrant } from "../modules/disconnect/revokeOrphanedGrant.ts";
import { mendSettlements } from "../modules/disconnect/settleRevoke.ts";
import { forgetEndedRevocations } from "../modules/grants/revocations.ts";
import { orderDueReads } from "../modules/jobs/orderReads.ts";
import { sweep } from "../modules/retention/sweep.ts";
import type { AgendaEntry } from "../state/state.ts";
import { SWEEP_EVERY_MS } from "../world/schedule.ts";
import type { World } from "../world/world.ts";
import { runDueJob } from "./runJob.ts";

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
