import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";

/** A killed worker's task is taken over within 20 seconds and a cut-off renewal is given up after 60; this is far more. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 250;
const SWEEP_EVERY_MS = 5_000;
const LONGEST_STEP_MS = 15 * 60_000;

interface Unsettled {
  /** Everything that is still to be done; 0 once all is settled. */
  readonly open: number;
  /** Tasks that run, or could run now. */
  readonly runnable: number;
  /** Until the next task is due, in milliseconds of the service's clock; null: none waits. */
  readonly dueInMs: number | null;
}

/**
 * Waits until no work remains: no queued or running job, no task, no grant without an owner, no settlement. Moves the
 * clock to the next due time. Returns the remaining work on a timeout, or null.
 */
export async function settle(cluster: Cluster, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<string | null> {
  const endMs = performance.now() + patienceMs;
  let sweptMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    signal.throwIfAborted();
    const { open, runnable, dueInMs } = await findUnsettled(cluster);
    if (open === 0) return null;
    if (performance.now() >= endMs) return describeUnsettled(cluster);
    if (runnable === 0 && dueInMs !== null) {
      await cluster.advance(Math.min(LONGEST_STEP_MS, Math.max(0, dueInMs) + 1_000));
      sweptMs = performance.now();
    } else if (performance.now() - sweptMs > SWEEP_EVERY_MS) {
      await cluster.queue.sweepSoon();
      sweptMs = performance.now();
    }
    await delay(PAUSE_MS);
  }
}

const TASKS = "pgboss.job WHERE name NOT LIKE '\\_\\_%' AND state IN ('created', 'retry', 'active')";

async function findUnsettled({ deployment: { database }, clock }: Cluster): Promise<Unsettled> {
  const now = await clock.now();
  const { rows } = await database.pool.query<{ open: number; runnable: number; due_in_ms: number | null }>(
    `SELECT ((SELECT count(*) FROM job WHERE status IN ('QUEUED', 'RUNNING'))
             + (SELECT count(*) FROM ${TASKS})
             + (SELECT count(*) FROM revoke_settlement)
             + (SELECT count(*) FROM connection WHERE status IN ('SUSPENDED', 'DISCONNECTED', 'DELETING'))
             + (SELECT count(*) FROM provider_grant g LEFT JOIN connect_attempt a ON a.id = g.attempt_id
                 WHERE g.status = 'PENDING' AND (a.id IS NULL OR a.expires_at <= $1
                    OR a.status NOT IN ('CREATED', 'AUTHORIZING', 'EXCHANGING'))))::int AS open,
            (SELECT count(*) FROM ${TASKS} AND (state = 'active' OR start_after <= now()))::int AS runnable,
            (SELECT extract(epoch FROM min(start_after) - now()) * 1000 FROM ${TASKS} AND state <> 'active')::float8 AS due_in_ms`,
    [now],
  );
  const [row] = rows;
  return { open: row?.open ?? 0, runnable: row?.runnable ?? 0, dueInMs: row?.due_in_ms ?? null };
}

async function describeUnsettled({ deployment: { database } }: Cluster): Promise<string> {
  const { rows } = await database.pool.query<{ what: string }>(
    `SELECT 'job ' || id || ' ' || kind || ' ' || status || ' attempt ' || attempt || ' of connection ' || connection_id
            || ' next ' || coalesce(next_retry_at::text, '-') || ', task '
            || coalesce((SELECT string_agg(state || ' ' || start_after, ',') FROM pgboss.job WHERE singleton_key = job.id::text), 'none') AS what
       FROM job WHERE status IN ('QUEUED', 'RUNNING')
     UNION ALL SELECT 'connection ' || id || ' ' || status FROM connection WHERE status IN ('SUSPENDED', 'DISCONNECTED', 'DELETING')
     UNION ALL SELECT 'settlement of ' || revoke_job_id FROM revoke_settlement
     UNION ALL SELECT 'grant ' || id || ' of attempt ' || coalesce(attempt_id::text, '-') FROM provider_grant WHERE status = 'PENDING'
     UNION ALL SELECT 'task ' || name || ' ' || state || ' ' || data::text FROM ${TASKS}`,
  );
  return rows.map(({ what }) => what).join("; ");
}
