import type { ConnectCreatorAction, JobStatus } from "./enumerations.ts";

/** One answer of `syncJob`, whatever its status. */
export interface SyncJob {
  /** The job. Readable for 7 days after its end; receipts of a disconnect for 7 days after their creation. */
  readonly id: string;
  /** How far it is. */
  readonly status: JobStatus;
  /** When it is tried again, while it waits for that. ISO 8601. */
  readonly nextRetryAt: string | null;
  /** Why it failed, for example `UPSTREAM_RATE_LIMITED`. */
  readonly errorCode: string | null;
  /** On a revoke receipt: REMOVE_APP_AT_PROVIDER when the consent may still stand at the provider. */
  readonly creatorAction: ConnectCreatorAction | null;
  /** On a lookup that succeeded: the provider's id of the post. */
  readonly resultProviderContentId: string | null;
  /** On a scan: whether it has covered its window. */
  readonly completeForWindow: boolean | null;
  /** On a scan: why it has not. On a lookup: why the post that was found is not available. */
  readonly incompleteReason: string | null;
  /** On an incomplete scan that succeeded less than 24 hours ago: where to go on. `scanAll` does. */
  readonly continuationCursor: string | null;
}

/** A job that has done what it was to do. */
export interface SucceededJob extends SyncJob {
  /** Final. */
  readonly status: "SUCCEEDED";
}

/** A job that ended otherwise; `errorCode` says why it failed. */
export interface UnsuccessfulJob extends SyncJob {
  /** Final. CANCELED when the connection was disconnected meanwhile. */
  readonly status: "FAILED" | "CANCELED";
}

/** How a job can end. */
export type SettledJob = SucceededJob | UnsuccessfulJob;

/** How a lookup can end; a found post may still be unavailable, which `contentItem` then says. */
export type SettledLookup = (SucceededJob & { readonly resultProviderContentId: string }) | UnsuccessfulJob;

/** The service's answer to a disconnect: access is over. */
export interface DisconnectResult {
  /** True: the service has taken it on. */
  readonly accepted: boolean;
  /** The connection that was. */
  readonly connectionId: string;
  /** True until the revoke job has succeeded. */
  readonly upstreamRevocationPending: boolean;
  /** The job that gives the consent back at the provider. */
  readonly revokeJobId: string;
  /** The job that deletes what was stored. */
  readonly eraseJobId: string;
  /** What the person has to do; null does not prove that the revoke worked, its receipt does. */
  readonly creatorAction: ConnectCreatorAction | null;
}
