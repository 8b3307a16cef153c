import type { JobErrorCode } from "@social-connect/contract";
import { moveJob, nextRetryAt } from "@social-connect/domain";
import type { CallFailure } from "../../state/providerCall.ts";
import type { Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

/** The simulated time in the queue, and of one call at a provider. */
export const QUEUE_MS = 10;
export const CALL_MS = 20;

export function scheduleJob(world: World, job: Job, atMs: number): void {
  job.dueAtMs = atMs;
  world.schedule(atMs, "job", job.id);
}

/** Starts a new attempt of a job. */
export function claim(world: World, job: Job): void {
  const now = world.now();
  moveTo(job, "STARTED");
  job.attempt += 1;
  job.nextRetryAt = null;
  job.startedAt ??= now;
  if (job.kind !== "SCAN") return;
  // Posts of an earlier attempt keep their time; without any, the coverage starts now.
  if (job.listingCursor === null) job.coveredSince = now;
  const connection = world.state.connections.get(job.connectionId);
  if (connection?.status === "CONNECTED") {
    Object.assign(connection, { syncStatus: "RUNNING", nextRetryAt: null, updatedAt: now });
  }
}

export function succeed(world: World, job: Job, fields: Partial<Job> = {}): void {
  moveTo(job, "SUCCEEDED");
  end(world, job, { ...fields, errorCode: null });
}

export function fail(world: World, job: Job, errorCode: JobErrorCode, fields: Partial<Job> = {}): void {
  moveTo(job, "FAILED");
  end(world, job, { ...fields, errorCode });
}

export function cancelJob(world: World, job: Job): void {
  moveTo(job, "CANCELED");
  end(world, job, { errorCode: "DISCONNECTED" });
}

export interface Retry {
  readonly at: Date;
  /** The failure count for the retry. */
  readonly failures: number;
}

/** The retry after a transient failure; null when the job has failed permanently. */
export function retryAfter(world: World, job: Job, failed: CallFailure, progressed = false): Retry | null {
  const failures = (progressed ? 0 : job.failures) + 1;
  const { retryAfterSeconds } = failed;
  const options = { retryAfterSeconds, random: world.jitter() };
  const at = nextRetryAt({ kind: job.kind, failures, createdAt: job.createdAt }, options, world.now());
  return at === null ? null : { at, failures };
}

/** Queues a job for a retry. */
export function tryAgain(world: World, job: Job, { at, failures }: Retry, fields: Partial<Job> = {}): void {
  moveTo(job, "RETRY_LATER");
  Object.assign(job, fields, { nextRetryAt: at, failures, run: null });
  scheduleJob(world, job, at.getTime());
}

function end(world: World, job: Job, fields: Partial<Job>): void {
  Object.assign(job, fields, { nextRetryAt: null, finishedAt: world.now(), run: null, dueAtMs: null });
}

function moveTo(job: Job, event: Parameters<typeof moveJob>[1]): void {
  const status = moveJob(job.status, event);
  if (status === null) throw new Error(`a ${job.status} job cannot take ${event}`);
  job.status = status;
}
