import { addMs, hasPassed, isInFlight, isReceipt, moveConnection, RETRY_BOUNDS } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { CALL_MS, scheduleJob, succeed, tryAgain } from "../jobs/jobAttempt.ts";
import { endRevoke } from "./runRevoke.ts";

/** The end of the revoke also runs the erasure; this is the longest time between two checks. */
const RECHECK_MS = 15 * 60_000;

/** Deletes content and profile. The credential and the connection are deleted after the revoke has settled. */
export function startErase(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const status = connection && moveConnection(connection.status, "ERASE_STARTED");
  if (connection && status) {
    Object.assign(connection, { status, profile: null, lastSuccessfulSyncAt: null, updatedAt: world.now() });
  }
  count(job, { content_item: world.state.content.get(job.connectionId)?.size ?? 0 });
  world.state.content.delete(job.connectionId);
  job.run = { ...NOTHING_YET, step: "erase", failure: null };
  scheduleJob(world, job, world.nowMs() + CALL_MS);
}

export function finishErase(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection !== undefined) {
    const at = waitForRevoke(world, connection);
    if (at !== null) {
      tryAgain(world, job, { at, failures: job.failures });
      return;
    }
    count(job, deleteRest(world, connection));
  }
  succeed(world, job);
}

/** The time of the next check; null when the credential is no longer needed. Fails a revoke after 24 hours. */
function waitForRevoke(world: World, connection: Connection): Date | null {
  const revoke = world.state.jobs.get(connection.revokeJobId ?? "");
  if (revoke === undefined || !isInFlight(revoke.status)) return null;
  const now = world.now();
  const deadline = addMs(revoke.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs);
  if (!hasPassed(deadline, now)) return new Date(Math.min(deadline.getTime(), now.getTime() + RECHECK_MS));
  // A queued job fails like a running one.
  revoke.status = "RUNNING";
  endRevoke(world, revoke, "rejected", null);
  return null;
}

function deleteRest(world: World, connection: Connection): Record<string, number> {
  const { id } = connection;
  const grant = grantOfConnection(world, id);
  if (grant !== null) world.state.grants.delete(grant.id);
  let jobs = 0;
  for (const job of world.state.jobs.values()) {
    if (job.connectionId !== id || isReceipt(job.kind)) continue;
    world.state.jobs.delete(job.id);
    jobs += 1;
  }
  // A completed attempt keeps its connectionId, like the receipts: the id does not identify the account.
  for (const attempt of world.state.connectAttempts.values()) {
    if (attempt.reconnectConnectionId === id) attempt.reconnectConnectionId = null;
  }
  world.state.content.delete(id);
  world.state.connections.delete(id);
  return { provider_grant: grant === null ? 0 : 1, job: jobs, connection: 1 };
}

function count(job: Job, deleted: Readonly<Record<string, number>>): void {
  const counts = { ...job.deletedCounts };
  for (const [what, rows] of Object.entries(deleted)) counts[what] = (counts[what] ?? 0) + rows;
  job.deletedCounts = counts;
}
