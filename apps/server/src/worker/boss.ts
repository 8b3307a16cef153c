import type { Pool } from "pg";
import type { ConstructorOptions } from "pg-boss";
import { PgBoss } from "pg-boss";
import type { Logger } from "../platform/logger.ts";
import { TASK_QUEUES } from "./tasks.ts";

/** pg-boss keeps its tables apart from ours and migrates them itself. */
const SCHEMA = "pgboss";
/** Work that the clock orders: one queue for each rhythm. */
export const SWEEP_QUEUES = { minute: "sweep.minute", hour: "sweep.hour" } as const;

const HOUR_SECONDS = 3_600;

/**
 * A worker that dies is noticed when its heartbeat (sent every 3 seconds) is 10 seconds old, the least that pg-boss allows,
 * by a supervisor that looks every 4 seconds; with the delay of a retry and the poll its task is taken over within 20.
 */
export const TAKEOVER = {
  heartbeatSeconds: 10,
  heartbeatRefreshSeconds: 3,
  superviseIntervalSeconds: 4,
  /** Doubled with each further death, and spread by chance up to twice that. */
  retryDelaySeconds: 1,
} as const;

const QUEUE_OPTIONS = {
  heartbeatSeconds: TAKEOVER.heartbeatSeconds,
  expireInSeconds: 900,
  // Our own job rows count failures and space retries. These are for workers that died, and for a database that was away.
  retryLimit: 20,
  retryDelay: TAKEOVER.retryDelaySeconds,
  retryBackoff: true,
  retryDelayMax: 60,
  // A payload is an id and the row it names tells the rest: what is done need not stay.
  deleteAfterSeconds: HOUR_SECONDS,
  notify: true,
} as const;

/** The database as pg-boss asks for it. */
export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * For senders: runs no timer, and listens to nothing. All that it says goes through `runner`: a send that belongs to a
 * transaction must not wait for a second connection, because others may hold the rest of them and wait for the first.
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

/** For workers: a few connections of its own, one of which listens, so that work starts the moment it is committed. */
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
 * Creates or updates the queue's tables and queues. Part of migrating: it runs before the first process sends or works.
 * Safe to repeat, and for several processes at once.
 */
export async function prepareTaskQueues(pool: Pool): Promise<void> {
  const preparing = boss({ ...connectionOf(pool), max: 2, supervise: false, schedule: false }, null);
  await preparing.start();
  try {
    for (const { name } of TASK_QUEUES) {
      await preparing.createQueue(name, QUEUE_OPTIONS);
      await preparing.updateQueue(name, QUEUE_OPTIONS);
    }
    for (const name of Object.values(SWEEP_QUEUES)) {
      // One waiting sweep stands for all that were due while it waited. Nothing keeps it from running beside another: that
      // one may have looked at the clock too early, or its worker may be dead, and every sweep can run twice at once.
      await preparing.createQueue(name, { ...QUEUE_OPTIONS, policy: "short" });
    }
  } finally {
    await preparing.stop({ graceful: false });
  }
}

function boss(options: ConstructorOptions, logger: Logger | null): PgBoss {
  const created = new PgBoss({ schema: SCHEMA, ...options });
  // Unheard, an error event would end the process. Its cause (a lost connection) mends itself.
  created.on("error", (error) => logger?.warn({ err: error }, "the task queue met a fault"));
  created.on("warning", ({ message }) => logger?.warn({ warning: message }, "the task queue warns"));
  return created;
}

/**
 * The pool's address and credentials, without its limits: pg-boss bounds its own statements. With the pool's kind of
 * connections, so that closing the database waits for these too.
 */
function connectionOf(pool: Pool): ConstructorOptions {
  const { Client, connectionString, host, port, user, password, database, ssl } = pool.options;
  const given = { Client, connectionString, host, port, user, password, database, ssl };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ConstructorOptions;
}
