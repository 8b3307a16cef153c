import type { JobErrorCode } from "@social-connect/contract";
import { moveJob, nextRetryAt } from "@social-connect/domain";
import type { CallFailure } from "../../state/providerCall.ts";
import type { Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

/** From being ordered to being begun, and for one call at a provider: so much of the mock's time passes. */
export const QUEUE_MS = 10;
export const CALL_MS = 20;

export function planJob(world: World, job: Job, atMs: number): void {
  job.dueAtMs = atMs;
  world.plan(atMs, "job", job.id);
}

/** Takes a job for a new attempt. */
export function claim(world: World, job: Job): void {
  const now = world.now();
  moveTo(job, "STARTED");
  job.attempt += 1;
  job.nextRetryAt = null;
  job.startedAt ??= now;
  if (job.kind !== "SCAN") return;
  // What an earlier attempt has written stays as old as it is; one that wrote nothing begins anew.
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
  /** Failures of the job by then. */
  readonly failures: number;
}

/** When to try again after a failure that may pass; null when the job is to be given up. */
export function retryAfter(world: World, job: Job, failed: CallFailure, progressed = false): Retry | null {
  const failures = (progressed ? 0 : job.failures) + 1;
  const { retryAfterSeconds } = failed;
  const options = { retryAfterSeconds, random: world.jitter() };
  const at = nextRetryAt({ kind: job.kind, failures, createdAt: job.createdAt }, options, world.now());
  return at === null ? null : { at, failures };
}

/** Puts a job back to wait for its next try. */
export function tryAgain(world: World, job: Job, { at, failures }: Retry, fields: Partial<Job> = {}): void {
  moveTo(job, "RETRY_LATER");
  Object.assign(job, fields, { nextRetryAt: at, failures, run: null });
  planJob(world, job, at.getTime());
}

function end(world: World, job: Job, fields: Partial<Job>): void {
  Object.assign(job, fields, { nextRetryAt: null, finishedAt: world.now(), run: null, dueAtMs: null });
}

function moveTo(job: Job, event: Parameters<typeof moveJob>[1]): void {
  const status = moveJob(job.status, event);
  if (status === null) throw new Error(`a ${job.status} job cannot take ${event}`);
  job.status = status;
}
