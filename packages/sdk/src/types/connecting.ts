import type { ConnectCreatorAction, ConnectSessionStatus, Open, SocialProvider } from "./enumerations.ts";

/** One answer of `connectSessionResult`, whatever its status. */
export interface ConnectResult {
  /** The id that `connect` gave. */
  readonly id: string;
  /** Where the account is that the person was to connect. */
  readonly provider: Open<SocialProvider>;
  /** How far the attempt is. */
  readonly status: ConnectSessionStatus;
  /** Why the attempt ended as it did, for example `USER_DENIED`. */
  readonly resultCode: string | null;
  /** The connection, once the attempt is COMPLETED. */
  readonly connectionId: string | null;
  /** What the person should do, where a consent was given that could not be given back. */
  readonly creatorAction: ConnectCreatorAction | null;
  /** The person has until then, 10 minutes after the start. ISO 8601. */
  readonly expiresAt: string;
  /** The result can be read until then, 24 hours after the start. ISO 8601. */
  readonly resultExpiresAt: string;
}

/** An attempt that led to a connection: a new one, or one that was there and has a new consent. */
export interface ConnectCompleted extends ConnectResult {
  /** Final. */
  readonly status: "COMPLETED";
  /** The connection. */
  readonly connectionId: string;
}

/** An attempt that led to nothing; `resultCode` says why. */
export interface ConnectNotCompleted extends ConnectResult {
  /** Final. */
  readonly status: "DENIED" | "FAILED" | "EXPIRED" | "CANCELED";
}

/** How an attempt can end. */
export type SettledConnectResult = ConnectCompleted | ConnectNotCompleted;
