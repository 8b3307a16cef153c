import type { ConnectCreatorAction, JobStatus } from "@social-connect/contract";
import { cancelReconnects } from "../connect/launch.ts";
import { moveConnection, NO_READS } from "../connections/connection.ts";
import type { Change } from "../decisions/change.ts";
import type { AccessPatch } from "../grants/grantRevoked.ts";
import { canceledJob } from "../jobs/outcome.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import type { GrantFollowUp } from "./followUps.ts";
import { revokeOutcome, upstreamRevocationPending } from "./revocation.ts";
import { connectionRevocationKeys } from "./revocationKeys.ts";
import { type ConnectionFacts, type GrantedConnection, siblingsOf } from "./siblings.ts";

/**
 * Stops access and creates the receipts, whose ids are given. If the provider can revoke other grants together with this
 * one, the connections with such grants are suspended until the revoke has settled, and the scope cannot connect there.
 * `null` if the connection is disconnected already. Source: service description, part 4, disconnectConnection.
 */
export function decideDisconnect(
  connection: ConnectionFacts,
  receiptIds: { readonly revoke: string; readonly erase: string },
  now: Date,
): Change<AccessPatch, GrantFollowUp> | null {
  const status = moveConnection(connection.status, "DISCONNECT_REQUESTED");
  if (status === null) return null;
  const { id: connectionId, applicationId, provider, suspendedByJobId } = connection;
  const traits = PROVIDER_TRAITS[provider];
  const { revoke, erase } = receiptIds;
  const isAppRemoved = connection.appRemovedAt !== null;
  const isRevoked = isAppRemoved || !traits.canRevoke;
  const ended = isRevoked
    ? {
        ...revokeOutcome(isAppRemoved ? "app-removed" : "unsupported"),
        nextRetryAt: null,
        waitReason: null,
        startedAt: now,
        finishedAt: now,
      }
    : null;
  const keys = connectionRevocationKeys(connection, traits);
  const revocation = { id: revoke, applicationId, provider, keys, endedAt: isRevoked ? now : null };
  return {
    patch: { status, ...NO_READS, suspendedByJobId: null, revokeJobId: revoke, eraseJobId: erase, updatedAt: now },
    followUps: [
      { type: "CANCEL_JOBS", connectionId, patch: canceledJob(now) },
      { type: "CREATE_RECEIPT", id: revoke, kind: "REVOKE", connection, ended },
      { type: "CREATE_RECEIPT", id: erase, kind: "ERASE", connection, ended: null },
      cancelReconnects(connectionId, "RECONNECT_TARGET_GONE", null),
      { type: "BEGIN_REVOCATION", revocation },
      ...(!isRevoked && traits.revokeAffectsSiblings ? [suspendSiblings(connection, revoke, now)] : []),
      ...(suspendedByJobId === null ? [] : [{ type: "DELETE_SETTLEMENT", revokeJobId: suspendedByJobId } as const]),
    ],
  };
}

function suspendSiblings(connection: GrantedConnection, revokeJobId: string, now: Date): GrantFollowUp {
  const { applicationId, provider, tenantKey, externalSubjectId } = connection;
  return {
    type: "SUSPEND",
    settlement: { revokeJobId, applicationId, provider, tenantKey, externalSubjectId, createdAt: now },
    connections: { ...siblingsOf(connection), status: "CONNECTED" },
    patch: { status: "SUSPENDED", suspendedByJobId: revokeJobId, updatedAt: now },
  };
}

export interface DisconnectResult {
  readonly accepted: true;
  readonly connectionId: string;
  readonly upstreamRevocationPending: boolean;
  readonly revokeJobId: string;
  readonly eraseJobId: string;
  readonly creatorAction: ConnectCreatorAction | null;
}

/** The response to every disconnect of a connection until it is erased, with the current state of its revoke receipt. */
export function disconnectResult(
  connection: { readonly id: string; readonly eraseJobId: string | null },
  revoke: { readonly id: string; readonly status: JobStatus; readonly creatorAction: ConnectCreatorAction | null },
): DisconnectResult {
  if (connection.eraseJobId === null) throw new Error("A disconnected connection has no erase receipt.");
  return {
    accepted: true,
    connectionId: connection.id,
    upstreamRevocationPending: upstreamRevocationPending(revoke.status),
    revokeJobId: revoke.id,
    eraseJobId: connection.eraseJobId,
    creatorAction: revoke.creatorAction,
  };
}
