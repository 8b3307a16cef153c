import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { withSession } from "../database/session.ts";
import { readNodes, requireDistributedTables, requireNoTimeouts, requireReachableNodes } from "./cluster.ts";

const POLL_MS = 1_000;

interface Progress {
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly error: string | null;
}

/**
 * Moves shards until each node has its part, while the service runs. Continues to wait for moves that an earlier run started.
 *
 * @returns how many moves there were
 */
export function rebalance(url: string, onProgress: (line: string) => void): Promise<number> {
  return withSession(url, "rebalance", async (client) => {
    await readNodes(client);
    await requireDistributedTables(client);
    let progress = await readProgress(client);
    if (progress === null || !isRunning(progress)) {
      await requireReachableNodes(client);
      await requireNoTimeouts(client);
      await requireLogicalLog(client);
      const { rows } = await client.query<{ job: string | null }>("SELECT citus_rebalance_start() AS job");
      if (rows[0]?.job == null) return 0;
    }
    let reported = -1;
    let reportedError: string | null = null;
    for (;;) {
      progress = await readProgress(client);
      if (progress === null) return 0;
      const { done, total, state, error } = progress;
      if (done !== reported) onProgress(`${done} of ${total} moves done`);
      reported = done;
      if (error !== null && error !== reportedError) onProgress(`a move failed and is repeated: ${error}`);
      reportedError = error;
      if (state === "finished") return total;
      if (!isRunning(progress)) {
        throw new Error(`the moves ended as ${state}: ${error ?? "see pg_dist_background_task"}`);
      }
      await setTimeout(POLL_MS);
    }
  });
}

function isRunning({ state }: Progress): boolean {
  return !["finished", "failed", "cancelled"].includes(state);
}

/** Null if no rebalance was ever started. */
async function readProgress(client: pg.Client): Promise<Progress | null> {
  const { rows } = await client.query<Progress>(
    `SELECT job.state::text AS state, count(*) FILTER (WHERE task.status = 'done')::int AS done, count(*)::int AS total,
            min(split_part(task.message, E'\\n', 1)) FILTER (
              WHERE task.status IN ('error', 'runnable') AND task.retry_count > 0) AS error
       FROM (SELECT * FROM pg_dist_background_job WHERE job_type = 'rebalance' ORDER BY job_id DESC LIMIT 1) AS job
       JOIN pg_dist_background_task AS task USING (job_id) GROUP BY job.state`,
  );
  return rows[0] ?? null;
}

/** Without it shards move only while their tables accept no writes. */
async function requireLogicalLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"node" | "level", string>>(
    `SELECT nodename || ':' || nodeport AS node, result AS level
       FROM run_command_on_all_nodes('SHOW wal_level') JOIN pg_dist_node USING (nodeid) WHERE result <> 'logical' LIMIT 1`,
  );
  const [other] = rows;
  if (other === undefined) return;
  throw new Error(
    `the node ${other.node} has wal_level ${other.level}; set wal_level = logical in its postgresql.conf and restart it, so that shards move while the service writes`,
  );
}
