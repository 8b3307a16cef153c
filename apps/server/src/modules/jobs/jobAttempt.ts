import { setTimeout } from "node:timers/promises";
import {
  addMs,
  type Change,
  decideStart,
  decideWait,
  type JobFollowUp,
  type JobPatch,
  jobEvent,
  type ProviderFault,
  type Retry,
  succeededJob,
} from "@social-connect/domain";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import { type AttemptRecord, beginTrail, elapsedMs } from "../../platform/log/telemetry.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { lockConnection } from "../connections/locks.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { markGrantRevoked } from "../grants/markGrantRevoked.ts";
import { asJson, changeRegistrationRefusals } from "../registrations/callRefusals.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import { type Service, type Transaction, taskOfKind } from "../service.ts";

/** The queue uses the database's clock and jobs use the service's. A task that starts this early is accepted. */
const EARLY_TOLERANCE_MS = 2_000;

/** How often a worker reads the job of a task. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 50;

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

export function connectionOf({ applicationId, connectionId }: Pick<Job, "applicationId" | "connectionId">): RowKey {
  return { id: connectionId, applicationId };
}

/** Attempts in progress, by the claimed job. */
const records = new WeakMap<object, AttemptRecord>();

/**
 * Claims a job and runs an attempt at it, on the trail of the request that created the job. Discards the result if the
 * attempt was superseded. Reports how the attempt ended.
 */
export async function runAttempt(service: Service, row: RowKey, run: (job: Job) => Promise<void>): Promise<void> {
  const beganAt = performance.now();
  const job = await claimJob(service, row);
  if (job === null) return;
  const record = recordOf(job);
  records.set(job, record);
  const { id, kind, provider, attempt, correlationId, traceParent: parent } = job;
  const attributes = { "job.id": id, "job.kind": kind, "job.attempt": attempt, provider };
  const trace = { name: `job ${kind}`, kind: "consumer", parent, attributes } as const;
  // A job of the service itself is found by its own id.
  await beginTrail(service.telemetry, { ...trace, correlationId: correlationId ?? id }, async (span) => {
    try {
      await run(job);
    } catch (error) {
      const isStale = error instanceof StaleAttemptError;
      Object.assign(record, UNKNOWN_OUTCOME, isStale && { outcome: "DISCARDED" });
      if (!isStale) throw error;
    } finally {
      span?.set({ "job.outcome": record.outcome });
      service.telemetry.attemptEnded(record, elapsedMs(beganAt));
    }
  });
}

/** An attempt that has stored nothing. */
const UNKNOWN_OUTCOME = {
  outcome: "ERROR",
  waitReason: null,
  nextRetryAt: null,
  errorCode: null,
  cause: null,
} as const;

type ClaimedJob = Job & Pick<AttemptRecord, "registrationId">;

function recordOf({ id: jobId, ...job }: ClaimedJob): AttemptRecord {
  const { kind, provider, applicationId, connectionId, registrationId, attempt } = job;
  return { jobId, kind, provider, applicationId, connectionId, registrationId, attempt, ...UNKNOWN_OUTCOME };
}

/**
 * Claims a job for a new attempt: a queued job that is due, or a RUNNING one whose worker crashed. Returns null if
 * there is nothing to do. The attempt number fences every later write.
 */
export async function claimJob(service: Service, row: RowKey): Promise<ClaimedJob | null> {
  const now = await service.clock.now();
  const found = await findConnectionOf(service, row);
  if (found === null) return null;
  return service.prisma.$transaction(async (transaction) => {
    const { id, applicationId } = row;
    const connection = await lockConnection(transaction, connectionOf({ ...found, applicationId }));
    await transaction.$queryRaw`
      SELECT 1 FROM job WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
    const job = await transaction.job.findUnique({ where: keyOf(row) });
    if (job === null) return null;
    if (job.nextRetryAt !== null && job.nextRetryAt > addMs(now, EARLY_TOLERANCE_MS)) return null;
    const change = decideStart({ ...job, hasCursor: job.providerCursor !== null }, connection, now);
    if (change === null) return null;
    await applyFollowUps(service, { transaction, connection }, job, change.followUps, now);
    const claimed = await transaction.job.update({ where: keyOf(row), data: change.patch });
    return { ...claimed, registrationId: connection?.registrationId ?? null };
  });
}

/**
 * The connection of a job; null for a job that was deleted. On Citus the queue can show a task milliseconds before the node
 * that stores the job commits it.
 */
async function findConnectionOf({ prisma }: Service, row: RowKey): Promise<Pick<Job, "connectionId"> | null> {
  for (let tries = 1; ; tries += 1) {
    const found = await prisma.job.findUnique({ where: keyOf(row), select: { connectionId: true } });
    if (found !== null || tries === MAX_ATTEMPTS) return found;
    await setTimeout(RETRY_MS);
  }
}

/**
 * Runs an attempt's writes in one transaction that locks the connection, then the job. Throws StaleAttemptError if
 * another attempt owns the job.
 */
export async function inAttempt<T>(
  service: Service,
  job: RowKey & Pick<Job, "attempt" | "connectionId">,
  write: (locked: AttemptTransaction) => Promise<T>,
): Promise<T> {
  return service.prisma.$transaction(async (transaction) => {
    const connection = await lockConnection(transaction, connectionOf(job));
    const owned = await transaction.$queryRaw<unknown[]>`
      SELECT 1 FROM job WHERE id = ${job.id}::uuid AND application_id = ${job.applicationId}::uuid AND attempt = ${job.attempt} AND status = 'RUNNING' FOR UPDATE`;
    if (owned.length === 0) throw new StaleAttemptError();
    return write({ transaction, connection });
  });
}

/** Updates the job if this attempt still owns it, and tells its application if it has ended. */
export async function updateAttempt(
  service: Pick<Service, "queue">,
  { transaction, connection }: AttemptTransaction,
  job: RowKey & Pick<Job, "attempt">,
  data: Prisma.JobUpdateManyMutationInput,
  now: Date,
): Promise<void> {
  const [stored] = await transaction.job.updateManyAndReturn({
    where: { id: job.id, applicationId: job.applicationId, attempt: job.attempt, status: "RUNNING" },
    data,
  });
  if (stored === undefined) throw new StaleAttemptError();
  if (connection !== null) await recordEvents(service, transaction, now, [jobEvent(stored, connection)]);
}

/** The columns of a read that are specific to this server, and the fault that interrupted it. */
export interface ReadColumns {
  readonly fault?: ProviderFault;
  readonly job?: Prisma.JobUpdateManyMutationInput;
  readonly connection?: Prisma.ConnectionUncheckedUpdateInput;
}

/** Stores the change of a job that this attempt still owns. */
export async function applyJobChange(
  service: Service,
  locked: AttemptTransaction,
  job: Job,
  { patch, followUps }: Change<JobPatch, JobFollowUp>,
  now: Date,
  columns: ReadColumns = {},
): Promise<void> {
  await updateAttempt(service, locked, job, { ...columns.job, ...patch }, now);
  noteOutcome(job, patch, columns.fault);
  await applyFollowUps(service, locked, job, followUps, now, columns.connection);
}

/** What the attempt stores of the job: what it waits for, or why it failed. Reported when the transaction has ended. */
export function noteOutcome(job: object, patch: JobPatch, fault?: ProviderFault): void {
  const { status: outcome, waitReason, nextRetryAt, errorCode = null } = patch;
  const usedUp = fault?.quotaWindow && { usedUp: fault.shareFreeAt === undefined ? "budget" : "share" };
  const cause = fault ? { fault: fault.kind, reason: fault.message, ...usedUp } : null;
  const record = records.get(job);
  if (record !== undefined) Object.assign(record, { outcome, waitReason, nextRetryAt, errorCode, cause });
}

export async function applyFollowUps(
  service: Service,
  { transaction, connection }: AttemptTransaction,
  job: Job,
  followUps: readonly JobFollowUp[],
  now: Date,
  columns: ReadColumns["connection"] = {},
): Promise<void> {
  for (const followUp of followUps) {
    switch (followUp.type) {
      case "CHANGE_CONNECTION": {
        const { refusals, ...patch } = followUp.patch;
        const data = { ...columns, ...patch, ...(refusals !== undefined && { callRefusals: asJson(refusals) }) };
        // Reads end a connection only after lasting refusals.
        await changeConnection(service, transaction, connectionOf(job), data, now, "CALLS_REFUSED");
        break;
      }
      case "CHANGE_REGISTRATION":
        if (connection !== null) await changeRegistrationRefusals(transaction, connection.registrationId, followUp);
        break;
      case "MARK_GRANT_REVOKED":
        if (connection !== null) await markGrantRevoked(service, transaction, connection, followUp, now);
        break;
      case "RUN_JOB": {
        const { at: startAfter } = followUp;
        const taskRow = { id: job.id, applicationId: job.applicationId };
        await service.queue.enqueue(transaction, taskOfKind(job.kind), taskRow, { startAfter, now });
      }
    }
  }
}

export async function succeed(
  service: Pick<Service, "queue">,
  locked: AttemptTransaction,
  job: RowKey & Pick<Job, "attempt">,
  now: Date,
): Promise<void> {
  const patch = succeededJob(now);
  await updateAttempt(service, locked, job, patch, now);
  noteOutcome(job, patch);
}

/** Returns a job to the queue for its next attempt, in the caller's transaction. */
export async function retryLater(
  service: Service,
  transaction: Transaction,
  job: Job,
  retry: Retry,
  now: Date,
): Promise<void> {
  await applyJobChange(service, { transaction, connection: null }, job, decideWait(job, retry, now), now);
}
