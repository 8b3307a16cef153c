import { AsyncLocalStorage } from "node:async_hooks";
import type { SocialProvider } from "@social-connect/contract";
import type { Pool } from "pg";
import { fromPrisma } from "pg-boss";
import { z } from "zod";
import type { TaskName, TaskQueue, Transaction } from "../modules/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { SqlRunner } from "./boss.ts";
import { SWEEP_QUEUES, senderBoss } from "./boss.ts";
import { queueName, TASKS } from "./tasks.ts";

/**
 * What a queue stores. It is parsed when it is queued and again when it runs, because a row may be from an older release.
 * Strict, so that a payload carries nothing but the id of a row.
 */
export const queuedTask = z.strictObject({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]),
  payload: z.strictObject({ id: z.uuid() }),
});

/** Work that a person waits for goes before what the service ordered itself. */
const PRIORITY = { asked: 10, background: 0 } as const;

export interface SendingTaskQueue extends TaskQueue {
  /** Orders the sweeps at once, e.g. after a clock was moved past what they wait for. */
  sweepSoon(): Promise<void>;
}

/**
 * Sends tasks in the transaction that causes them, and nothing else: what every process needs, whatever its role. The
 * queues are made by `prepareTaskQueues`.
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
      if (owner === null) throw new Error(`the task ${task} names no row`);
      // The queue keeps the database's time; a delay means the same there, however far this service's clock was moved.
      const { startAfter, now } = options;
      const delayMs = startAfter ? startAfter.getTime() - (now ?? (await clock.now())).getTime() : 0;
      const sent = {
        singletonKey: data.payload.id,
        priority: owner.background ? PRIORITY.background : PRIORITY.asked,
        ...(delayMs > 0 ? { startAfter: delayMs / 1_000 } : {}),
      };
      await inTransaction.run(fromPrisma(transaction), () =>
        boss.send(queueName(TASKS[task].lane, owner.provider), data, sent),
      );
    },
    async sweepSoon() {
      for (const name of Object.values(SWEEP_QUEUES)) await boss.send(name, {});
    },
  };
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
