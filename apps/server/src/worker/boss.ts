import type { Pool } from "pg";
import { type ConstructorOptions, PgBoss } from "pg-boss";
import type { Logger } from "../platform/log/logger.ts";
import { TASK_QUEUES } from "./tasks.ts";

/** pg-boss has a separate schema, which it migrates itself. */
const SCHEMA = "pgboss";
/** Scheduled work: one queue per interval. */
export const SWEEP_QUEUES = { minute: "sweep.minute", hour: "sweep.hour" } as const;

const HOUR_SECONDS = 3_600;

/**
 * pg-boss detects a crashed worker when its heartbeat (sent every 3 seconds) is 10 seconds old, the minimum that it
 * allows, with a supervisor that runs every 4 seconds. Including the retry delay and the poll interval, another worker
 * takes over its task within 20 seconds.
 */
export const TAKEOVER = {
  heartbeatSeconds: 10,
  heartbeatRefreshSeconds: 3,
  superviseIntervalSeconds: 4,
  /** Doubled after each further crash, with random jitter up to twice that. */
  retryDelaySeconds: 1,
} as const;

const QUEUE_OPTIONS = {
  heartbeatSeconds: TAKEOVER.heartbeatSeconds,
  expireInSeconds: 900,
  // Job rows count failures and delay retries. These limits are for crashed workers and an unavailable database.
  retryLimit: 20,
  retryDelay: TAKEOVER.retryDelaySeconds,
  retryBackoff: true,
  retryDelayMax: 60,
  // A payload is only a row's ID, so completed tasks need no retention.
  deleteAfterSeconds: HOUR_SECONDS,
  notify: true,
} as const;

/** The database interface of pg-boss. */
export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * For senders: runs no timers and no listeners. All statements use `runner`, because a send within a transaction must
 * not wait for a second connection: other transactions may occupy the rest of the pool and wait as well.
 */
export function senderBoss(runner: SqlRunner): PgBoss {
  return boss(
    {
      db: runner,
      supervise: false,
      schedule: false,
      migrate: false,
    },
    null,
  );
}

/** For workers: a few separate connections, one of which listens, so that work starts when it is committed. */
export function workerBoss(pool: Pool, logger: Logger): PgBoss {
  return boss(
    {
      ...connectionOf(pool),
      max: 4,
      migrate: false,
      useListenNotify: true,
      superviseIntervalSeconds: TAKEOVER.superviseIntervalSeconds,
      monitorIntervalSeconds: TAKEOVER.superviseIntervalSeconds,
      cronMonitorIntervalSeconds: 15,
      cronWorkerIntervalSeconds: 5,
    },
    logger,
  );
}

/**
 * Creates or updates the queue's tables and queues. Part of the migrations, which run before any process sends or
 * works. Idempotent and safe to run concurrently.
 */
export async function prepareTaskQueues(pool: Pool): Promise<void> {
  const preparing = boss({ ...connectionOf(pool), max: 2, supervise: false, schedule: false }, null);
  await preparing.start();
  try {
    for (const { name, lane } of TASK_QUEUES) {
      // A notification wakes every slot of a queue: too many for the slots of deliveries. See `workInTurns`.
      const options = { ...QUEUE_OPTIONS, notify: lane !== "event" };
      await preparing.createQueue(name, options);
      await preparing.updateQueue(name, options);
    }
    for (const name of Object.values(SWEEP_QUEUES)) {
      // Deduplicates waiting sweeps. A sweep may still run concurrently with another, which may have read the clock too
      // early or whose worker may have crashed; every sweep supports that.
      await preparing.createQueue(name, { ...QUEUE_OPTIONS, policy: "short" });
    }
  } finally {
    await preparing.stop({ graceful: false });
  }
}

/** What `prepareTaskQueues` would have to create or update, or null. Changes nothing. */
export async function findQueueProblem(pool: Pool): Promise<string | null> {
  const checking = boss({ ...connectionOf(pool), max: 1, supervise: false, schedule: false, migrate: false }, null);
  try {
    // Fails unless the tables are those of this version of pg-boss.
    await checking.start();
  } catch (error) {
    const isOutdated = /not installed|requires migrations/.test((error as Error).message);
    if (isOutdated) return "the tables of the task queue";
    throw error;
  }
  try {
    const present = new Set((await checking.getQueues()).map(({ name }) => name));
    const missing = [...TASK_QUEUES.map(({ name }) => name), ...Object.values(SWEEP_QUEUES)].find(
      (name) => !present.has(name),
    );
    return missing === undefined ? null : `the task queue ${missing}`;
  } finally {
    await checking.stop({ graceful: false });
  }
}

function boss(options: ConstructorOptions, logger: Logger | null): PgBoss {
  const created = new PgBoss({ schema: SCHEMA, ...options });
  // An error event without a listener would end the process. pg-boss recovers from its cause, a lost connection.
  created.on("error", (error) => logger?.warn({ err: error }, "task queue error"));
  created.on("warning", ({ message }) => logger?.warn({ warning: message }, "task queue warning"));
  return created;
}

/**
 * The pool's address and credentials without its limits, because pg-boss bounds its own statements. Uses the pool's
 * client class, so that closing the database waits for these connections too.
 */
function connectionOf(pool: Pool): ConstructorOptions {
  const { Client, connectionString, host, port, user, password, database, ssl } = pool.options;
  const settings = { Client, connectionString, host, port, user, password, database, ssl };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as ConstructorOptions;
}
