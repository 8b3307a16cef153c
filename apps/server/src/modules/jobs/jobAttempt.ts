import type { JobErrorCode, JobStatus } from "@social-connect/contract";
import type { JobKind } from "@social-connect/domain";
import { addMs, hasPassed, isInFlight, moveJob, nextRetryAt, RETRY_BOUNDS } from "@social-connect/domain";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import type { ProviderError } from "../../providers/contract.ts";
import { QuotaUsedUpError } from "../quota/quotaUsedUpError.ts";
import type { Service, TaskName, Transaction } from "../service.ts";

/** The task that runs each kind of job. */
export const TASK_OF_KIND = {
  SCAN: "scan",
  METRICS: "metrics",
  LOOKUP: "lookup",
  PROFILE: "profile",
  RECHECK: "recheck",
  REVOKE: "revoke",
  ERASE: "erase",
} as const satisfies Record<JobKind, TaskName>;

/** The queue uses the database's clock and jobs use the service's. A task that starts this early is accepted. */
const EARLY_TOLERANCE_MS = 2_000;

/** Thrown in a transaction if the attempt is no longer the job's latest. The transaction is rolled back. */
export class StaleAttemptError extends Error {
  constructor() {
    super("the job was claimed by another worker, canceled or deleted");
    this.name = "StaleAttemptError";
  }
}

export interface AttemptTransaction {
  readonly transaction: Transaction;
  /** Locked; null once the connection is erased. */
  readonly connection: Connection | null;
}

/**
 * Locks the connection. All transactions lock the connection before the job, so a disconnect that cancels jobs cannot
 * deadlock with a worker.
 */
export async function lockConnection(transaction: Transaction, id: string): Promise<Connection | null> {
  await transaction.$queryRaw`SELECT 1 FROM connection WHERE id = ${id}::uuid FOR UPDATE`;
  return transaction.connection.findUnique({ where: { id } });
}

/**
 * Claims a job for a new attempt: a queued job that is due, or a RUNNING one whose worker crashed. Returns null if
 * there is nothing to do. The attempt number fences every later write.
 */
export async function claimJob(service: Service, id: string): Promise<Job | null> {
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    const found = await transaction.job.findUnique({ where: { id }, select: { connectionId: true } });
    if (found === null) return null;
    const connection = await lockConnection(transaction, found.connectionId);
    await transaction.$queryRaw`SELECT 1 FROM job WHERE id = ${id}::uuid FOR UPDATE`;
    const job = await transaction.job.findUnique({ where: { id } });
    if (job === null || !isInFlight(job.status)) return null;
    if (job.nextRetryAt !== null && job.nextRetryAt > addMs(now, EARLY_TOLERANCE_MS)) return null;
    const status = moved(job.status, job.status === "RUNNING" ? "TAKEN_OVER" : "STARTED");
    if (job.kind === "SCAN" && connection?.status === "CONNECTED") {
      await transaction.connection.update({
        where: { id: connection.id },
        data: { syncStatus: "RUNNING", nextRetryAt: null, updatedAt: now },
      });
    }
    return transaction.job.update({
      where: { id },
      data: {
        status,
        attempt: job.attempt + 1,
        // A crashed worker counts as a failure, so that a job which crashes its workers fails eventually.
        failures: job.status === "RUNNING" ? job.failures + 1 : job.failures,
        nextRetryAt: null,
        startedAt: job.startedAt ?? now,
        // A scan with progress keeps its start time; one without progress restarts it.
        ...(job.kind === "SCAN" && job.providerCursor === null ? { coveredSince: now } : {}),
      },
    });
  });
}

/**
 * Runs an attempt's writes in one transaction that locks the connection, then the job. Throws StaleAttemptError if
 * another attempt owns the job.
 */
export async function inAttempt<T>(
  service: Service,
  job: Pick<Job, "id" | "attempt" | "connectionId">,
  write: (locked: AttemptTransaction) => Promise<T>,
): Promise<T> {
  return service.prisma.$transaction(async (transaction) => {
    const connection = await lockConnection(transaction, job.connectionId);
    const owned = await transaction.$queryRaw<unknown[]>`
      SELECT 1 FROM job WHERE id = ${job.id}::uuid AND attempt = ${job.attempt} AND status = 'RUNNING' FOR UPDATE`;
    if (owned.length === 0) throw new StaleAttemptError();
    return write({ transaction, connection });
  });
}

/** Updates the job if this attempt still owns it. */
export async function updateAttempt(
  transaction: Transaction,
  job: Pick<Job, "id" | "attempt">,
  data: Prisma.JobUpdateManyMutationInput,
): Promise<void> {
  const { count } = await transaction.job.updateMany({
    where: { id: job.id, attempt: job.attempt, status: "RUNNING" },
    data,
  });
  if (count !== 1) throw new StaleAttemptError();
}

export async function succeed(
  transaction: Transaction,
  job: Pick<Job, "id" | "attempt">,
  now: Date,
  data: Prisma.JobUpdateManyMutationInput = {},
): Promise<void> {
  const status = moved("RUNNING", "SUCCEEDED");
  await updateAttempt(transaction, job, { ...data, status, errorCode: null, nextRetryAt: null, finishedAt: now });
}

export async function fail(
  transaction: Transaction,
  job: Pick<Job, "id" | "attempt">,
  errorCode: JobErrorCode,
  now: Date,
  data: Prisma.JobUpdateManyMutationInput = {},
): Promise<void> {
  await updateAttempt(transaction, job, {
    ...data,
    status: moved("RUNNING", "FAILED"),
    errorCode,
    nextRetryAt: null,
    finishedAt: now,
  });
}

/** Returns a job to the queue for its next attempt, in the caller's transaction. */
export async function retryLater(
  service: Service,
  transaction: Transaction,
  job: Pick<Job, "id" | "attempt" | "kind">,
  { at, failures, now }: Retry,
  data: Prisma.JobUpdateManyMutationInput = {},
): Promise<void> {
  const status = moved("RUNNING", "RETRY_LATER");
  await updateAttempt(transaction, job, { ...data, status, nextRetryAt: at, failures });
  await service.queue.enqueue(transaction, TASK_OF_KIND[job.kind], { id: job.id }, { startAfter: at, now });
}

export interface Retry {
  readonly at: Date;
  /** The time from which `at` was calculated. */
  readonly now: Date;
  /** The job's failures so far. */
  readonly failures: number;
}

/**
 * When to retry after a transient failure; null to give up. A call that exceeds our quota is not a failure: it does not
 * concern the provider, and the next quota window bounds the wait.
 */
export function retryAfter(
  { jitter }: Pick<Service, "jitter">,
  job: Pick<Job, "kind" | "failures" | "createdAt" | "background">,
  error: ProviderError,
  now: Date,
  progressed = false,
): Retry | null {
  const { kind, createdAt } = job;
  const random = jitter();
  if (error instanceof QuotaUsedUpError) {
    // Users wait for a re-check, although it is a background job.
    const at = error.retryTime(job.background && kind !== "RECHECK", random);
    const { maxAgeMs } = RETRY_BOUNDS[kind];
    return Number.isFinite(maxAgeMs) && hasPassed(addMs(createdAt, maxAgeMs), at)
      ? null
      : { at, now, failures: progressed ? 0 : job.failures };
  }
  const failures = (progressed ? 0 : job.failures) + 1;
  const at = nextRetryAt({ kind, failures, createdAt }, { retryAfterSeconds: error.retryAfterSeconds, random }, now);
  return at === null ? null : { at, now, failures };
}

function moved(status: JobStatus, event: Parameters<typeof moveJob>[1]): JobStatus {
  const next = moveJob(status, event);
  if (next === null) throw new StaleAttemptError();
  return next;
}
