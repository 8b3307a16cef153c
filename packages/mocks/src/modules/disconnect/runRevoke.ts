import { decideRevokeAttempt, type RevokeResult } from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import type { Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection, revokeGrant } from "../grants/grants.ts";
import { applyJobChange, CALL_MS, scheduleJob } from "../jobs/jobAttempt.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

export function startRevoke(world: World, job: Job): void {
  job.run = { ...NOTHING_YET, step: "revoke", failure: null };
  scheduleJob(world, job, world.nowMs() + CALL_MS);
}

/** Revokes the grant of a disconnected connection at the provider. */
export function resumeRevoke(world: World, job: Job): void {
  const appRemoved = world.state.connections.get(job.connectionId)?.appRemovedAt != null;
  const result = appRemoved ? "app-removed" : revokeGrant(world, grantOfConnection(world, job.connectionId));
  endRevoke(world, job, result);
}

export function endRevoke(world: World, job: Job, result: RevokeResult | CallFailure): void {
  const connection = world.state.connections.get(job.connectionId) ?? null;
  const change = decideRevokeAttempt(job, result, connection, () => world.jitter(), world.now());
  applyJobChange(world, job, change.job);
  applyFollowUps(world, change.followUps);
}
