import { findOrphanedGrants } from "../modules/disconnect/revokeOrphanedGrant.ts";
import { TASK_OF_KIND } from "../modules/jobs/jobAttempt.ts";
import type { Service } from "../modules/service.ts";

const BATCH = 200;

/** The row `job` has no waiting or running task. */
const NOT_QUEUED = `NOT EXISTS (
  SELECT 1 FROM pgboss.job task WHERE task.singleton_key = job.id::text AND task.state IN ('created', 'retry', 'active'))`;

/**
 * Re-enqueues jobs that are queued or running but have no task, because its retries ran out or the queue's tables were
 * restored from a backup. One statement compares both sides in one snapshot; an extra task finds nothing to do.
 */
export async function requeueLostTasks(service: Service): Promise<number> {
  const lost = await service.pool.query<{ id: string; kind: keyof typeof TASK_OF_KIND; nextRetryAt: Date | null }>(
    `SELECT id, kind::text AS kind, next_retry_at AS "nextRetryAt" FROM job
      WHERE status IN ('QUEUED', 'RUNNING') AND ${NOT_QUEUED} ORDER BY created_at LIMIT ${BATCH}`,
  );
  const now = await service.clock.now();
  for (const { id, kind, nextRetryAt } of lost.rows) {
    const options = nextRetryAt === null ? {} : { startAfter: nextRetryAt, now };
    await service.prisma.$transaction((transaction) =>
      service.queue.enqueue(transaction, TASK_OF_KIND[kind], { id }, options),
    );
  }
  return lost.rows.length;
}

/** Re-enqueues the revoke of grants without a connection, which a process left that crashed after consent. */
export async function requeueOrphanedGrants(service: Service): Promise<number> {
  const orphaned = await findOrphanedGrants(service, await service.clock.now(), BATCH);
  const { rows } = await service.pool.query<{ id: string }>(
    `SELECT id FROM provider_grant AS job WHERE id = ANY($1::uuid[]) AND ${NOT_QUEUED}`,
    [orphaned],
  );
  for (const { id } of rows) {
    await service.prisma.$transaction((transaction) =>
      service.queue.enqueue(transaction, "revokeOrphanedGrant", { id }),
    );
  }
  return rows.length;
}
