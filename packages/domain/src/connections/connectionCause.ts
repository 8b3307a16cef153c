import {
  type ConnectionStatus,
  DISCONNECT_CODES,
  type DisconnectCode,
  RECONNECT_CODES,
  type ReconnectCode,
} from "@social-connect/contract";

/** Why a connection's posts are not read, as it is stored: what its status came from, or what its latest scan met. */
export const CONNECTION_CAUSES = [
  ...RECONNECT_CODES,
  "PERMISSION_MISSING",
  "NOT_ALLOWED",
  "REGISTRATION_PAUSED",
  "REGISTRATION_REFUSED",
  "PROVIDER_UNAVAILABLE",
  "RATE_LIMITED",
  "QUOTA",
  "SERVICE_FAULT",
  "SETTLING",
  ...DISCONNECT_CODES,
] as const;
export type ConnectionCause = (typeof CONNECTION_CAUSES)[number];

/** A cause as a list shows it and filters by it. */
export const SHOWN_CAUSES = [...CONNECTION_CAUSES, "NOT_RECORDED"] as const;
export type ShownCause = (typeof SHOWN_CAUSES)[number];

/** The columns of a cause. */
export interface CausePatch {
  readonly cause?: ConnectionCause | null;
  /** Since when it is the cause; null without one. */
  readonly causeSince?: Date | null;
}

/** The cause of a row; NOT_RECORDED for a reconnect that was needed before causes were stored. */
export function shownCause(connection: {
  readonly status: ConnectionStatus;
  readonly cause: string | null;
}): ShownCause | null {
  const stored = CONNECTION_CAUSES.find((cause) => cause === connection.cause);
  return stored ?? (connection.status === "RECONNECT_REQUIRED" ? "NOT_RECORDED" : null);
}

/** What a change of status stores. `code` says why it must be reconnected, or who ended it. */
export function causeOfStatus(
  before: ConnectionStatus,
  after: ConnectionStatus,
  code: ReconnectCode | DisconnectCode | null,
  now: Date,
): CausePatch {
  // An erasure has the cause of its disconnect.
  if (after === before || after === "DELETING") return {};
  const cause = after === "CONNECTED" ? null : after === "SUSPENDED" ? "SETTLING" : code;
  return { cause, causeSince: cause === null ? null : now };
}
