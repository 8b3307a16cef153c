import type { ConnectionStatus } from "@social-connect/contract";
import { moveConnection, NO_READS } from "../connections/connection.ts";
import type { Change } from "../decisions/change.ts";

/** Updates the connection's grant, if it has one. */
export interface UpdateGrant {
  readonly type: "UPDATE_GRANT";
  readonly connectionId: string;
  readonly patch: { readonly status: "GONE"; readonly updatedAt: Date };
}

export interface AccessPatch {
  readonly status?: ConnectionStatus;
  readonly suspendedByJobId?: string | null;
  readonly appRemovedAt?: Date;
  readonly nextRetryAt?: null;
  readonly nextScanAt?: null;
  readonly nextProfileAt?: null;
  readonly revokeJobId?: string;
  readonly eraseJobId?: string;
  readonly updatedAt?: Date;
}

/** The provider reported that the connection's grant has ended. Only the person can reconnect it. */
export function decideGrantRevoked(
  connection: { readonly id: string; readonly status: ConnectionStatus },
  appRemoved: boolean,
  now: Date,
): Change<AccessPatch, UpdateGrant> {
  const event = connection.status === "SUSPENDED" ? "RECHECK_FAILED" : "GRANT_LOST";
  const status = moveConnection(connection.status, event);
  return {
    patch: {
      ...(status !== null && { status, suspendedByJobId: null }),
      ...(appRemoved && { appRemovedAt: now }),
      ...NO_READS,
      updatedAt: now,
    },
    followUps: [{ type: "UPDATE_GRANT", connectionId: connection.id, patch: { status: "GONE", updatedAt: now } }],
  };
}
