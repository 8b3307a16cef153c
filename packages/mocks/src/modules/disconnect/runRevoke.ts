import { revokeOutcome } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection, revokeGrant } from "../grants/grants.ts";
import { CALL_MS, fail, retryAfter, scheduleJob, succeed, tryAgain } from "../jobs/jobAttempt.ts";
import { settleRevoke } from "./settleRevoke.ts";

export function startRevoke(world: World, job: Job): void {
  job.run = { ...NOTHING_YET, step: "revoke", failure: null };
  scheduleJob(world, job, world.nowMs() + CALL_MS);
}

/**
 * Revokes the grant of a disconnected connection at the provider. A transient failure is retried for up to 24 hours; then,
 * as after a refusal, the receipt asks the person to remove the app at the provider.
 */
export function resumeRevoke(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const appRemoved = connection?.appRemovedAt != null;
  const result = appRemoved ? "app-removed" : revokeGrant(world, grantOfConnection(world, job.connectionId));
  if (typeof result !== "string") {
    const retry = retryAfter(world, job, result);
    if (retry !== null) {
      tryAgain(world, job, retry);
      return;
    }
  }
  endRevoke(world, job, typeof result === "string" ? result : "rejected", connection ?? null);
}

export function endRevoke(
  world: World,
  job: Job,
  result: Parameters<typeof revokeOutcome>[0],
  revoked: Connection | null,
): void {
  const { errorCode, creatorAction } = revokeOutcome(result);
  if (errorCode === null) succeed(world, job, { creatorAction });
  else fail(world, job, errorCode, { creatorAction });
  settleRevoke(world, job.id, revoked);
}
