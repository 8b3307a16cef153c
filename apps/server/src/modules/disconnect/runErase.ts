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
import { claimJob, inAttempt, retryLater, StaleAttemptError, succeed, updateAttempt } from "../jobs/jobAttempt.ts";
import { deleteAccountBudget } from "../quota/deleteBudgets.ts";
import type { Service, Transaction } from "../service.ts";
import { settleRevoke } from "./settleRevoke.ts";

/** Rows per delete transaction, which bounds how long it holds locks. */
const BATCH = 500;
/** The end of the revoke enqueues the erasure. This bounds the delay if that task is lost. */
const REVOKE_POLL_MS = 15 * 60_000;

type Counts = Readonly<Record<string, number>>;

/**
 * Erases a disconnected connection: first posts, metrics and profile; then the credential, after the revoke has settled
 * or timed out after 24 hours; finally the connection. Each step deletes and counts in one transaction, so an
 * interrupted erasure resumes and counts each row once. The receipt contains only counts.
 */
export async function runErase(service: Service, jobId: string): Promise<void> {
  const job = await claimJob(service, jobId);
  if (job === null) return;
  try {
    await startDeleting(service, job);
    while (await deleteContentBatch(service, job)) {
      // Each batch is a separate transaction.
    }
    await finish(service, job);
  } catch (error) {
    if (!(error instanceof StaleAttemptError)) throw error;
    service.logger.info(
      { jobId: job.id, attempt: job.attempt },
      "discarded the result of a superseded erasure attempt",
    );
  }
}

async function startDeleting(service: Service, job: Job): Promise<void> {
  const now = await service.clock.now();
  await inAttempt(service, job, async ({ transaction, connection }) => {
    if (connection === null) return;
    if (!isDisconnected(connection.status)) throw new Error("Cannot erase a connection that is not disconnected.");
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

/** False when no rows remain. */
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
    if (waitUntil !== null)
      return retryLater(service, transaction, job, { at: waitUntil, now, failures: job.failures });
    await count(transaction, job, await deleteRest(transaction, connection));
    await succeed(transaction, job, now);
  });
}

/**
 * When to check the revoke again, or null when the credential is no longer needed. Times out a revoke after 24 hours.
 */
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
  if (!hasPassed(deadline, now)) return new Date(Math.min(deadline.getTime(), now.getTime() + REVOKE_POLL_MS));
  await transaction.job.update({
    where: { id: revoke.id },
    // A new attempt number fences off a worker that is still running the revoke.
    data: { ...revokeOutcome("rejected"), attempt: { increment: 1 }, nextRetryAt: null, finishedAt: now },
  });
  await settleRevoke(service, transaction, { id: revoke.id, connection }, now);
  return null;
}

async function deleteRest(transaction: Transaction, connection: Connection): Promise<Counts> {
  const { id } = connection;
  const grants = await transaction.grant.deleteMany({ where: { connectionId: id } });
  const jobs = await transaction.job.deleteMany({ where: { connectionId: id, kind: { notIn: ["REVOKE", "ERASE"] } } });
  // A completed attempt keeps the connection's ID, as receipts do; the ID does not identify the account.
  await transaction.connectAttempt.updateMany({
    where: { reconnectConnectionId: id },
    data: { reconnectConnectionId: null },
  });
  // Usually deletes nothing, because a superseded scan writes nothing. The row's cascade would not count.
  const content = await transaction.contentItem.deleteMany({ where: { connectionId: id } });
  await deleteAccountBudget(transaction, connection);
  await transaction.connection.delete({ where: { id } });
  return { content_item: content.count, provider_grant: grants.count, job: jobs.count, connection: 1 };
}

/** Adds this transaction's deletions to the receipt. */
async function count(transaction: Transaction, job: Job, deleted: Counts): Promise<void> {
  const { deletedCounts } = await transaction.job.findUniqueOrThrow({
    where: { id: job.id },
    select: { deletedCounts: true },
  });
  const counts: Record<string, number> = { ...(deletedCounts as Counts | null) };
  for (const [table, rows] of Object.entries(deleted)) counts[table] = (counts[table] ?? 0) + rows;
  await updateAttempt(transaction, job, { deletedCounts: counts });
}
