import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool } from "pg";
import { fromPrisma, type JobInsert } from "pg-boss";
import { z } from "zod";
import { connectionOf } from "../modules/jobs/jobAttempt.ts";
import { urgencyOf } from "../modules/jobs/readJobs.ts";
import { keyOf, type RowKey } from "../modules/rowKey.ts";
import type { TaskName, TaskOwner, TaskQueue, Transaction, Urgency } from "../modules/service.ts";
import type { Clock } from "../platform/time/clock.ts";
import { type SqlRunner, SWEEP_QUEUES, senderBoss } from "./boss.ts";
import { queueName, TASKS } from "./tasks.ts";

/**
 * A queue's payload. Parsed when it is enqueued and again when it runs, because another release may have written it.
 * Strict, so that a payload contains only a row's ID. The group of the queue's task has the row's application.
 */
export const queuedTask = z.strictObject({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]),
  payload: z.strictObject({ id: z.uuid() }),
});

const rowKey = z.strictObject({ id: z.uuid(), applicationId: z.uuid() });

/**
 * The higher runs first. First reads of a new account run before re-reads, and requested work before both, whose number a
 * limit of the application bounds. Within a class a new task ranks below the application's waiting tasks, so applications
 * take turns however many tasks one of them adds.
 */
const PRIORITY: Readonly<Record<Urgency, number>> = { requested: 3_000, first: 2_000, background: 1_000 };
/** Waiting tasks beyond this number have the same rank. */
const MOST_RANKS = 1_000;

export interface SendingTaskQueue extends TaskQueue {
  /** Enqueues the sweeps immediately, for example after a clock change. */
  sweepSoon(): Promise<void>;
}

/**
 * Sends tasks in the caller's transaction. Every process needs this, regardless of its role. `prepareTaskQueues`
 * creates the queues.
 */
export function createTaskQueue(pool: Pool, clock: Clock): SendingTaskQueue {
  const ownConnections: SqlRunner = { executeSql: (text, values) => pool.query(text, values) };
  const inTransaction = new AsyncLocalStorage<SqlRunner>();
  const boss = senderBoss({
    executeSql: (text, values) => (inTransaction.getStore() ?? ownConnections).executeSql(text, values),
  });
  return {
    async enqueue(transaction, task, row, options = {}) {
      const { id, applicationId } = rowKey.parse(row);
      const data = queuedTask.parse({ task, payload: { id } });
      const owner = await findOwner(transaction, task, { id, applicationId });
      if (owner === null) throw new Error(`Task ${task} has no row.`);
      const { startAfter, now } = options;
      const rank = await countWaiting(transaction, owner, [id]);
      const sent = { ...optionsOf(id, owner, rank), ...delayOf(startAfter, now ?? (await clock.now())) };
      await inTransaction.run(fromPrisma(transaction), () =>
        boss.send(queueName(TASKS[task].lane, owner.provider), data, sent),
      );
    },
    async enqueueAll(transaction, tasks, now) {
      const jobs = new Map<string, JobInsert[]>();
      const ranks = new Map<string, number>();
      const ids = tasks.map(({ id }) => id);
      for (const { task, id, startAfter, ...owner } of tasks) {
        const data = queuedTask.parse({ task, payload: { id } });
        const name = queueName(TASKS[task].lane, owner.provider);
        const ofQueue = jobs.get(name) ?? [];
        const rank = ranks.get(owner.applicationId) ?? (await countWaiting(transaction, owner, ids));
        ofQueue.push({ data, ...optionsOf(id, owner, rank), ...delayOf(startAfter, now) });
        jobs.set(name, ofQueue);
        ranks.set(owner.applicationId, rank + 1);
      }
      await inTransaction.run(fromPrisma(transaction), async () => {
        for (const [name, ofQueue] of jobs) await boss.insert(name, ofQueue);
      });
    },
    async findDeliveries(transaction, owner) {
      // On the indexes of waiting and of running tasks; the table has those that ended in the last hour too.
      const rows = await transaction.$queryRaw<{ id: string }[]>`
        SELECT singleton_key AS id FROM pgboss.job
         WHERE name = ${queueName("event", null)} AND group_id = ${groupOf(owner)} AND state < 'active' AND NOT blocked
         UNION ALL
        SELECT singleton_key FROM pgboss.job
         WHERE name = ${queueName("event", null)} AND group_id = ${groupOf(owner)} AND state = 'active'`;
      return new Set(rows.map(({ id }) => id));
    },
    async hasDeliveries(transaction, owner, count) {
      const [row] = await transaction.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM pgboss.job
           WHERE name = ${queueName("event", null)} AND group_id = ${groupOf(owner)} AND state < 'active' AND NOT blocked
           LIMIT ${count}) AS waiting`;
      return (row?.count ?? 0) >= count;
    },
    async sweepSoon() {
      for (const name of Object.values(SWEEP_QUEUES)) await boss.send(name, {});
    },
  };
}

function optionsOf(id: string, owner: TaskOwner, rank: number) {
  const priority = PRIORITY[owner.urgency] - Math.min(rank, MOST_RANKS - 1);
  return { singletonKey: id, priority, group: { id: groupOf(owner) } };
}

/** The queue uses the database's clock, so it gets the delay instead of the time. */
function delayOf(startAfter: Date | undefined, now: Date | undefined): { readonly startAfter?: number } {
  const delayMs = startAfter && now ? startAfter.getTime() - now.getTime() : 0;
  return delayMs > 0 ? { startAfter: delayMs / 1_000 } : {};
}

function groupOf({ applicationId, endpointId }: Pick<TaskOwner, "applicationId" | "endpointId">): string {
  return endpointId === undefined ? applicationId : `${applicationId}/${endpointId}`;
}

/** The application of a task, by its group. */
export function applicationOfGroup(group: string): string {
  return group.split("/")[0] ?? "";
}

/** How many other jobs of the application wait, counted up to the number of ranks; 0 for requested work. */
async function countWaiting(
  transaction: Transaction,
  { applicationId, urgency }: TaskOwner,
  ownIds: readonly string[],
): Promise<number> {
  if (urgency === "requested") return 0;
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM job WHERE application_id = ${applicationId}::uuid AND status = 'QUEUED' AND id <> ALL(${ownIds}::uuid[])
       LIMIT ${MOST_RANKS}) AS waiting`;
  return row?.count ?? 0;
}

async function findOwner(transaction: Transaction, task: TaskName, row: RowKey): Promise<TaskOwner | null> {
  const { applicationId } = row;
  const where = keyOf(row);
  if (task === "revokeOrphanedGrant") {
    const select = { registration: { select: { provider: true } } } as const;
    const grant = await transaction.grant.findUnique({ where, select });
    return grant && { provider: grant.registration.provider, applicationId, urgency: "background" };
  }
  if (task === "deliver") {
    const delivery = await transaction.eventDelivery.findUnique({ where, select: { endpointId: true } });
    return delivery && { ...delivery, provider: null, applicationId, urgency: "requested" };
  }
  const job = await transaction.job.findUnique({
    where,
    select: { applicationId: true, provider: true, background: true, connectionId: true },
  });
  if (job === null) return null;
  const { provider, background } = job;
  const select = { lastSuccessfulSyncAt: true } as const;
  const connection = background
    ? await transaction.connection.findUnique({ where: keyOf(connectionOf(job)), select })
    : null;
  return { applicationId, provider, urgency: urgencyOf(background, connection) };
}
