import type { JobKind } from "@social-connect/domain";
import { Prisma } from "../_generated/prisma/client.ts";
import { orphanedGrantCondition } from "../modules/disconnect/revokeOrphanedGrant.ts";
import type { RowKey } from "../modules/rowKey.ts";
import { taskOfKind } from "../modules/service.ts";
import type { Position } from "../modules/sweeps/sweep.ts";
import { rowSweep, timestamp } from "../modules/sweeps/sweep.ts";

const BATCH = 200;

/** The row has no waiting or running task. */
const NOT_QUEUED = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM pgboss.job task WHERE task.singleton_key = row.id::text AND task.state IN ('created', 'retry', 'active'))`;

interface LostTask extends Position, RowKey {
  readonly kind: JobKind;
  readonly nextRetryAt: Date | null;
}

/**
 * Re-enqueues jobs that are queued or running but have no task, because its retries ran out or the queue's tables were
 * restored from a backup. One statement compares both sides in one snapshot; an extra task finds nothing to do.
 */
export const REQUEUE_LOST_TASKS = rowSweep("requeueLostTasks", {
  batchSize: BATCH,
  find: ({ prisma }, _now, after, limit) =>
    prisma.$queryRaw<LostTask[]>`
      SELECT id, application_id AS "applicationId", created_at AS "createdAt", kind::text AS kind, next_retry_at AS "nextRetryAt" FROM job AS row
       WHERE status IN ('QUEUED', 'RUNNING') AND ${isAfter(after)} AND ${NOT_QUEUED} ORDER BY created_at, id LIMIT ${limit}`,
  handle: (service, { id, applicationId, kind, nextRetryAt }, now) => {
    const options = nextRetryAt === null ? {} : { startAfter: nextRetryAt, now };
    return service.prisma.$transaction((transaction) =>
      service.queue.enqueue(transaction, taskOfKind(kind), { id, applicationId }, options),
    );
  },
});

/** Re-enqueues the revoke of grants without a connection, which a process left that crashed after consent. */
export const REQUEUE_ORPHANED_GRANTS = rowSweep("requeueOrphanedGrants", {
  batchSize: BATCH,
  find: ({ prisma }, now, after, limit) =>
    prisma.$queryRaw<(Position & RowKey)[]>`
      SELECT id, application_id AS "applicationId", created_at AS "createdAt" FROM provider_grant AS row
       WHERE ${orphanedGrantCondition(now)} AND ${isAfter(after)} AND ${NOT_QUEUED} ORDER BY created_at, id LIMIT ${limit}`,
  handle: (service, { id, applicationId }) =>
    service.prisma.$transaction((transaction) =>
      service.queue.enqueue(transaction, "revokeOrphanedGrant", { id, applicationId }),
    ),
});

function isAfter({ createdAt, id }: Position): Prisma.Sql {
  return Prisma.sql`(row.created_at, row.id) > (${timestamp(createdAt)}, ${id}::uuid)`;
}
