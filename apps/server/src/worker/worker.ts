import type { PgBoss } from "pg-boss";
import type { Service } from "../modules/service.ts";
import { SWEEP_QUEUES, TAKEOVER, workerBoss } from "./boss.ts";
import { runHourlySweeps, runMinuteSweeps } from "./sweeps.ts";
import { queuedTask } from "./taskQueue.ts";
import type { Lane } from "./tasks.ts";
import { TASK_QUEUES, TASKS } from "./tasks.ts";

export interface WorkerOptions {
  /** Tasks of one lane that this process runs at once at each provider. */
  readonly concurrency?: Readonly<Record<Lane, number>>;
  /** How long `stop` waits for running tasks before it hands them back, in milliseconds. */
  readonly stopTimeoutMs?: number;
  /** How often a queue is looked at when nothing announces work, in seconds: it bounds how late a delayed task starts. */
  readonly pollSeconds?: number;
}

export interface RunningWorker {
  /** Takes no new task, lets the running ones end, and hands back those that do not end in time. */
  stop(): Promise<void>;
}

const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "7 * * * *";

/** Runs tasks until it is stopped. The queues are made by `prepareTaskQueues`. */
export async function startWorker(service: Service, options: WorkerOptions = {}): Promise<RunningWorker> {
  const { concurrency = { read: 4, settle: 2 }, stopTimeoutMs = 10_000, pollSeconds = 1 } = options;
  const polling = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: TAKEOVER.heartbeatRefreshSeconds,
  };
  const boss = workerBoss(service.pool, service.logger);
  await boss.start();
  for (const { lane, name } of TASK_QUEUES) {
    for (let slot = 0; slot < concurrency[lane]; slot += 1) {
      await work(boss, name, polling, (data) => runTask(service, data));
    }
  }
  await work(boss, SWEEP_QUEUES.minute, polling, () => runMinuteSweeps(service));
  await work(boss, SWEEP_QUEUES.hour, polling, () => runHourlySweeps(service));
  await boss.schedule(SWEEP_QUEUES.minute, EVERY_MINUTE);
  await boss.schedule(SWEEP_QUEUES.hour, EVERY_HOUR);
  // What was due while nobody worked is not left to the next full hour.
  for (const name of Object.values(SWEEP_QUEUES)) await boss.send(name, {});
  return { stop: () => boss.stop({ graceful: true, timeout: stopTimeoutMs, close: true }) };
}

type Polling = {
  readonly pollingIntervalSeconds: number;
  readonly notifyPollingIntervalSeconds: number;
  readonly heartbeatRefreshSeconds: number;
};

/** One slot. When its task ends it looks for the next at once, instead of waiting for the poll. */
async function work(
  boss: PgBoss,
  name: string,
  polling: Polling,
  run: (data: unknown) => Promise<void>,
): Promise<void> {
  const slot: string = await boss.work<unknown>(name, polling, async ([job]) => {
    try {
      await run(job?.data);
    } finally {
      boss.notifyWorker(slot);
    }
  });
}

/** What a task throws stays in the log: the queue would store it, with whatever an error may quote. */
async function runTask(service: Service, data: unknown): Promise<void> {
  const { task, payload } = queuedTask.parse(data);
  try {
    await TASKS[task].run(service, payload.id);
  } catch (error) {
    service.logger.error({ err: error, task, id: payload.id }, "a task failed and will be run again");
    throw new Error(`the task ${task} failed`);
  }
}
