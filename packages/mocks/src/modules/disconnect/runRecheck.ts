import { connectionRevocationKeys, isSibling, moveConnection, PROVIDER_TRAITS } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import { failure, isTransient } from "../../state/providerCall.ts";
import type { Connection, Job } from "../../state/state.ts";
import { failureAtEnd, startCall } from "../../upstream/calls.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection, providerGrantOf, renewIfNeeded } from "../grants/grants.ts";
import { markGrantRevoked } from "../grants/markGrantRevoked.ts";
import { findRevocationSince } from "../grants/revocations.ts";
import { CALL_MS, retryAfter, scheduleJob, succeed, tryAgain } from "../jobs/jobAttempt.ts";
import { dropWhenSettled, enqueueRechecks } from "./settleRevoke.ts";

/** Checks at the provider whether a revoke has ended a grant. */
export function startRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection === undefined || !isChecked(connection)) {
    finish(world, job, connection ?? null);
    return;
  }
  const revocationsBefore = world.state.revocationCount;
  const grant = grantOfConnection(world, connection.id);
  const unusable = grant === null ? failure("grant_gone") : renewIfNeeded(world, grant);
  const result =
    grant === null || unusable !== null
      ? { delayMs: 0, failure: unusable }
      : startCall(world, providerGrantOf(world, grant), "profile");
  job.run = { ...NOTHING_YET, step: "profile", failure: result.failure, revocationsBefore };
  scheduleJob(world, job, world.nowMs() + CALL_MS + result.delayMs);
}

/**
 * A suspended connection becomes CONNECTED or RECONNECT_REQUIRED, the latter also when the provider was unavailable for 7
 * days. A CONNECTED connection stays CONNECTED or becomes RECONNECT_REQUIRED.
 */
export function resumeRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  // The connection was reconnected or disconnected in the meantime.
  if (connection === undefined || !isChecked(connection)) {
    finish(world, job, connection ?? null);
    return;
  }
  const { suspendedByJobId } = connection;
  if (apply(world, job, connection) === "again") return;
  succeed(world, job);
  if (suspendedByJobId !== null) dropWhenSettled(world, suspendedByJobId);
}

function isChecked({ status }: Connection): boolean {
  return status === "SUSPENDED" || status === "CONNECTED";
}

/** `again`: the job will be retried. */
function apply(world: World, job: Job, connection: Connection): "again" | "done" {
  const grant = grantOfConnection(world, connection.id);
  const failed = grant ? (job.run?.failure ?? failureAtEnd(providerGrantOf(world, grant))) : failure("grant_gone");
  if (failed !== null && isLater(failed)) {
    const retry = retryAfter(world, job, failed);
    if (retry !== null) {
      tryAgain(world, job, retry);
      return "again";
    }
    // The provider never reported that the grant has ended, so a disconnect still has to revoke it.
    moveSuspended(world, connection, "RECHECK_FAILED");
    return "done";
  }
  const traits = PROVIDER_TRAITS[connection.provider];
  // A missing scope shows that the grant is active.
  if (failed !== null && failed.kind !== "scope_missing") {
    markGrantRevoked(world, connection, failed.appRemoved);
    // The cause may also have ended other grants of the same consent.
    if (traits.revokeAffectsSiblings) enqueueRechecks(world, (other) => isSibling(connection, other));
    return "done";
  }
  const keys = connectionRevocationKeys(connection, traits);
  const other = findRevocationSince(world, keys, job.run?.revocationsBefore ?? 0);
  if (other === null) {
    moveSuspended(world, connection, "RECHECK_PASSED");
    return "done";
  }
  // Another revoke may end this grant. The end of its job enqueues the next recheck.
  if (connection.status === "SUSPENDED" && !other.isEnded && world.state.jobs.has(other.id)) {
    connection.suspendedByJobId = other.id;
    return "done";
  }
  const retry = retryAfter(world, { ...job, failures: 0, createdAt: world.now() }, failure("unavailable"));
  if (retry === null) return "done";
  tryAgain(world, job, retry);
  return "again";
}

function isLater(failed: CallFailure): boolean {
  return isTransient(failed) || failed.kind === "access_expired";
}

function finish(world: World, job: Job, connection: Connection | null): void {
  succeed(world, job);
  if (connection?.suspendedByJobId != null) dropWhenSettled(world, connection.suspendedByJobId);
}

function moveSuspended(world: World, connection: Connection, event: "RECHECK_PASSED" | "RECHECK_FAILED"): void {
  if (connection.status !== "SUSPENDED") return;
  const status = moveConnection(connection.status, event);
  if (status === null) return;
  const schedule = event === "RECHECK_FAILED" ? { nextRetryAt: null, nextScanAt: null, nextProfileAt: null } : {};
  Object.assign(connection, { status, suspendedByJobId: null, ...schedule, updatedAt: world.now() });
}
