import type { JobKind } from "@social-connect/domain";
import { Prisma } from "../_generated/prisma/client.ts";
import { lockOrphanedGrant, orphanedGrantCondition } from "../modules/disconnect/revokeOrphanedGrant.ts";
import type { RowKey } from "../modules/rowKey.ts";
import { type Service, type Transaction, taskOfKind } from "../modules/service.ts";
import { type Position, rowSweep, timestamp } from "../modules/sweeps/sweep.ts";

const BATCH = 200;

/** Rows whose tasks are looked up together. Most have one. */
const PAGE = 5_000;

const UNFINISHED = Prisma.sql`status IN ('QUEUED', 'RUNNING')`;

interface LostTask extends Position, RowKey {
  readonly kind: JobKind;
  readonly nextRetryAt: Date | null;
}

/**
 * Re-enqueues jobs that are queued or running but have no task, because its retries ran out or the queue's tables were
 * restored from a backup.
 */
export const REQUEUE_LOST_TASKS = rowSweep("requeueLostTasks", {
  batchSize: BATCH,
  find: ({ prisma }, _now, after, limit) =>
    findWithoutTask(
      prisma,
      after,
      limit,
      (position) => prisma.$queryRaw<LostTask[]>`
        SELECT id, application_id AS "applicationId", created_at AS "createdAt", kind::text AS kind,
               next_retry_at AS "nextRetryAt"
          FROM job AS row
         WHERE ${UNFINISHED} AND ${isAfter(position)} ORDER BY created_at, id LIMIT ${PAGE}`,
    ),
  handle: (service, { id, applicationId, kind, nextRetryAt }, now) => {
    const options = nextRetryAt === null ? {} : { startAfter: nextRetryAt, now };
    return service.prisma.$transaction(async (transaction) => {
      if (!(await lockUnfinished(transaction, { id, applicationId }))) return;
      await service.queue.enqueue(transaction, taskOfKind(kind), { id, applicationId }, options);
    });
  },
});

/** Whether the job has not ended or been deleted since it was found. Locks it, unless another process does. */
async function lockUnfinished(transaction: Transaction, { id, applicationId }: RowKey): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM job WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid AND ${UNFINISHED}
       FOR UPDATE SKIP LOCKED`;
  return rows.length > 0;
}

/** Re-enqueues the revoke of grants without a connection, which a process left that crashed after consent. */
export const REQUEUE_ORPHANED_GRANTS = rowSweep("requeueOrphanedGrants", {
  batchSize: BATCH,
  find: ({ prisma }, now, after, limit) =>
    findWithoutTask(
      prisma,
      after,
      limit,
      (position) => prisma.$queryRaw<(Position & RowKey)[]>`
        SELECT id, application_id AS "applicationId", created_at AS "createdAt" FROM provider_grant AS row
         WHERE ${orphanedGrantCondition(now)} AND ${isAfter(position)} ORDER BY created_at, id LIMIT ${PAGE}`,
    ),
  handle: (service, { id, applicationId }, now) =>
    service.prisma.$transaction(async (transaction) => {
      if (!(await lockOrphanedGrant(transaction, { id, applicationId }, now))) return;
      await service.queue.enqueue(transaction, "revokeOrphanedGrant", { id, applicationId });
    }),
});

/**
 * Rows without a waiting or running task. Rows are read before tasks, and a transaction that adds a row also adds its task,
 * so no new row counts as lost. A task that ended in between is enqueued again, and finds nothing to do. One statement for
 * both would join a distributed table with a local one, which Citus does not support.
 */
async function findWithoutTask<Row extends Position>(
  prisma: Service["prisma"],
  after: Position,
  limit: number,
  findPage: (after: Position) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const lost: Row[] = [];
  for (let position: Position | undefined = after; position !== undefined && lost.length < limit; ) {
    const page: readonly Row[] = await findPage(position);
    const tasks = await prisma.$queryRaw<{ id: string }[]>`
      SELECT singleton_key AS id FROM pgboss.job
       WHERE singleton_key = ANY(${page.map(({ id }) => id)}) AND state IN ('created', 'retry', 'active')`;
    const queued = new Set(tasks.map(({ id }) => id));
    lost.push(...page.filter(({ id }) => !queued.has(id)));
    position = page.length < PAGE ? undefined : page.at(-1);
  }
  return lost.slice(0, limit);
}

function isAfter({ createdAt, id }: Position): Prisma.Sql {
  return Prisma.sql`(row.created_at, row.id) > (${timestamp(createdAt)}, ${id}::uuid)`;
}
