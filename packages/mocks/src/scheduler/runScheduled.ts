import { isInFlight, isReadKind, type JobKind, type ReadJobKind } from "@social-connect/domain";
import { reconcileRevokeSettlements } from "../modules/disconnect/applyFollowUps.ts";
import {
  finishErase,
  resumeRecheck,
  resumeRevoke,
  startErase,
  startRecheck,
  startRevoke,
} from "../modules/disconnect/disconnectJobs.ts";
import { revokeOrphanedGrant } from "../modules/disconnect/revokeOrphanedGrant.ts";
import { deliverEvent } from "../modules/events/deliverEvent.ts";
import { enqueueBackgroundReads } from "../modules/jobs/backgroundReads.ts";
import { claim } from "../modules/jobs/jobAttempt.ts";
import { resumeRead, startRead } from "../modules/jobs/runRead.ts";
import { expireAttempts, purge } from "../modules/retention/purge.ts";
import { deleteEndedRevocations } from "../modules/revocations/providerRevocations.ts";
import type { Job, ScheduledTask } from "../state/state.ts";
import { SWEEP_EVERY_MS } from "../world/schedule.ts";
import type { World } from "../world/world.ts";

/** Runs the due step of a job: starts an attempt, or continues with the response of a call. */
function runDueJob(world: World, id: string, atMs: number): void {
  const job = world.state.jobs.get(id);
  if (job !== undefined && job.dueAtMs === atMs) runStep(world, job);
}

/** Runs the next step of a job before it is due. */
export function runStep(world: World, job: Job): void {
  if (!isInFlight(job.status)) return;
  job.dueAtMs = null;
  const { start, resume } = isReadKind(job.kind) ? READ : OTHERS[job.kind];
  if (job.run !== null) {
    resume(world, job);
  } else {
    claim(world, job);
    start(world, job);
  }
}

interface Steps {
  readonly start: (world: World, job: Job) => void;
  readonly resume: (world: World, job: Job) => void;
}

const READ: Steps = { start: startRead, resume: resumeRead };

const OTHERS: Readonly<Record<Exclude<JobKind, ReadJobKind>, Steps>> = {
  RECHECK: { start: startRecheck, resume: resumeRecheck },
  REVOKE: { start: startRevoke, resume: resumeRevoke },
  ERASE: { start: startErase, resume: finishErase },
};

export function runScheduledTask(world: World, { what, id, atMs }: ScheduledTask): void {
  switch (what) {
    case "job":
      runDueJob(world, id, atMs);
      return;
    case "orphan":
      revokeOrphanedGrant(world, id);
      return;
    case "delivery":
      deliverEvent(world, id, atMs);
      return;
    case "reads": {
      const connection = world.state.connections.get(id);
      if (connection !== undefined) enqueueBackgroundReads(world, connection);
      return;
    }
    case "expiry":
      expireAttempts(world);
      return;
    case "sweep":
      expireAttempts(world);
      purge(world);
      reconcileRevokeSettlements(world);
      deleteEndedRevocations(world);
      world.schedule(atMs + SWEEP_EVERY_MS, "sweep", "");
  }
}
