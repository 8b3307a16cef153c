import {
  addMs,
  hasPassed,
  isDisconnected,
  isInFlight,
  moveConnection,
  RETRY_BOUNDS,
  revokeOutcome,
} from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { claimJob, inAttempt, StaleAttemptError, succeed, tryAgain, updateAttempt } from "../jobs/jobAttempt.ts";
import { forgetAccountBudget } from "../quota/forgetBudgets.ts";
import type { Service, Transaction } from "../service.ts";
import { settleRevoke } from "./settleRevoke.ts";

/** Rows deleted by one transaction: a long history does not hold locks for long. */
const BATCH = 500;
/** The end of the revoke wakes the erasure; this only bounds how long a wake-up that got lost can hold it up. */
const LOOK_AGAIN_MS = 15 * 60_000;

type Counts = Readonly<Record<string, number>>;

/**
 * Erases a disconnected connection: posts, metrics and profile at once; the credential when the revoke has settled, or was
 * given up after 24 hours; then the connection itself. Each step deletes and counts in one transaction, so that an erasure
 * which is cut off anywhere goes on from there and counts nothing twice. The receipt holds counts alone.
 */
export async function runErase(service: Service, jobId: string): Promise<void> {
  const job = await claimJob(service, jobId);
  if (job === null) return;
  try {
    await startDeleting(service, job);
    while (await deleteContentBatch(service, job)) {
      // One batch after another; each is a transaction of its own.
    }
    await finish(service, job);
  } catch (error) {
    if (!(error instanceof StaleAttemptError)) throw error;
    service.logger.info({ jobId: job.id, attempt: job.attempt }, "an overtaken attempt at an erasure wrote nothing");
  }
}

async function startDeleting(service: Service, job: Job): Promise<void> {
  const now = await service.clock.now();
  await inAttempt(service, job, async ({ transaction, connection }) => {
    if (connection === null) return;
    if (!isDisconnected(connection.status)) throw new Error("only a disconnected connection is erased");
    const status = moveConnection(connection.status, "ERASE_STARTED");
    if (status === null) return;
    await transaction.connection.update({
      where: { id: connection.id },
      data: {
        status,
        displayName: null,
        handle: null,
        avatarUrl: null,
        profileUrl: null,
        description: null,
        profileObservedAt: null,
        lastSuccessfulSyncAt: null,
        updatedAt: now,
      },
    });
  });
}

/** False when nothing was left. */
async function deleteContentBatch(service: Service, job: Job): Promise<boolean> {
  return inAttempt(service, job, async ({ transaction }) => {
    const deleted = await transaction.$executeRaw`
      DELETE FROM content_item WHERE id IN (
        SELECT id FROM content_item WHERE connection_id = ${job.connectionId}::uuid LIMIT ${BATCH})`;
    await count(transaction, job, { content_item: deleted });
    return deleted === BATCH;
  });
}

async function finish(service: Service, job: Job): Promise<void> {
  const now = await service.clock.now();
  await inAttempt(service, job, async ({ transaction, connection }) => {
    if (connection === null) return succeed(transaction, job, now);
    const waitUntil = await waitForRevoke(service, transaction, connection, now);
    if (waitUntil !== null) return tryAgain(service, transaction, job, { at: waitUntil, now, failures: job.failures });
    await count(transaction, job, await deleteRest(transaction, connection));
    await succeed(transaction, job, now);
  });
}

/** When to look again; null when the credential is no longer needed. A revoke that took 24 hours is given up here. */
async function waitForRevoke(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<Date | null> {
  const { revokeJobId } = connection;
  const revoke = revokeJobId === null ? null : await transaction.job.findUnique({ where: { id: revokeJobId } });
  if (revoke === null || !isInFlight(revoke.status)) return null;
  const deadline = addMs(revoke.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs);
  if (!hasPassed(deadline, now)) return new Date(Math.min(deadline.getTime(), now.getTime() + LOOK_AGAIN_MS));
  await transaction.job.update({
    where: { id: revoke.id },
    // A new attempt number, so that a worker that is still at it writes nothing.
    data: { ...revokeOutcome("rejected"), attempt: { increment: 1 }, nextRetryAt: null, finishedAt: now },
  });
  await settleRevoke(service, transaction, { id: revoke.id, connection }, now);
  return null;
}

async function deleteRest(transaction: Transaction, connection: Connection): Promise<Counts> {
  const { id } = connection;
  const grants = await transaction.grant.deleteMany({ where: { connectionId: id } });
  const jobs = await transaction.job.deleteMany({ where: { connectionId: id, kind: { notIn: ["REVOKE", "ERASE"] } } });
  // A completed attempt goes on naming the connection it led to, as its receipts do: an id tells nothing of the account.
  await transaction.connectAttempt.updateMany({
    where: { reconnectConnectionId: id },
    data: { reconnectConnectionId: null },
  });
  // A scan that was overtaken writes nothing, so this finds nothing; the row's own cascade would not count.
  const content = await transaction.contentItem.deleteMany({ where: { connectionId: id } });
  await forgetAccountBudget(transaction, connection);
  await transaction.connection.delete({ where: { id } });
  return { content_item: content.count, provider_grant: grants.count, job: jobs.count, connection: 1 };
}

/** Adds to the receipt what this transaction deleted. */
async function count(transaction: Transaction, job: Job, deleted: Counts): Promise<void> {
  const { deletedCounts } = await transaction.job.findUniqueOrThrow({
    where: { id: job.id },
    select: { deletedCounts: true },
  });
  const counts: Record<string, number> = { ...(deletedCounts as Counts | null) };
  for (const [table, rows] of Object.entries(deleted)) counts[table] = (counts[table] ?? 0) + rows;
  await updateAttempt(transaction, job, { deletedCounts: counts });
}
