import { addCounts, type DeletedCounts, decideErasureEnd, decideErasureStart, isReceipt } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { applyJobChange, CALL_MS, retryLater, scheduleJob, succeed } from "../jobs/jobAttempt.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** Deletes content and profile. The credential and the connection are deleted after the revoke has settled. */
export function startErase(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const change = connection && decideErasureStart(connection, world.now());
  if (connection && change) Object.assign(connection, change.patch);
  count(job, { content_item: world.state.content.get(job.connectionId)?.size ?? 0 });
  world.state.content.delete(job.connectionId);
  job.run = { ...NOTHING_YET, step: "erase", failure: null };
  scheduleJob(world, job, world.nowMs() + CALL_MS);
}

export function finishErase(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection !== undefined) {
    const revoke = world.state.jobs.get(connection.revokeJobId ?? "") ?? null;
    const end = decideErasureEnd({ job, connection, revoke }, world.now());
    if (end.type === "WAIT") {
      retryLater(world, job, end.retry);
      return;
    }
    if (revoke !== null && end.timedOutRevoke !== null) {
      const { patch, followUps } = end.timedOutRevoke;
      applyJobChange(world, revoke, { patch, followUps: [] });
      applyFollowUps(world, followUps);
    }
    count(job, deleteRest(world, connection));
  }
  succeed(world, job);
}

function deleteRest(world: World, connection: Connection): DeletedCounts {
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

function count(job: Job, deleted: DeletedCounts): void {
  job.deletedCounts = addCounts(job.deletedCounts, deleted);
}
