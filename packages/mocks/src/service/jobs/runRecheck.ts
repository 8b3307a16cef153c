import { moveConnection } from "@social-connect/domain";
import type { CallFailure } from "../../providers/providerCall.ts";
import { failure, isPassing } from "../../providers/providerCall.ts";
import { failureAtEnd, startCall } from "../../providers/providerSide.ts";
import type { Connection, Job } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { dropWhenSettled } from "../connections/settleRevoke.ts";
import { grantOfConnection, providerGrantOf, renewIfNeeded } from "../grants/grants.ts";
import { CALL_MS, planJob, retryAfter, succeed, tryAgain } from "./jobAttempt.ts";
import { NOTHING_YET } from "./jobRun.ts";
import { loseGrant } from "./loseGrant.ts";

/** Asks the provider whether the grant of a suspended connection has survived the revoke of a sibling's. */
export function startRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection?.status !== "SUSPENDED") {
    finish(world, job, connection ?? null);
    return;
  }
  const grant = grantOfConnection(world, connection.id);
  const unusable = grant === null ? failure("grant_gone") : renewIfNeeded(world, grant);
  const course =
    grant === null || unusable !== null
      ? { delayMs: 0, failure: unusable }
      : startCall(world, providerGrantOf(world, grant), "profile");
  job.run = { ...NOTHING_YET, step: "profile", failure: course.failure };
  planJob(world, job, world.nowMs() + CALL_MS + course.delayMs);
}

/** CONNECTED again, or RECONNECT_REQUIRED, also when the provider could not be asked for 7 days. */
export function resumeRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  // Reconnected or disconnected meanwhile: there is nothing left to decide.
  if (connection?.status !== "SUSPENDED") {
    finish(world, job, connection ?? null);
    return;
  }
  const grant = grantOfConnection(world, connection.id);
  const failed = grant ? (job.run?.failure ?? failureAtEnd(providerGrantOf(world, grant))) : failure("grant_gone");
  if (failed !== null && isLater(failed)) {
    const retry = retryAfter(world, job, failed);
    if (retry !== null) {
      tryAgain(world, job, retry);
      return;
    }
  }
  const { suspendedByJobId } = connection;
  // A provider that says what the grant does not cover knows the grant.
  if (failed === null || failed.kind === "scope_missing") moveSuspended(world, connection, "RECHECK_PASSED");
  // The provider never said that the grant is gone, so a disconnect still has to revoke it.
  else if (isLater(failed)) moveSuspended(world, connection, "RECHECK_FAILED");
  else loseGrant(world, connection, failed.appRemoved);
  succeed(world, job);
  if (suspendedByJobId !== null) dropWhenSettled(world, suspendedByJobId);
}

function isLater(failed: CallFailure): boolean {
  return isPassing(failed) || failed.kind === "access_expired";
}

function finish(world: World, job: Job, connection: Connection | null): void {
  succeed(world, job);
  if (connection?.suspendedByJobId != null) dropWhenSettled(world, connection.suspendedByJobId);
}

function moveSuspended(world: World, connection: Connection, event: "RECHECK_PASSED" | "RECHECK_FAILED"): void {
  const status = moveConnection(connection.status, event);
  if (status === null) return;
  const schedule = event === "RECHECK_FAILED" ? { nextRetryAt: null, nextScanAt: null, nextProfileAt: null } : {};
  Object.assign(connection, { status, suspendedByJobId: null, ...schedule, updatedAt: world.now() });
}
