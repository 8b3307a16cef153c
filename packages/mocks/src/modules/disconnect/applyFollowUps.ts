import {
  type ConnectionFilter,
  type GrantFollowUp,
  isCancelable,
  isInFlight,
  isSettled,
  matchesFilter,
  settleRevoke,
} from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { cancelReconnects } from "../connect/attempts.ts";
import { patchConnection } from "../events/recordEvents.ts";
import { updateGrant } from "../grants/grants.ts";
import { createJob, jobsOf } from "../jobs/createJob.ts";
import { applyJobChange, scheduleJob } from "../jobs/jobAttempt.ts";
import { beginRevocation, endRevocation } from "../revocations/providerRevocations.ts";

export function applyFollowUps(world: World, followUps: readonly GrantFollowUp[]): void {
  for (const followUp of followUps) apply(world, followUp);
}

function apply(world: World, followUp: GrantFollowUp): void {
  const { jobs, settlements } = world.state;
  switch (followUp.type) {
    case "UPDATE_GRANT":
      updateGrant(world, followUp);
      return;
    case "CREATE_RECEIPT": {
      const { id, kind, connection, ended } = followUp;
      createJob(world, connection, { id, kind, background: false, ...(ended && { ended }) });
      return;
    }
    case "CANCEL_JOBS":
      for (const job of jobs.values()) {
        if (job.connectionId !== followUp.connectionId || !isCancelable(job.kind) || !isInFlight(job.status)) continue;
        applyJobChange(world, job, { patch: followUp.patch, followUps: [] });
      }
      return;
    case "CANCEL_RECONNECTS":
      cancelReconnects(world, followUp);
      return;
    case "BEGIN_REVOCATION":
      beginRevocation(world, followUp.revocation);
      return;
    case "END_REVOCATION":
      endRevocation(world, followUp.id);
      return;
    case "SUSPEND":
      settlements.set(followUp.settlement.revokeJobId, followUp.settlement);
      for (const one of findConnections(world, followUp.connections)) patchConnection(world, one, followUp.patch);
      return;
    case "RECHECK":
      for (const one of findConnections(world, followUp.connections)) enqueueRecheck(world, one);
      return;
    case "DELETE_SETTLEMENT": {
      const { revokeJobId } = followUp;
      const suspended = findConnections(world, { suspendedByJobId: revokeJobId, status: "SUSPENDED" });
      if (isSettled(jobs.get(revokeJobId)?.status ?? null, suspended.length)) settlements.delete(revokeJobId);
      return;
    }
    case "RESUME_ERASURE": {
      const erase = jobs.get(followUp.jobId);
      if (erase?.status !== "QUEUED") return;
      erase.nextRetryAt = null;
      scheduleJob(world, erase, world.nowMs());
    }
  }
}

function findConnections(world: World, filter: ConnectionFilter): Connection[] {
  return [...world.state.connections.values()].filter((one) => matchesFilter(one, filter));
}

function enqueueRecheck(world: World, connection: Connection): void {
  if (jobsOf(world, connection.id).some((job) => job.kind === "RECHECK" && isInFlight(job.status))) return;
  createJob(world, connection, { kind: "RECHECK", background: true });
}

/** Settles revokes that have ended, for example after the last suspended sibling was reconnected. */
export function reconcileRevokeSettlements(world: World): void {
  for (const id of [...world.state.settlements.keys()]) {
    const status = world.state.jobs.get(id)?.status;
    if (status === undefined || !isInFlight(status)) applyFollowUps(world, settleRevoke(id));
  }
}
