import type { Pool } from "pg";
import type { PgBoss, WorkOptions } from "pg-boss";
import type { Service } from "../modules/service.ts";
import { runSweeps } from "../modules/sweeps/runSweeps.ts";
import type { Sweep } from "../modules/sweeps/sweep.ts";
import { SWEEP_QUEUES, TAKEOVER, workerBoss } from "./boss.ts";
import { HOURLY_SWEEPS, MINUTE_SWEEPS } from "./sweeps.ts";
import { applicationOfGroup, queuedTask } from "./taskQueue.ts";
import { type Lane, TASK_QUEUES, TASKS } from "./tasks.ts";

export interface WorkerOptions {
  /** Whose address the task queue connects to; it needs sessions, which a pooler in transaction mode does not have. */
  readonly queuePool?: Pool;
  /** Concurrent tasks per queue of a lane in this process. */
  readonly concurrency?: Readonly<Partial<Record<Lane, number>>>;
  /** How long `stop` waits for running tasks before it releases them, in milliseconds. */
  readonly stopTimeoutMs?: number;
  /** Poll interval of a queue in seconds, which bounds how late a delayed task starts. */
  readonly pollSeconds?: number;
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** A round of sweeps that has more to do ends then, and another continues. Well below the expiry of a task. */
const SWEEP_MS = 50_000;
const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "7 * * * *";
const CONCURRENCY: Readonly<Record<Lane, number>> = { read: 4, settle: 2, event: 16 };
/** An endpoint that does not answer holds a slot for the whole timeout of a delivery. */
const DELIVERIES_PER_ENDPOINT = 4;
/** How long a slot of `workInTurns` sleeps unless it is woken. */
const IDLE_SECONDS = 60;

/** Runs tasks until it is stopped. `prepareTaskQueues` creates the queues. */
export async function startWorker(service: Service, options: WorkerOptions = {}) {
  const { stopTimeoutMs = 10_000, pollSeconds = 1 } = options;
  const concurrency = { ...CONCURRENCY, ...options.concurrency };
  const polling = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds: TAKEOVER.heartbeatRefreshSeconds,
  };
  const boss = workerBoss(options.queuePool ?? service.pool, service.logger);
  await boss.start();
  const timers: NodeJS.Timeout[] = [];
  for (const { lane, name } of TASK_QUEUES) {
    const slots = concurrency[lane];
    if (slots === 0) continue;
    // With three slots or more, one application leaves one for the others, however long its tasks run.
    const run = (data: unknown, group: string) => runTask(service, data, applicationOfGroup(group));
    if (lane === "event") {
      timers.push(await workInTurns(boss, name, { ...polling, localConcurrency: slots }, run));
      continue;
    }
    const sharing = { localConcurrency: slots, localGroupConcurrency: slots > 2 ? slots - 1 : slots };
    await work(boss, name, { ...polling, ...sharing }, run);
  }
  const sweep = async (name: string, sweeps: readonly Sweep[]) => {
    const end = performance.now() + SWEEP_MS;
    if (!(await runSweeps(service, sweeps, () => performance.now() < end))) await boss.send(name, {});
  };
  await work(boss, SWEEP_QUEUES.minute, polling, () => sweep(SWEEP_QUEUES.minute, MINUTE_SWEEPS));
  await work(boss, SWEEP_QUEUES.hour, polling, () => sweep(SWEEP_QUEUES.hour, HOURLY_SWEEPS));
  await boss.schedule(SWEEP_QUEUES.minute, EVERY_MINUTE);
  await boss.schedule(SWEEP_QUEUES.hour, EVERY_HOUR);
  // Work that became due during downtime should not wait for the next full hour.
  for (const name of Object.values(SWEEP_QUEUES)) await boss.send(name, {});
  let stopped: Promise<void> | undefined;
  return {
    /** Stops polling, waits for running tasks, and releases tasks that exceed the timeout. Safe to call twice. */
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      stopped ??= boss.stop({ graceful: true, timeout: stopTimeoutMs, close: true });
      return stopped;
    },
  };
}

/** Runs a queue's tasks. After a task its slot fetches the next one immediately instead of waiting for the poll. */
async function work(
  boss: PgBoss,
  name: string,
  options: WorkOptions,
  run: (data: unknown, group: string) => Promise<void>,
): Promise<void> {
  await boss.work<unknown>(name, options, async ([job]) => {
    try {
      await run(job?.data, job?.groupId ?? "");
    } finally {
      for (const slot of boss.getWipData())
        if (slot.name === name && slot.state === "active") boss.notifyWorker(slot.id);
    }
  });
}

/**
 * Runs a queue's tasks in many slots, of which one at a time looks for work: twice in an interval while the queue is empty. One that finds
 * a task wakes the next one. Returns the timer that wakes the first.
 */
async function workInTurns(
  boss: PgBoss,
  name: string,
  { pollingIntervalSeconds = 1, localConcurrency = 1, ...options }: WorkOptions,
  run: (data: unknown, group: string) => Promise<void>,
): Promise<NodeJS.Timeout> {
  const slots = () => boss.getWipData().filter((slot) => slot.name === name && slot.state === "active");
  const wakeIdle = () => {
    const idle = slots().find(({ count }) => count === 0);
    if (idle !== undefined) boss.notifyWorker(idle.id);
  };
  const sleeping = { pollingIntervalSeconds: IDLE_SECONDS, notifyPollingIntervalSeconds: IDLE_SECONDS };
  const sharing = { localConcurrency, localGroupConcurrency: Math.min(DELIVERIES_PER_ENDPOINT, localConcurrency) };
  await boss.work<unknown>(name, { ...options, ...sleeping, ...sharing }, async ([job]) => {
    wakeIdle();
    try {
      await run(job?.data, job?.groupId ?? "");
    } finally {
      // This slot, and the other busy ones, look again when their tasks have ended.
      for (const { id, count } of slots()) if (count > 0) boss.notifyWorker(id);
    }
  });
  return setInterval(wakeIdle, pollingIntervalSeconds * 500).unref();
}

/** Logs a task's error and throws a generic one: the queue would store the original, which may quote sensitive data. */
async function runTask(service: Service, data: unknown, applicationId: string): Promise<void> {
  const {
    task,
    payload: { id },
  } = queuedTask.parse(data);
  try {
    await TASKS[task].run(service, { id, applicationId });
  } catch (error) {
    service.logger.error({ err: error, task, id }, "task failed; the queue retries it");
    throw new Error(`Task ${task} failed.`);
  }
}
