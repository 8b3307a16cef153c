import type { ConnectionStatus } from "@social-connect/contract";
import { type Refusal, refuse } from "../decisions/refusal.ts";

interface Transition {
  readonly from: readonly ConnectionStatus[];
  readonly to: ConnectionStatus;
}

/**
 * Every transition of a connection, by event. A connection is created CONNECTED with a COMPLETED attempt, and the erasure
 * deletes its row. The description only lists the states; the transitions are this project's choice.
 */
export const CONNECTION_TRANSITIONS = {
  /** The provider reports that the grant was revoked, or the refresh credential expired. */
  GRANT_LOST: { from: ["CONNECTED"], to: "RECONNECT_REQUIRED" },
  /** The provider refuses the token or the identity read for a day, with a code that we do not know. */
  CALLS_REFUSED: { from: ["CONNECTED"], to: "RECONNECT_REQUIRED" },
  /** The provider answers a requested read again. Only for a connection that CALLS_REFUSED ended. */
  CALLS_ANSWERED: { from: ["RECONNECT_REQUIRED"], to: "CONNECTED" },
  /** A sibling was disconnected, and giving its grant back may end this one. */
  SIBLING_REVOKE_STARTED: { from: ["CONNECTED"], to: "SUSPENDED" },
  RECHECK_PASSED: { from: ["SUSPENDED"], to: "CONNECTED" },
  RECHECK_FAILED: { from: ["SUSPENDED"], to: "RECONNECT_REQUIRED" },
  RECONNECTED: { from: ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED"], to: "CONNECTED" },
  DISCONNECT_REQUESTED: { from: ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED"], to: "DISCONNECTED" },
  ERASE_STARTED: { from: ["DISCONNECTED"], to: "DELETING" },
} as const satisfies Record<string, Transition>;

export type ConnectionEvent = keyof typeof CONNECTION_TRANSITIONS;

/** The status after `event`; null when the event cannot happen in `status`. */
export function moveConnection(status: ConnectionStatus, event: ConnectionEvent): ConnectionStatus | null {
  const transition: Transition = CONNECTION_TRANSITIONS[event];
  return transition.from.includes(status) ? transition.to : null;
}

/** A connection that the service no longer reads on a schedule. */
export const NO_READS = { nextRetryAt: null, nextScanAt: null, nextProfileAt: null } as const;

/** True from the disconnect on: access has stopped and only receipts follow. */
export function isDisconnected(status: ConnectionStatus): boolean {
  return status === "DISCONNECTED" || status === "DELETING";
}

/**
 * The target of a reconnect in the caller's scope: NOT_FOUND if it does not exist or is at another provider;
 * DISCONNECT_IN_PROGRESS from the disconnect until the row is erased (DELETING is listed too, so NOT_FOUND would be wrong).
 * Source: service description, parts 2 (ConnectInput) and 3 (rule 6).
 */
export function checkReconnectTarget(
  target: { readonly provider: string; readonly status: ConnectionStatus } | null,
  provider: string,
): Refusal | null {
  if (target === null || target.provider !== provider)
    return refuse("NOT_FOUND", "The connection to reconnect was not found.");
  if (isDisconnected(target.status))
    return refuse("DISCONNECT_IN_PROGRESS", "The connection to reconnect is being disconnected.");
  return null;
}

/**
 * The same target just before the attempt is stored: RECONNECT_REQUIRED if its status has changed since the check. Source: service description, part 4, createConnectSession.
 */
export function checkReconnectTargetUnchanged(
  checked: ConnectionStatus | null,
  current: ConnectionStatus | null,
): Refusal | null {
  return checked === current
    ? null
    : refuse("RECONNECT_REQUIRED", "The connection to reconnect has changed. Read it again.");
}
