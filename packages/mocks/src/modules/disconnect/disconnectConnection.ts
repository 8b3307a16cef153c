import type { SubjectScope } from "@social-connect/domain";
import {
  asUuid,
  checkSubjectScope,
  checkTenant,
  connectionRevocationKeys,
  immediateRevokeOutcome,
  isCancelable,
  isDisconnected,
  isInFlight,
  isSibling,
  moveConnection,
  PROVIDER_TRAITS,
  upstreamRevocationPending,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { moveAll } from "../connect/attempts.ts";
import { connectionNotFound } from "../connections/access.ts";
import { findConnectionOfScope } from "../connections/findConnection.ts";
import { enforce } from "../errors.ts";
import { recordRevocation } from "../grants/revocations.ts";
import { createJob } from "../jobs/createJob.ts";
import { cancelJob } from "../jobs/jobAttempt.ts";
import { reconcileRevokeSettlements } from "./settleRevoke.ts";

/**
 * Stops access immediately and starts the revoke and erase jobs; a repeated call returns the same jobs until the connection
 * is erased. Source: service description, part 4, disconnectConnection.
 */
export function disconnectConnection(world: World, { application }: Caller, scope: SubjectScope, connectionId: string) {
  enforce(checkSubjectScope(scope));
  enforce(checkTenant(application, scope.tenantKey, "NOT_FOUND"));
  const id = asUuid(connectionId);
  const connection = id === null ? null : findConnectionOfScope(world, application.id, scope, id);
  if (connection === null) throw connectionNotFound();
  if (!isDisconnected(connection.status)) endConnection(world, connection);
  const revoke = world.state.jobs.get(connection.revokeJobId ?? "");
  const { eraseJobId } = connection;
  if (revoke === undefined || eraseJobId === null) throw new Error("a disconnected connection lacks a job");
  return {
    accepted: true,
    connectionId: connection.id,
    upstreamRevocationPending: upstreamRevocationPending(revoke.status),
    revokeJobId: revoke.id,
    eraseJobId,
    creatorAction: revoke.creatorAction,
  };
}

/** Moves an active connection to DISCONNECTED, with its immediate effects. */
export function endConnection(world: World, connection: Connection): void {
  const status = moveConnection(connection.status, "DISCONNECT_REQUESTED");
  if (status === null) throw new Error(`a ${connection.status} connection cannot be disconnected`);
  const traits = PROVIDER_TRAITS[connection.provider];
  const now = world.now();
  const appRemoved = connection.appRemovedAt !== null;
  const immediate = immediateRevokeOutcome({ canRevoke: traits.canRevoke, appRemoved });
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && isCancelable(job.kind) && isInFlight(job.status)) cancelJob(world, job);
  }
  const ended = immediate && { ...immediate, startedAt: now, finishedAt: now };
  const revoke = createJob(world, connection, { kind: "REVOKE", background: false, ...(ended && { ended }) });
  const erase = createJob(world, connection, { kind: "ERASE", background: false });
  Object.assign(connection, {
    status,
    nextRetryAt: null,
    nextScanAt: null,
    nextProfileAt: null,
    suspendedByJobId: null,
    revokeJobId: revoke.id,
    eraseJobId: erase.id,
    updatedAt: now,
  } satisfies Partial<Connection>);
  const keys = connectionRevocationKeys(connection, traits);
  recordRevocation(world, { ...connection, id: revoke.id, keys }, { isEnded: immediate !== null });
  moveAll(world, "RECONNECT_TARGET_GONE", (attempt) => attempt.reconnectConnectionId === connection.id);
  if (immediate === null && traits.revokeAffectsSiblings) suspendSiblings(world, connection, revoke);
  reconcileRevokeSettlements(world);
}

/** Until the revoke has settled, the scope cannot connect at the provider, and its siblings are suspended. */
function suspendSiblings(world: World, connection: Connection, revoke: Job): void {
  const { applicationId, provider, tenantKey, externalSubjectId } = connection;
  const settlement = { revokeJobId: revoke.id, applicationId, provider, tenantKey, externalSubjectId };
  world.state.settlements.set(revoke.id, settlement);
  for (const other of world.state.connections.values()) {
    const status = isSibling(connection, other) ? moveConnection(other.status, "SIBLING_REVOKE_STARTED") : null;
    if (status === null) continue;
    Object.assign(other, { status, suspendedByJobId: revoke.id, updatedAt: world.now() } satisfies Partial<Connection>);
  }
}
