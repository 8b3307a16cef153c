import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { withSession } from "./session.ts";

/** Key of the advisory lock of the process that migrates; any number that is not used elsewhere. */
const TURN = 7_305_121_885;
const LOCK_POLL_MS = 200;
/** A wait of about three seconds is reported. */
const REPORTED_POLL = 15;

/** Receives a line: what a process waits for, and how long. */
export type ReportWait = (line: string) => void;

/**
 * Runs `work` in a session that has the lock of the process that migrates. The session's end releases it. Statements have no
 * timeout: building an index takes longer than any statement of the service, and waits for transactions without blocking others.
 */
export async function withMigrationTurn<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  onWait: ReportWait = () => undefined,
): Promise<Result> {
  return withSession(url, "migrate", async (client) => {
    await lock(client, onWait);
    return work(client);
  });
}

/** Polls, because `CREATE INDEX CONCURRENTLY` also waits for a statement that waits for this lock. */
async function lock(client: pg.Client, onWait: ReportWait): Promise<void> {
  const tryLock = () => client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [TURN]);
  for (let polls = 1; (await tryLock()).rows[0]?.locked !== true; polls += 1) {
    if (polls === REPORTED_POLL) onWait(await describeHolder(client));
    await setTimeout(LOCK_POLL_MS);
  }
}

async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; address: string | null; since: string }>(
    `SELECT pid, host(client_addr) AS address, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
       FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) + objid::bigint = $1`,
    [TURN],
  );
  const [holder] = rows;
  const details =
    holder === undefined
      ? ""
      : ` (backend ${holder.pid}${holder.address === null ? "" : ` of ${holder.address}`}, since ${holder.since})`;
  return `Another process migrates, distributes or sets up roles of this database${details}. This process waits, without a limit, until it has finished`;
}
