import {
  addCounts,
  type DeletedCounts,
  decideErasureEnd,
  decideErasureStart,
  isDisconnected,
  jobEvent,
} from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { eraseEventsOfConnection } from "../events/eraseEvents.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { forgetImportLines } from "../imports/forgetLines.ts";
import {
  type AttemptTransaction,
  inAttempt,
  retryLater,
  runAttempt,
  succeed,
  updateAttempt,
} from "../jobs/jobAttempt.ts";
import { deleteAccountBudget } from "../quota/deleteBudgets.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** Rows per delete transaction, which bounds how long it holds locks. */
const BATCH = 500;
const NO_PROFILE = {
  displayName: null,
  handle: null,
  avatarUrl: null,
  profileUrl: null,
  description: null,
  profileObservedAt: null,
} as const;

/**
 * Erases a disconnected connection: first posts, metrics and profile; then the credential, after the revoke has settled
 * or timed out after 24 hours; finally the connection. Each step deletes and counts in one transaction, so an
 * interrupted erasure resumes and counts each row once. The receipt contains only counts.
 */
export async function runErase(service: Service, row: RowKey): Promise<void> {
  await runAttempt(service, row, async (job) => {
    await startDeleting(service, job);
    while (await deleteContentBatch(service, job)) {
      // Each batch is a separate transaction.
    }
    if (await finish(service, job)) {
      const { connectionId, applicationId, provider } = job;
      service.telemetry.erasure("completed", { connectionId, applicationId, provider });
    }
  });
}

async function startDeleting(service: Service, job: Job): Promise<void> {
  const now = await service.clock.now();
  await inAttempt(service, job, async ({ transaction, connection }) => {
    if (connection === null) return;
    if (!isDisconnected(connection.status)) throw new Error("Cannot erase a connection that is not disconnected.");
    const change = decideErasureStart(connection, now);
    if (change === null) return;
    const { profile, ...patch } = change.patch;
    await changeConnection(service, transaction, connection, { ...patch, ...NO_PROFILE }, now);
  });
}

/** False when no rows remain. */
async function deleteContentBatch(service: Service, job: Job): Promise<boolean> {
  const now = await service.clock.now();
  return inAttempt(service, job, async (locked) => {
    const { transaction } = locked;
    const { applicationId, connectionId } = job;
    const deleted = await transaction.$executeRaw`
      DELETE FROM content_item WHERE application_id = ${applicationId}::uuid AND id IN (
        SELECT id FROM content_item
         WHERE application_id = ${applicationId}::uuid AND connection_id = ${connectionId}::uuid LIMIT ${BATCH})`;
    await count(service, locked, job, { content_item: deleted }, now);
    return deleted === BATCH;
  });
}

/** False while the revoke has not settled. */
async function finish(service: Service, job: Job): Promise<boolean> {
  const now = await service.clock.now();
  return inAttempt(service, job, async (locked) => {
    const { transaction, connection } = locked;
    if (connection === null) {
      await succeed(service, locked, job, now);
      return true;
    }
    const revoke = await transaction.job.findFirst({
      where: { applicationId: job.applicationId, connectionId: connection.id, kind: "REVOKE" },
    });
    const end = decideErasureEnd({ job, connection, revoke }, now);
    if (end.type === "WAIT") {
      await retryLater(service, transaction, job, end.retry, now);
      return false;
    }
    if (revoke !== null && end.timedOutRevoke !== null) {
      const { patch, followUps } = end.timedOutRevoke;
      // A new attempt number fences off a worker that is still running the revoke.
      const ended = { ...patch, attempt: { increment: 1 } };
      const settled = await transaction.job.update({ where: keyOf(revoke), data: ended });
      await recordEvents(service, transaction, now, [jobEvent(settled, connection)]);
      await applyFollowUps(service, transaction, job.applicationId, followUps, now);
    }
    await count(service, locked, job, await deleteRest(transaction, job, connection), now);
    await succeed(service, locked, job, now);
    return true;
  });
}

async function deleteRest(transaction: Transaction, job: Job, connection: Connection): Promise<DeletedCounts> {
  const { id, applicationId } = connection;
  const owned = { applicationId, connectionId: id };
  const grants = await transaction.grant.deleteMany({ where: owned });
  const jobs = await transaction.job.deleteMany({ where: { ...owned, kind: { notIn: ["REVOKE", "ERASE"] } } });
  // A completed attempt keeps the connection's ID, as receipts do; the ID does not identify the account.
  await transaction.connectAttempt.updateMany({
    where: { applicationId, reconnectConnectionId: id },
    data: { reconnectConnectionId: null },
  });
  const { tenantKey, externalSubjectId } = connection;
  await forgetImportLines(transaction, { ...owned, tenantKey, externalSubjectId });
  // Usually deletes nothing, because a superseded scan writes nothing. The row's cascade would not count.
  const content = await transaction.contentItem.deleteMany({ where: owned });
  const events = await eraseEventsOfConnection(transaction, connection, job.createdAt);
  await deleteAccountBudget(transaction, connection);
  await transaction.connection.delete({ where: keyOf(connection) });
  const deleted = { content_item: content.count, provider_grant: grants.count, job: jobs.count, connection: 1 };
  return events === 0 ? deleted : { ...deleted, event: events };
}

/** Adds this transaction's deletions to the receipt. */
async function count(
  service: Service,
  locked: AttemptTransaction,
  job: Job,
  deleted: DeletedCounts,
  now: Date,
): Promise<void> {
  const { transaction } = locked;
  const { deletedCounts } = await transaction.job.findUniqueOrThrow({
    where: keyOf(job),
    select: { deletedCounts: true },
  });
  const counts = addCounts(deletedCounts as DeletedCounts | null, deleted);
  await updateAttempt(service, locked, job, { deletedCounts: counts }, now);
}
