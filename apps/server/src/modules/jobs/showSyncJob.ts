import type { ConnectCreatorAction, JobErrorCode, JobStatus } from "@social-connect/contract";
import { jobAsRead } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import type { SecretBox } from "../../platform/secretBox.ts";
import { continuationCursorOf } from "./continuationCursor.ts";

export interface SyncJobShown {
  readonly id: string;
  readonly status: JobStatus;
  readonly nextRetryAt: Date | null;
  readonly errorCode: JobErrorCode | null;
  readonly creatorAction: ConnectCreatorAction | null;
  readonly resultProviderContentId: string | null;
  readonly completeForWindow: boolean | null;
  readonly incompleteReason: string | null;
  readonly continuationCursor: string | null;
}

/** The columns that `showSyncJob` needs. */
export type ShowableJob = Pick<
  Job,
  | "id"
  | "connectionId"
  | "kind"
  | "status"
  | "nextRetryAt"
  | "errorCode"
  | "creatorAction"
  | "resultProviderContentId"
  | "completeForWindow"
  | "incompleteReason"
  | "providerCursor"
  | "createdAt"
  | "finishedAt"
>;

/** null for a job after its retention period. */
export function showSyncJob(secretBox: SecretBox, job: ShowableJob, now: Date): SyncJobShown | null {
  // The column is text, and is written only from this union.
  const errorCode = job.errorCode as JobErrorCode | null;
  return jobAsRead({ ...job, errorCode, continuationCursor: continuationCursorOf(secretBox, job, now) }, now);
}
