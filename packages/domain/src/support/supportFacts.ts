import type { Capability, ConnectionStatus, SocialProvider, SyncStatus } from "@social-connect/contract";
import type { ApplicationPolicy } from "../applications/policy.ts";
import type { RecheckFacts } from "../connections/connectionAccess.ts";
import type { JobKind, JobRow, WaitReason } from "../jobs/job.ts";
import type { CallRefusals } from "../refusals/callRefusals.ts";

/** What support may know of a job: states, codes, times and counts, never what it read. */
export interface SupportJob extends Pick<JobRow, "kind" | "status" | "nextRetryAt" | "createdAt" | "finishedAt"> {
  readonly id: string;
  readonly waitReason: WaitReason | null;
  readonly errorCode: string | null;
  readonly creatorAction: string | null;
  readonly incompleteReason: string | null;
  readonly startedAt: Date | null;
  /** Consecutive failures without progress. */
  readonly failures: number;
  /** Posts that a scan observed. */
  readonly itemsObserved: number;
  /** Rows that an erasure deleted, by table. */
  readonly deletedCounts: Readonly<Record<string, number>> | null;
}

export interface SupportedConnection {
  readonly status: ConnectionStatus;
  readonly syncStatus: SyncStatus;
  readonly tenantKey: string;
  readonly provider: SocialProvider;
  readonly capabilities: readonly Capability[];
  readonly lastSuccessfulSyncAt: Date | null;
  readonly nextRetryAt: Date | null;
  readonly nextScanAt: Date | null;
  readonly appRemovedAt: Date | null;
  readonly refusals: CallRefusals;
  readonly createdAt: Date;
}

/** The facts from which support sees why a connection's posts do not update. */
export interface SupportFacts {
  /** null once it is erased. */
  readonly connection: SupportedConnection | null;
  readonly application: ApplicationPolicy & { readonly hasActiveKey: boolean };
  readonly registration: {
    readonly status: NonNullable<RecheckFacts["registration"]>["status"];
    readonly servesApplication: boolean;
    readonly capabilities: readonly Capability[];
    readonly updatedAt: Date;
  } | null;
  readonly grant: {
    readonly active: boolean;
    readonly refreshExpiresAt: Date | null;
    readonly updatedAt: Date;
  } | null;
  /** Newest first; at least the newest of each kind. */
  readonly jobs: readonly SupportJob[];
}

export function latestJob({ jobs }: Pick<SupportFacts, "jobs">, kind: JobKind): SupportJob | null {
  return jobs.find((job) => job.kind === kind) ?? null;
}
