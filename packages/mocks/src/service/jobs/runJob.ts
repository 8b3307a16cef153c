import type { JobKind } from "@social-connect/domain";
import { isInFlight } from "@social-connect/domain";
import type { Job } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { claim } from "./jobAttempt.ts";
import { finishErase, startErase } from "./runErase.ts";
import { resumeRead, startRead } from "./runRead.ts";
import { resumeRecheck, startRecheck } from "./runRecheck.ts";
import { resumeRevoke, startRevoke } from "./runRevoke.ts";

/** The next step of a job, when its moment has come: it begins an attempt, or goes on with the answer it waited for. */
export function runDueJob(world: World, id: string, atMs: number): void {
  const job = world.state.jobs.get(id);
  if (job !== undefined && job.dueAtMs === atMs) runStep(world, job);
}

/** The same at once, whatever moment it waits for. */
export function runStep(world: World, job: Job): void {
  if (!isInFlight(job.status)) return;
  job.dueAtMs = null;
  if (job.run !== null) {
    STEPS[job.kind].resume(world, job);
  } else {
    claim(world, job);
    STEPS[job.kind].start(world, job);
  }
}

interface Steps {
  readonly start: (world: World, job: Job) => void;
  readonly resume: (world: World, job: Job) => void;
}

const READ: Steps = { start: startRead, resume: resumeRead };

const STEPS: Readonly<Record<JobKind, Steps>> = {
  SCAN: READ,
  METRICS: READ,
  LOOKUP: READ,
  PROFILE: READ,
  RECHECK: { start: startRecheck, resume: resumeRecheck },
  REVOKE: { start: startRevoke, resume: resumeRevoke },
  ERASE: { start: startErase, resume: finishErase },
};
