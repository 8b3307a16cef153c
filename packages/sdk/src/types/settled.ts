import type { ConnectResult, IdpIdentityFields, SyncJob } from "../_generated/types.ts";

/** A connect attempt that created or renewed a connection. */
export interface ConnectCompleted extends ConnectResult {
  /** Final. */
  readonly status: "COMPLETED";
  /** The connection. */
  readonly connectionId: string;
}

/** A connect attempt that ended without a connection; `resultCode` says why. */
export interface ConnectNotCompleted extends ConnectResult {
  /** Final. */
  readonly status: "DENIED" | "FAILED" | "EXPIRED" | "CANCELED";
}

/** How a connect attempt can end. */
export type SettledConnectResult = ConnectCompleted | ConnectNotCompleted;

/** A job that succeeded. */
export interface SucceededJob extends SyncJob {
  /** Final. */
  readonly status: "SUCCEEDED";
}

/** A job that failed or was canceled; `errorCode` says why it failed. */
export interface UnsuccessfulJob extends SyncJob {
  /** Final. CANCELED when the connection was disconnected before the job finished. */
  readonly status: "FAILED" | "CANCELED";
}

/** How a job can end. */
export type SettledJob = SucceededJob | UnsuccessfulJob;

/** How a lookup can end. The post may still be unavailable; see `contentItem`. */
export type SettledLookup = (SucceededJob & { readonly resultProviderContentId: string }) | UnsuccessfulJob;

/** The user has signed in. */
export interface IdpIdentityCompleted extends IdpIdentityFields {
  /** Final: the proof is consumed. */
  readonly status: "COMPLETED";
  /** The URL of the identity provider. With `idpSub`, it identifies a user. */
  readonly issuer: string;
  /** The identity provider's stable id of the user. */
  readonly idpSub: string;
}

/** The user has not signed in, or not yet. A status that a later version of the service adds is passed on. */
export interface IdpIdentityNotCompleted extends IdpIdentityFields {
  /** PENDING leaves the proof valid; any other status has consumed it. */
  readonly status: "PENDING" | "DENIED" | "FAILED" | "EXPIRED";
  /** Null unless the user has signed in. */
  readonly issuer: string | null;
  /** Null unless the user has signed in. */
  readonly idpSub: string | null;
}

/** The result of a redeem. */
export type IdpIdentityResult = IdpIdentityCompleted | IdpIdentityNotCompleted;
