import {
  connectionRevocationKeys,
  decideRecheck,
  isGrantAccepted,
  mayHaveGrant,
  PROVIDER_TRAITS,
  type RecheckCall,
} from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import { failure } from "../../state/providerCall.ts";
import type { Connection, Job } from "../../state/state.ts";
import { failureAtEnd } from "../../upstream/calls.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection, providerGrantOf, readWithGrant } from "../grants/grants.ts";
import { applyJobChange, CALL_MS, scheduleJob } from "../jobs/jobAttempt.ts";
import { findRevocationSince } from "../revocations/providerRevocations.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** Checks at the provider whether a revoke has ended a grant. */
export function startRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  if (connection === undefined || !mayHaveGrant(connection.status)) {
    record(world, job, connection ?? null, null);
    return;
  }
  const revocationsBefore = world.state.revocationCount;
  const result = readWithGrant(world, grantOfConnection(world, connection.id), "profile");
  job.run = { ...NOTHING_YET, step: "profile", failure: result.failure, revocationsBefore };
  scheduleJob(world, job, world.nowMs() + CALL_MS + result.delayMs);
}

export function resumeRecheck(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId) ?? null;
  const grant = grantOfConnection(world, job.connectionId);
  const failed = grant ? (job.run?.failure ?? failureAtEnd(providerGrantOf(world, grant))) : failure("grant_gone");
  record(world, job, connection, { fault: failed });
}

function record(world: World, job: Job, connection: Connection | null, call: RecheckCall | null): void {
  const revocation = connection && call && findRevocation(world, job, connection, call);
  const change = decideRecheck({ job, connection, call, revocation }, () => world.jitter(), world.now());
  if (connection !== null) Object.assign(connection, change.patch);
  applyJobChange(world, job, change.job);
  applyFollowUps(world, change.followUps);
}

function findRevocation(world: World, job: Job, connection: Connection, call: RecheckCall) {
  if (!isGrantAccepted(call)) return null;
  const keys = connectionRevocationKeys(connection, PROVIDER_TRAITS[connection.provider]);
  const found = findRevocationSince(world, keys, job.run?.revocationsBefore ?? 0);
  return found && { ...found, isJob: world.state.jobs.has(found.id) };
}
