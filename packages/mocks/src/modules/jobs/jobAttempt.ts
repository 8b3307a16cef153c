import {
  type Change,
  decideStart,
  decideWait,
  type JobFollowUp,
  type JobPatch,
  jobEvent,
  type Retry,
  succeededJob,
  withoutAnswered,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { patchConnection, recordEvent } from "../events/recordEvents.ts";
import { markGrantRevoked } from "../grants/grants.ts";
import { registrationOf } from "../registrations/findRegistration.ts";

/** The simulated time in the queue, and of one call at a provider. */
export const QUEUE_MS = 10;
export const CALL_MS = 20;

export function scheduleJob(world: World, job: Job, atMs: number): void {
  job.dueAtMs = atMs;
  world.schedule(atMs, "job", job.id);
}

export function scheduleNextReads(world: World, { id, nextScanAt, nextProfileAt }: Connection): void {
  for (const at of [nextScanAt, nextProfileAt]) if (at !== null) world.schedule(at.getTime(), "reads", id);
}

export function claim(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId) ?? null;
  const change = decideStart({ ...job, hasCursor: job.listingCursor !== null }, connection, world.now());
  if (change === null) throw new Error(`a ${job.status} job cannot be started`);
  applyJobChange(world, job, change);
}

export function succeed(world: World, job: Job): void {
  applyJobChange(world, job, { patch: succeededJob(world.now()), followUps: [] });
}

export function retryLater(world: World, job: Job, retry: Retry): void {
  applyJobChange(world, job, decideWait(job, retry, world.now()));
}

export interface ReadColumns {
  readonly job?: Partial<Job>;
  readonly connection?: Partial<Connection>;
}

export function applyJobChange(
  world: World,
  job: Job,
  { patch, followUps }: Change<JobPatch, JobFollowUp>,
  columns: ReadColumns = {},
): void {
  Object.assign(job, columns.job, patch, { run: null, dueAtMs: null });
  const connection = world.state.connections.get(job.connectionId);
  if (connection !== undefined) recordEvent(world, jobEvent(job, connection));
  for (const followUp of followUps) {
    if (followUp.type === "RUN_JOB") scheduleJob(world, job, followUp.at.getTime());
    else if (connection === undefined) continue;
    else if (followUp.type === "CHANGE_REGISTRATION") {
      const registration = registrationOf(world, connection.registrationId);
      registration.refusals = withoutAnswered({ ...followUp.begun, ...registration.refusals }, followUp.over);
    } else if (followUp.type === "MARK_GRANT_REVOKED") markGrantRevoked(world, connection, followUp);
    else {
      const { nextScanAt, nextProfileAt } = followUp.patch;
      patchConnection(world, connection, { ...columns.connection, ...followUp.patch }, "CALLS_REFUSED");
      if (nextScanAt !== undefined || nextProfileAt !== undefined) scheduleNextReads(world, connection);
    }
  }
}
