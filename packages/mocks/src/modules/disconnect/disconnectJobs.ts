import {
  connectionRevocationKeys,
  decideErasureEnd,
  decideErasureStart,
  decideRecheck,
  decideRevokeAttempt,
  isGrantAccepted,
  isReceipt,
  isReceiptEvent,
  mayHaveGrant,
  PROVIDER_TRAITS,
  type RecheckCall,
  type RevokeResult,
  refusedCallOf,
} from "@social-connect/domain";
import { NOTHING_YET } from "../../state/jobRun.ts";
import { type CallFailure, failure } from "../../state/providerCall.ts";
import type { Connection, Job } from "../../state/state.ts";
import { failureAtEnd } from "../../upstream/calls.ts";
import { deleteWhere } from "../../util/deleteWhere.ts";
import type { World } from "../../world/world.ts";
import { deleteEvents } from "../events/endDeliveries.ts";
import { patchConnection } from "../events/recordEvents.ts";
import { grantOfConnection, providerGrantOf, readWithGrant, revokeGrant } from "../grants/grants.ts";
import { readOthersSoon, registrationCalls } from "../jobs/callRefusals.ts";
import { applyJobChange, CALL_MS, retryLater, scheduleJob, succeed } from "../jobs/jobAttempt.ts";
import { findRevocationSince } from "../revocations/providerRevocations.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** Deletes content and profile. The credential and the connection are deleted after the revoke has settled. */
export function startErase(world: World, job: Job): void {
  const connection = world.state.connections.get(job.connectionId);
  const change = connection && decideErasureStart(connection, world.now());
  if (connection && change) Object.assign(connection, change.patch);
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
  }
  // The receipt's event names the subject.
  succeed(world, job);
  if (connection !== undefined) deleteRest(world, connection, job.createdAt);
}

function deleteRest(world: World, connection: Connection, disconnectedAt: Date): void {
  const { id } = connection;
  world.state.grants.delete(grantOfConnection(world, id)?.id ?? "");
  deleteWhere(world.state.jobs, ({ connectionId, kind }) => connectionId === id && !isReceipt(kind));
  // A completed attempt keeps its connectionId, like the receipts: the id does not identify the account.
  for (const attempt of world.state.connectAttempts.values()) {
    if (attempt.reconnectConnectionId === id) attempt.reconnectConnectionId = null;
  }
  const keys = ["applicationId", "tenantKey", "externalSubjectId", "provider"] as const;
  deleteEvents(world, (event) => {
    // Also those of the user's attempts at the provider from before the disconnect.
    const isOfAttempt = event.connectionId === null && event.occurredAt <= disconnectedAt;
    const isErased = event.connectionId === id || (isOfAttempt && keys.every((key) => event[key] === connection[key]));
    return isErased && !isReceiptEvent(event);
  });
  world.state.content.delete(id);
  world.state.connections.delete(id);
}

export function startRevoke(world: World, job: Job): void {
  job.run = { ...NOTHING_YET, step: "revoke", failure: null };
  scheduleJob(world, job, world.nowMs() + CALL_MS);
}

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
  const facts = connection && { ...connection, profileObservedAt: connection.profile?.observedAt ?? null };
  const registration = connection === null ? undefined : registrationCalls(world, connection);
  const change = decideRecheck(
    { job, connection: facts, call, revocation, registration },
    () => world.jitter(),
    world.now(),
  );
  if (connection !== null) patchConnection(world, connection, change.patch, change.code);
  applyJobChange(world, job, change.job);
  applyFollowUps(world, change.followUps);
  const fault = call?.fault ?? null;
  if (connection !== null && fault !== null && refusedCallOf(job, fault) !== null) readOthersSoon(world, connection);
}

function findRevocation(world: World, job: Job, connection: Connection, call: RecheckCall) {
  if (!isGrantAccepted(call)) return null;
  const keys = connectionRevocationKeys(connection, PROVIDER_TRAITS[connection.provider]);
  const found = findRevocationSince(world, keys, job.run?.revocationsBefore ?? 0);
  return found && { ...found, isJob: world.state.jobs.has(found.id) };
}
