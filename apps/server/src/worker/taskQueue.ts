import { AsyncLocalStorage } from "node:async_hooks";
import type { SocialProvider } from "@social-connect/contract";
import type { Pool } from "pg";
import type { JobInsert } from "pg-boss";
import { fromPrisma } from "pg-boss";
import { z } from "zod";
import type { TaskName, TaskPayload, TaskQueue, Transaction } from "../modules/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { SqlRunner } from "./boss.ts";
import { SWEEP_QUEUES, senderBoss } from "./boss.ts";
import { queueName, TASKS } from "./tasks.ts";

/**
 * A queue's payload. Parsed when it is enqueued and again when it runs, because an older release may have written it.
 * Strict, so that a payload contains only a row's ID.
 */
export const queuedTask = z.strictObject({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]),
  payload: z.strictObject({ id: z.uuid() }),
});

/** Requested work runs before background work. */
const PRIORITY = { requested: 10, background: 0 } as const;

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
    async enqueue(transaction, task, payload, options = {}) {
      const data = queuedTask.parse({ task, payload });
      const owner = await findOwner(transaction, task, data.payload.id);
      if (owner === null) throw new Error(`Task ${task} has no row.`);
      // The queue uses the database's clock, so it gets the delay instead of the time.
      const { startAfter, now } = options;
      const delayMs = startAfter ? startAfter.getTime() - (now ?? (await clock.now())).getTime() : 0;
      const sent = { ...optionsOf(data.payload, owner), ...(delayMs > 0 ? { startAfter: delayMs / 1_000 } : {}) };
      await inTransaction.run(fromPrisma(transaction), () =>
        boss.send(queueName(TASKS[task].lane, owner.provider), data, sent),
      );
    },
    async enqueueAll(transaction, tasks) {
      const jobs = new Map<string, JobInsert[]>();
      for (const { task, payload, ...owner } of tasks) {
        const data = queuedTask.parse({ task, payload });
        const name = queueName(TASKS[task].lane, owner.provider);
        jobs.set(name, [...(jobs.get(name) ?? []), { data, ...optionsOf(payload, owner) }]);
      }
      await inTransaction.run(fromPrisma(transaction), async () => {
        for (const [name, ofQueue] of jobs) await boss.insert(name, ofQueue);
      });
    },
    async sweepSoon() {
      for (const name of Object.values(SWEEP_QUEUES)) await boss.send(name, {});
    },
  };
}

function optionsOf(payload: TaskPayload, owner: Owner) {
  return { singletonKey: payload.id, priority: owner.background ? PRIORITY.background : PRIORITY.requested };
}

type Owner = { readonly provider: SocialProvider; readonly background: boolean };

async function findOwner(transaction: Transaction, task: TaskName, id: string): Promise<Owner | null> {
  if (task !== "revokeOrphanedGrant") {
    return transaction.job.findUnique({ where: { id }, select: { provider: true, background: true } });
  }
  const grant = await transaction.grant.findUnique({
    where: { id },
    select: { registration: { select: { provider: true } } },
  });
  return grant && { provider: grant.registration.provider, background: true };
}
