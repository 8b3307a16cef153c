import {
  type Capability,
  type ConnectCreatorAction,
  type JobErrorCode,
  type JobStatus,
  LIMITS,
} from "@social-connect/contract";
import type { CallKind } from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";

interface RetryBounds {
  readonly maxFailures: number;
  readonly maxAgeMs: number;
  /** A retry that would be after `maxAgeMs` is made at that time instead of being dropped. */
  readonly lastTryAtEnd?: true;
}

interface JobTraits {
  /** Within a sentence, for audit entries and the panel. */
  readonly name: string;
  /** The capability that a read needs; null for a job that does not read content. */
  readonly needs: Capability | null;
  /** The provider call that it makes with the grant: what ends if the provider refuses it for good. */
  readonly call?: CallKind;
  /** The limits of its retries: consecutive failures without progress, and its age. */
  readonly retry: RetryBounds;
}

const HOUR = 3_600_000;
const READ_RETRY = { maxFailures: 8, maxAgeMs: 48 * HOUR };

/**
 * What a job does. Callers can request SCAN, METRICS and LOOKUP; the service starts PROFILE and RECHECK (whether a
 * suspended connection's grant still works); REVOKE and ERASE follow a disconnect. A revoke ends after 24 hours, because
 * the credential must be deleted by then. The re-checks that follow it have 7 days: an outage of a day must not end a grant
 * that may still be active. An erasure has no limit, because it depends only on this service.
 */
export const JOB_TRAITS = {
  SCAN: { name: "scan", needs: "CONTENT_LIST", call: "LIST", retry: READ_RETRY },
  METRICS: { name: "post metrics", needs: "CONTENT_METRICS", call: "METRICS", retry: READ_RETRY },
  LOOKUP: { name: "post lookup", needs: "CONTENT_LOOKUP", call: "LOOKUP", retry: READ_RETRY },
  PROFILE: { name: "profile", needs: "PROFILE", call: "ACCOUNT", retry: READ_RETRY },
  // About 1,350 retries fit into the 7 days on average: the age ends it, not the count.
  RECHECK: {
    name: "re-check",
    needs: null,
    call: "ACCOUNT",
    retry: { maxFailures: 10_000, maxAgeMs: 7 * 24 * HOUR, lastTryAtEnd: true },
  },
  // About 200 fit into the 24 hours.
  REVOKE: { name: "revoke", needs: null, retry: { maxFailures: 1_000, maxAgeMs: 24 * HOUR } },
  ERASE: {
    name: "erase",
    needs: null,
    retry: { maxFailures: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
  },
} as const satisfies Readonly<Record<string, JobTraits>>;
export type JobKind = keyof typeof JOB_TRAITS;
export const JOB_KINDS = Object.keys(JOB_TRAITS) as readonly JobKind[];

export type ReadJobKind = {
  [Kind in JobKind]: (typeof JOB_TRAITS)[Kind]["needs"] extends null ? never : Kind;
}[JobKind];

export function isReadKind(kind: JobKind): kind is ReadJobKind {
  return JOB_TRAITS[kind].needs !== null;
}

export function callOf(kind: JobKind): CallKind | null {
  const { call }: JobTraits = JOB_TRAITS[kind];
  return call ?? null;
}

export function retryBoundsOf(kind: JobKind): RetryBounds {
  return JOB_TRAITS[kind].retry;
}

/** The failures with which a read starts that the first failure ends. */
export const FAILURES_OF_SINGLE_ATTEMPT = READ_RETRY.maxFailures - 1;

/** Kinds that a caller can request, and that count against its limit. */
export const REQUESTED_JOB_KINDS = ["SCAN", "METRICS", "LOOKUP"] as const satisfies readonly JobKind[];
/** Kinds that `syncJob` reads. Source: service description, part 4. */
export const READABLE_JOB_KINDS = [...REQUESTED_JOB_KINDS, "REVOKE", "ERASE"] as const satisfies readonly JobKind[];

/**
 * What a QUEUED job waits for, or what a FAILED read could have waited for:
 * - `RATE_LIMITED`: the provider rejects calls until its limit ends
 * - `QUOTA`: our own call budget for the provider is used up, or the application's share of it
 * - `PROVIDER_UNAVAILABLE`: the provider does not respond, or not as it should
 * - `PAUSED`: the registration is paused, or the connection is suspended until a revoke settles
 * - `BEHIND_OTHER_WORK`: a free worker, or another job that has to end first
 * - `SERVICE_FAULT`: a fault of this service, its settings or its machine is resolved
 */
export const WAIT_REASONS = [
  "RATE_LIMITED",
  "QUOTA",
  "PROVIDER_UNAVAILABLE",
  "PAUSED",
  "BEHIND_OTHER_WORK",
  "SERVICE_FAULT",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

interface Transition {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
}

/** Every transition of a job, by event; a finished job stays finished. The transitions are this project's choice. */
export const JOB_TRANSITIONS = {
  STARTED: { from: ["QUEUED"], to: "RUNNING" },
  /** Its worker crashed, and another starts a new attempt. */
  TAKEN_OVER: { from: ["RUNNING"], to: "RUNNING" },
  SUCCEEDED: { from: ["RUNNING"], to: "SUCCEEDED" },
  FAILED: { from: ["RUNNING"], to: "FAILED" },
  /** It is retried at nextRetryAt. */
  RETRY_LATER: { from: ["RUNNING"], to: "QUEUED" },
  /** The connection was disconnected; never a revoke or erase job (see `isCancelable`). */
  CANCELED: { from: ["QUEUED", "RUNNING"], to: "CANCELED" },
} as const satisfies Record<string, Transition>;

export type JobEvent = keyof typeof JOB_TRANSITIONS;

/** The status after `event`; null when the event cannot happen in `status`. */
export function moveJob(status: JobStatus, event: JobEvent): JobStatus | null {
  const transition: Transition = JOB_TRANSITIONS[event];
  return transition.from.includes(status) ? transition.to : null;
}

export function isInFlight(status: JobStatus): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

/** Receipts are the two jobs that a disconnect leaves behind. */
export function isReceipt(kind: JobKind): boolean {
  return kind === "REVOKE" || kind === "ERASE";
}

export function isCancelable(kind: JobKind): boolean {
  return !isReceipt(kind);
}

/**
 * True while `syncJob` shows the job: a receipt for 7 days from its creation, regardless of the connection; any other
 * job while it is in flight and for 7 days after it finished. Source: service description, part 3, Job.
 */
export function jobIsReadable(
  job: { readonly kind: JobKind; readonly createdAt: Date; readonly finishedAt: Date | null },
  now: Date,
): boolean {
  const from = isReceipt(job.kind) ? job.createdAt : job.finishedAt;
  return from === null || !hasPassed(addMs(from, LIMITS.jobReadableMs), now);
}

export interface JobRow {
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly nextRetryAt: Date | null;
  readonly errorCode: JobErrorCode | null;
  readonly creatorAction: ConnectCreatorAction | null;
  readonly resultProviderContentId: string | null;
  readonly completeForWindow: boolean | null;
  readonly incompleteReason: string | null;
  readonly continuationCursor: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/**
 * A job as `syncJob` shows it at `now`; null after its retention (NOT_FOUND). Fields that do not belong to its kind or
 * status are null: nextRetryAt unless it waits, errorCode unless it failed or was canceled, the cursor unless it is a
 * successful incomplete scan younger than 24 hours. Source: service description, part 2, SyncJob.
 */
export function jobAsRead<T extends JobRow>(job: T, now: Date): T | null {
  if (!jobIsReadable(job, now)) return null;
  const succeeded = job.status === "SUCCEEDED";
  const isScan = job.kind === "SCAN";
  return {
    ...job,
    nextRetryAt: job.status === "QUEUED" ? job.nextRetryAt : null,
    errorCode: job.status === "FAILED" || job.status === "CANCELED" ? job.errorCode : null,
    creatorAction: job.kind === "REVOKE" ? job.creatorAction : null,
    resultProviderContentId: job.kind === "LOOKUP" && succeeded ? job.resultProviderContentId : null,
    completeForWindow: isScan && succeeded ? job.completeForWindow : null,
    incompleteReason: (isScan || job.kind === "LOOKUP") && succeeded ? job.incompleteReason : null,
    continuationCursor: isContinuable(job, now) ? job.continuationCursor : null,
  };
}

/** True for a scan that succeeded, did not cover its window, and ended less than 24 hours ago. */
export function isContinuable(
  job: Pick<JobRow, "kind" | "status" | "completeForWindow" | "finishedAt">,
  now: Date,
): boolean {
  if (job.kind !== "SCAN" || job.status !== "SUCCEEDED" || job.completeForWindow !== false) return false;
  return job.finishedAt !== null && !hasPassed(addMs(job.finishedAt, LIMITS.continuationCursorMs), now);
}
