import { isInFlight, isReadKind, type JobKind, type ReadJobKind } from "@social-connect/domain";
import { finishErase, startErase } from "../modules/disconnect/runErase.ts";
import { resumeRecheck, startRecheck } from "../modules/disconnect/runRecheck.ts";
import { resumeRevoke, startRevoke } from "../modules/disconnect/runRevoke.ts";
import { claim } from "../modules/jobs/jobAttempt.ts";
import { resumeRead, startRead } from "../modules/jobs/runRead.ts";
import type { Job } from "../state/state.ts";
import type { World } from "../world/world.ts";

/** Runs the due step of a job: starts an attempt, or continues with the response of a call. */
export function runDueJob(world: World, id: string, atMs: number): void {
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
