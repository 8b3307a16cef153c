import { revokeOutcome } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { giveBack, grantOfConnection } from "../grants/grants.ts";
import { CALL_MS, fail, planJob, retryAfter, succeed, tryAgain } from "../jobs/jobAttempt.ts";
import { settleRevoke } from "./settleRevoke.ts";

export function startRevoke(world: World, job: Job): void {
  job.run = { ...NOTHING_YET, step: "revoke", failure: null };
  planJob(world, job, world.nowMs() + CALL_MS);
}

/**
 * Gives the grant of a disconnected connection back to the provider. A failure that may pass is tried again for up to 24
 * hours; then, as after a refusal, the receipt says that the person has to remove the app at the provider.
 */
export function resumeRevoke(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const appRemoved = connection?.appRemovedAt != null;
  const given = appRemoved ? "app-removed" : giveBack(world, grantOfConnection(world, job.connectionId));
  if (typeof given !== "string") {
    const retry = retryAfter(world, job, given);
    if (retry !== null) {
      tryAgain(world, job, retry);
      return;
    }
  }
  endRevoke(world, job, typeof given === "string" ? given : "rejected", connection ?? null);
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
