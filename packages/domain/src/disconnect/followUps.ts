import type { ConnectCreatorAction, ConnectionStatus, SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import type { CancelReconnects } from "../connect/launch.ts";
import type { Change } from "../decisions/change.ts";
import type { UpdateGrant } from "../grants/grantRevoked.ts";
import type { JobFollowUp, JobPatch } from "../jobs/outcome.ts";
import type { RevocationKey } from "./revocationKeys.ts";
import type { ConnectionFilter, GrantedConnection } from "./siblings.ts";

export interface EndedJob extends JobPatch {
  readonly creatorAction?: ConnectCreatorAction | null;
}

/** A revocation at a provider, in progress until `endedAt` is set. */
export interface NewRevocation {
  /** The id of the revoke job or of a failed attempt's grant, or a new id. */
  readonly id: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly keys: readonly RevocationKey[];
  readonly endedAt: Date | null;
}

/** While it exists, its scope cannot connect at the provider. */
export interface RevokeSettlement extends SubjectScope {
  readonly revokeJobId: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly createdAt: Date;
}

/** The end of an attempt at a job of a disconnect, or its retry. */
export interface JobEnd {
  readonly job: Change<EndedJob, JobFollowUp>;
  readonly followUps: readonly GrantFollowUp[];
}

/** The change of another record that follows from the end of a grant. */
export type GrantFollowUp =
  | UpdateGrant
  /** Creates a receipt. A queued one is enqueued. */
  | {
      readonly type: "CREATE_RECEIPT";
      readonly id: string;
      readonly kind: "REVOKE" | "ERASE";
      readonly connection: GrantedConnection;
      /** The result of a receipt that ends immediately; null for a queued receipt. */
      readonly ended: (EndedJob & { readonly startedAt: Date }) | null;
    }
  /** Cancels the connection's queued and running jobs, except receipts. */
  | { readonly type: "CANCEL_JOBS"; readonly connectionId: string; readonly patch: EndedJob }
  | CancelReconnects
  | { readonly type: "BEGIN_REVOCATION"; readonly revocation: NewRevocation }
  /** Ends the revocation if it is in progress. */
  | { readonly type: "END_REVOCATION"; readonly id: string }
  | {
      readonly type: "SUSPEND";
      readonly settlement: RevokeSettlement;
      readonly connections: ConnectionFilter;
      readonly patch: {
        readonly status: ConnectionStatus;
        readonly suspendedByJobId: string;
        readonly updatedAt: Date;
      };
    }
  /** Enqueues a re-check of each connection that has none queued or running. */
  | { readonly type: "RECHECK"; readonly connections: ConnectionFilter }
  /** Deletes the settlement if `isSettled`. */
  | { readonly type: "DELETE_SETTLEMENT"; readonly revokeJobId: string }
  /** Runs a queued erasure now. */
  | { readonly type: "RESUME_ERASURE"; readonly jobId: string };
