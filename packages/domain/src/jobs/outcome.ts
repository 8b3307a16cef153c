import type { JobErrorCode, JobStatus, ReconnectCode, ScanIncompleteReason } from "@social-connect/contract";
import { SYNC_STATUS_AFTER } from "../connections/syncStatus.ts";
import { countItems } from "../content/scanItems.ts";
import type { Change } from "../decisions/change.ts";
import { endsConnection, type RegistrationCalls } from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";
import { type BackgroundDates, nextAfterLimit, nextScanAfterLimit, shouldLeaveToSchedule } from "./backgroundReads.ts";
import { causeOfScan } from "./causeOfScan.ts";
import { JOB_TRANSITIONS, type JobKind, moveJob, type WaitReason } from "./job.ts";
import {
  type ConnectionPatch,
  decideCalls,
  NOTHING_KNOWN,
  type ReadConnectionFacts,
  type RegistrationChange,
} from "./readCalls.ts";
import {
  decideRetry,
  type ProviderFault,
  type RetriedJob,
  type Retry,
  retryDelayMs,
  shareLentAt,
  waitReasonOf,
} from "./retry.ts";

export interface JobPatch {
  readonly status: JobStatus;
  readonly nextRetryAt: Date | null;
  readonly waitReason: WaitReason | null;
  readonly failures?: number;
  readonly errorCode?: JobErrorCode | null;
  readonly finishedAt?: Date;
}

/** A state that waiting does not change is believed when the provider confirms it this much later. */
const CONFIRM_UNREADABLE_MS = 3_600_000;

export type JobFollowUp =
  | { readonly type: "CHANGE_CONNECTION"; readonly patch: ConnectionPatch }
  | ({ readonly type: "CHANGE_REGISTRATION" } & RegistrationChange)
  | { readonly type: "MARK_GRANT_REVOKED"; readonly appRemoved: boolean; readonly code: ReconnectCode }
  | { readonly type: "RUN_JOB"; readonly at: Date };

/** Why a connection whose grant has ended must be reconnected. */
export function grantEndCode(appRemoved: boolean): ReconnectCode {
  return appRemoved ? "AUTHORIZATION_REMOVED" : "GRANT_ENDED";
}

export const QUEUED_JOB = { status: "QUEUED", waitReason: "BEHIND_OTHER_WORK" } as const;

interface StartedPatch extends JobPatch {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly coveredSince?: Date;
}

/** Starts an attempt at a job that is due; null when the job has finished. */
export function decideStart(
  job: {
    readonly kind: JobKind;
    readonly status: JobStatus;
    readonly attempt: number;
    readonly failures: number;
    readonly startedAt: Date | null;
    /** A scan that continues at a position of the listing. */
    readonly hasCursor: boolean;
  },
  connection: { readonly status: string } | null,
  now: Date,
): Change<StartedPatch, JobFollowUp> | null {
  const isTakenOver = job.status === "RUNNING";
  const status = moveJob(job.status, isTakenOver ? "TAKEN_OVER" : "STARTED");
  if (status === null) return null;
  const isScan = job.kind === "SCAN";
  return {
    patch: {
      status,
      attempt: job.attempt + 1,
      // A crashed worker counts as a failure, so that a job that crashes its workers fails eventually.
      failures: job.failures + (isTakenOver ? 1 : 0),
      nextRetryAt: null,
      waitReason: null,
      startedAt: job.startedAt ?? now,
      // A scan with progress keeps the start of its coverage; a scan without progress restarts it.
      ...(isScan && !job.hasCursor && { coveredSince: now }),
    },
    followUps:
      isScan && connection?.status === "CONNECTED"
        ? [
            changeConnection(
              { syncStatus: SYNC_STATUS_AFTER.SCAN_STARTED, scanErrorCode: null, nextRetryAt: null },
              now,
            ),
          ]
        : [],
  };
}

export function succeededJob(now: Date) {
  return finished("SUCCEEDED", null, null, now);
}

export function failedJob(errorCode: JobErrorCode, now: Date, waitReason: WaitReason | null = null) {
  return finished("FAILED", errorCode, waitReason, now);
}

export function canceledJob(now: Date) {
  return finished("CANCELED", "DISCONNECTED", null, now);
}

function finished(
  event: "SUCCEEDED" | "FAILED" | "CANCELED",
  errorCode: JobErrorCode | null,
  waitReason: WaitReason | null,
  now: Date,
) {
  const { to: status } = JOB_TRANSITIONS[event];
  return { status, errorCode, nextRetryAt: null, waitReason, finishedAt: now } satisfies JobPatch;
}

/**
 * How a read ended. The columns that it observed are the caller's, who stores them with the change. `isRevived`: before it, the
 * provider returned the account of a connection that refusals had ended. `refusedCall`: a refusal that did not interrupt it.
 */
export type ReadOutcome = { readonly isRevived?: boolean; readonly refusedCall?: ProviderFault | null } & (
  | { readonly outcome: "succeeded"; readonly scan?: ScanEnd }
  | { readonly outcome: "failed"; readonly errorCode: JobErrorCode }
  /** A call failed; the results of earlier calls are stored. `hasProgress`: this or an earlier attempt listed posts. */
  | { readonly outcome: "interrupted"; readonly fault: ProviderFault; readonly hasProgress?: boolean }
);

interface ScanEnd {
  /** null if the scan covered its window. */
  readonly incompleteReason: ScanIncompleteReason | null;
  /** The limit that stopped it early. */
  readonly limit: ProviderFault | null;
}

type Observed = Parameters<typeof countItems>[0][number];

/**
 * The result of a scan that listed these posts. After a fault, the next attempt continues where this one stopped. A background
 * scan at a rate limit ends instead, because its job prevents callers from scanning another window; the schedule continues it.
 */
export function scanResult<Listed extends Observed>(
  job: { readonly itemsObserved: number; readonly background: boolean },
  listing: {
    readonly observed: readonly Listed[];
    readonly incompleteReason: ScanIncompleteReason | null;
    readonly fault: ProviderFault | null;
  },
) {
  const { observed, fault } = listing;
  const itemsObserved = job.itemsObserved + countItems(observed);
  const hasProgress = job.itemsObserved + observed.length > 0;
  const incompleteReason = fault === null ? listing.incompleteReason : "UPSTREAM_RATE_LIMITED";
  const columns = { itemsObserved, completeForWindow: incompleteReason === null, incompleteReason };
  if (fault !== null && !(fault.kind === "rate_limited" && hasProgress && job.background)) {
    // The columns of completeness show only if the job ends at the limit.
    return { outcome: "interrupted", fault, hasProgress, observed, job: columns } as const;
  }
  return { outcome: "succeeded", scan: { incompleteReason, limit: fault }, observed, job: columns } as const;
}

/**
 * What the outcome of a read changes. `random` draws a number in [0, 1) for a retry. `registration` is
 * needed after a refusal, and while the registration or the connection has one.
 */
export function decideReadOutcome(
  job: RetriedJob,
  connection: ReadConnectionFacts,
  result: ReadOutcome & { readonly observed?: readonly unknown[] },
  random: () => number,
  now: Date,
  registration: RegistrationCalls = NOTHING_KNOWN,
): Change<JobPatch, JobFollowUp> {
  const calls = decideCalls(job, connection, result, random, now, registration);
  const changed = calls.registration === null ? [] : [{ type: "CHANGE_REGISTRATION", ...calls.registration } as const];
  const isRegistrationRefused = calls.refused?.verdict === "REGISTRATION";
  const cause = job.kind === "SCAN" ? causeOfScan(connection, result, isRegistrationRefused, now) : {};
  const fail = (
    errorCode: JobErrorCode,
    waitReason: WaitReason | null = null,
    columns: Omit<ConnectionPatch, "updatedAt"> = {},
    ...before: readonly JobFollowUp[]
  ) => {
    const failedScan = { syncStatus: SYNC_STATUS_AFTER.SCAN_FAILED, scanErrorCode: errorCode, nextRetryAt: null };
    const patch = { ...(job.kind === "SCAN" && failedScan), ...cause, ...calls.columns, ...columns };
    const isUnchanged = Object.keys(patch).length === 0;
    const followUps = [...before, ...changed];
    return {
      patch: failedJob(errorCode, now, waitReason),
      followUps: isUnchanged ? followUps : [...followUps, changeConnection(patch, now)],
    };
  };
  const wait = (retry: Retry, columns: Omit<ConnectionPatch, "updatedAt"> = {}) => {
    const change = decideWait(job, retry, now, { ...cause, ...calls.columns, ...columns });
    return { ...change, followUps: [...changed, ...change.followUps] };
  };
  if (result.outcome === "failed") {
    return fail(result.errorCode, result.errorCode === "AUTHORIZATION_SUSPENDED" ? "PAUSED" : null);
  }
  if (result.outcome === "succeeded") {
    const patch = {
      ...cause,
      ...calls.columns,
      ...(result.scan !== undefined && afterScan(job, connection, result.scan, random, now)),
      ...(connection.unreadableSince !== null && { unreadableSince: null }),
    };
    const isChanged = job.kind === "SCAN" || job.kind === "PROFILE" || Object.keys(patch).length > 0;
    return {
      patch: { ...succeededJob(now), failures: 0 },
      followUps: [...changed, ...(isChanged ? [changeConnection(patch, now)] : [])],
    };
  }
  const { fault, observed = [] } = result;
  if (calls.refused?.verdict === "ENDED") {
    const { kind } = calls.refused;
    return fail(endsConnection(kind) ? "RECONNECT_REQUIRED" : "UPSTREAM_UNAVAILABLE", waitReasonOf(fault));
  }
  // Refused for most connections, it is an outage.
  switch (isRegistrationRefused ? "application_refused" : fault.kind) {
    case "grant_gone": {
      const { appRemoved } = fault;
      const end = { type: "MARK_GRANT_REVOKED", appRemoved, code: grantEndCode(appRemoved) } as const;
      return fail("RECONNECT_REQUIRED", null, {}, end);
    }
    case "scope_missing":
      return fail("CAPABILITY_UNAVAILABLE");
    case "account_unreadable": {
      const since = connection.unreadableSince ?? now;
      const confirmAt = addMs(since, CONFIRM_UNREADABLE_MS);
      if (hasPassed(confirmAt, now)) {
        const end = { type: "MARK_GRANT_REVOKED", appRemoved: false, code: "ACCOUNT_UNREADABLE" } as const;
        return fail("RECONNECT_REQUIRED", null, { unreadableSince: null }, end);
      }
      const retry = { at: confirmAt, failures: job.failures, waitReason: waitReasonOf(fault) } as const;
      return wait(retry, { unreadableSince: since });
    }
    case "rejected":
      return fail("UPSTREAM_UNAVAILABLE");
    case "access_expired":
    case "rate_limited":
    case "internal":
    case "unavailable":
    case "application_refused": {
      const isLimited = fault.kind === "rate_limited";
      const retry = decideRetry(job, fault, random(), now, observed.length > 0);
      const waitReason = waitReasonOf(fault);
      if (retry === null && isLimited && result.hasProgress) {
        const scan = { incompleteReason: "UPSTREAM_RATE_LIMITED", limit: fault } as const;
        const patch = { ...cause, ...calls.columns, ...afterScan(job, connection, scan, random, now) };
        return { patch: succeededJob(now), followUps: [...changed, changeConnection(patch, now)] };
      }
      const leftAt = isLimited && shareLentAt(fault) === null ? (retry?.at ?? endOfLimit(fault, now)) : null;
      if (leftAt !== null && (retry === null ? job.background : shouldLeaveToSchedule(job, leftAt, now))) {
        const { patch, followUps } = fail("UPSTREAM_RATE_LIMITED", waitReason, nextAfterLimit(job, connection, leftAt));
        // The end of an incident moves up only reads without a time.
        return { patch: { ...patch, nextRetryAt: leftAt }, followUps };
      }
      if (retry === null) return fail(isLimited ? "UPSTREAM_RATE_LIMITED" : "UPSTREAM_UNAVAILABLE", waitReason);
      return wait(retry);
    }
  }
}

/** When the provider said that its limit ends, for a read without another attempt; null if it did not. */
function endOfLimit({ quotaWindow, retryAfterSeconds }: ProviderFault, now: Date): Date | null {
  if (quotaWindow !== undefined || retryAfterSeconds === null) return null;
  return addMs(now, retryDelayMs(1, { retryAfterSeconds, random: 0 }));
}

/** Queues a read for a retry. The connection of a scan shows when. */
export function decideWait(
  job: { readonly kind: JobKind },
  retry: Retry,
  now: Date,
  columns: Omit<ConnectionPatch, "updatedAt"> = {},
): Change<JobPatch, JobFollowUp> {
  const { at, failures, waitReason } = retry;
  const runJob = { type: "RUN_JOB", at } as const;
  const failedScan = { syncStatus: SYNC_STATUS_AFTER.SCAN_FAILED, nextRetryAt: at };
  const patch = { ...(job.kind === "SCAN" && failedScan), ...columns };
  return {
    patch: { status: JOB_TRANSITIONS.RETRY_LATER.to, nextRetryAt: at, waitReason, failures },
    followUps: Object.keys(patch).length > 0 ? [changeConnection(patch, now), runJob] : [runJob],
  };
}

function afterScan(
  job: RetriedJob,
  connection: BackgroundDates,
  { incompleteReason, limit }: ScanEnd,
  random: () => number,
  now: Date,
): Omit<ConnectionPatch, "updatedAt"> {
  // No caller continues a background scan, so the schedule does after the limit ends.
  const retry = limit !== null && job.background ? decideRetry(job, limit, random(), now, true) : null;
  return {
    syncStatus: incompleteReason === null ? SYNC_STATUS_AFTER.SCAN_COVERED : SYNC_STATUS_AFTER.SCAN_STOPPED_EARLY,
    scanErrorCode: null,
    lastSuccessfulSyncAt: now,
    nextRetryAt: null,
    ...(retry !== null && { nextScanAt: nextScanAfterLimit(connection, retry.at) }),
  };
}

function changeConnection(patch: Omit<ConnectionPatch, "updatedAt">, now: Date): JobFollowUp {
  return { type: "CHANGE_CONNECTION", patch: { ...patch, updatedAt: now } };
}
