import type { QuotaWindow } from "../providers/quotaWindow.ts";
import type { CallKind } from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";
import { type JobKind, retryBoundsOf, type WaitReason } from "./job.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** In the first minutes of a quota window, background reads are retried. */
const SPREAD_MS = 20 * MINUTE;

/** The delays of retries: full jitter over a doubling range, because many jobs fail at the same time. */
export const RETRY = {
  firstDelayMs: 2 * SECOND,
  /** Also the minimum, so that jitter never means an immediate retry. */
  minDelayMs: 1 * SECOND,
  maxDelayMs: 15 * MINUTE,
  /** The longest wait, even if a provider asks for a longer one (a daily quota). */
  maxRetryAfterMs: 24 * HOUR,
} as const;

export interface RetryOptions {
  /** The provider's Retry-After (RFC 9110, section 10.2.3); null without one. */
  readonly retryAfterSeconds?: number | null;
  /** A number in [0, 1). */
  readonly random: number;
}

/**
 * Milliseconds to wait after a transient failure, in [1 s, 2 s · 2^(failures - 1)] and at most 15 minutes. `failures` counts
 * consecutive failures without progress, this one included. A provider's Retry-After is added to the delay, so the wait is
 * never shorter than it asks for, up to 24 hours in all.
 */
export function retryDelayMs(failures: number, { retryAfterSeconds, random }: RetryOptions): number {
  const ceiling = Math.min(RETRY.maxDelayMs, RETRY.firstDelayMs * 2 ** Math.max(0, failures - 1));
  const jittered = RETRY.minDelayMs + Math.floor(random * (ceiling - RETRY.minDelayMs));
  const asked = retryAfterSeconds != null && retryAfterSeconds > 0 ? retryAfterSeconds * SECOND : 0;
  return Math.min(asked + jittered, RETRY.maxRetryAfterMs);
}

/** When to retry a job after a transient failure; null to give up. */
export function nextRetryAt(
  job: { readonly kind: JobKind; readonly failures: number; readonly createdAt: Date },
  options: RetryOptions,
  now: Date,
): Date | null {
  const bounds = retryBoundsOf(job.kind);
  if (job.failures >= bounds.maxFailures) return null;
  const at = addMs(now, retryDelayMs(job.failures, options));
  if (!Number.isFinite(bounds.maxAgeMs)) return at;
  const end = addMs(job.createdAt, bounds.maxAgeMs);
  if (!hasPassed(end, at)) return at;
  if (bounds.lastTryAtEnd === undefined || hasPassed(end, now)) return null;
  // A provider's Retry-After is obeyed even then.
  const earliest = addMs(now, retryDelayMs(job.failures, { ...options, random: 0 }));
  return new Date(Math.max(earliest.getTime(), end.getTime()));
}

export interface ProviderFault {
  readonly kind:
    | "grant_gone"
    | "access_expired"
    | "scope_missing"
    | "account_unreadable"
    | "rate_limited"
    | "unavailable"
    | "application_refused"
    | "rejected"
    /** A fault of this service, its settings or its machine: the provider has nothing to do with it. */
    | "internal";
  readonly retryAfterSeconds: number | null;
  /** The provider reports that the person removed the app. */
  readonly appRemoved: boolean;
  /** Set if no call was made, because this window of our own call budget is used up, or the application's share of it. */
  readonly quotaWindow?: QuotaWindow;
  /** Set if only the application's share is used up: when it may take a unit again, at the latest with the next window. */
  readonly shareFreeAt?: Date;
  /** The provider's error response; null or absent without one. */
  readonly refusal?: { readonly status: number; readonly code: string | null; readonly message: string | null } | null;
  /** The kind of the failed call, if it differs from that of the job. */
  readonly call?: CallKind | undefined;
  /** For the log. */
  readonly message?: string;
}

export interface RetriedJob {
  readonly kind: JobKind;
  readonly background: boolean;
  readonly failures: number;
  readonly createdAt: Date;
}

export interface Retry {
  readonly at: Date;
  readonly failures: number;
  readonly waitReason: WaitReason;
}

export function waitReasonOf({ kind, quotaWindow }: Pick<ProviderFault, "kind" | "quotaWindow">): WaitReason {
  if (quotaWindow !== undefined) return "QUOTA";
  if (kind === "internal") return "SERVICE_FAULT";
  return kind === "rate_limited" ? "RATE_LIMITED" : "PROVIDER_UNAVAILABLE";
}

/** If only the application's share is used up, and it may take a unit before the window ends: when. */
export function shareLentAt({
  quotaWindow,
  shareFreeAt,
}: Pick<ProviderFault, "quotaWindow" | "shareFreeAt">): Date | null {
  if (quotaWindow === undefined || shareFreeAt === undefined) return null;
  return shareFreeAt < quotaWindow.endsAt ? shareFreeAt : null;
}

/**
 * When to retry a job after a transient fault; null to give up. A call that exceeds our quota is not a failure: it does not
 * concern the provider, and the next quota window bounds the wait. `random` is in [0, 1).
 */
export function decideRetry(
  job: RetriedJob,
  fault: Pick<ProviderFault, "kind" | "quotaWindow" | "shareFreeAt" | "retryAfterSeconds">,
  random: number,
  now: Date,
  progressed = false,
): Retry | null {
  const { kind, createdAt } = job;
  const { kind: kindOfFault, quotaWindow, retryAfterSeconds } = fault;
  const waitReason = waitReasonOf(fault);
  const before = progressed ? 0 : job.failures;
  if (quotaWindow === undefined) {
    // Only the age of the job ends its wait for an operator.
    const most = kindOfFault === "internal" ? retryBoundsOf(kind).maxFailures - 1 : Number.POSITIVE_INFINITY;
    const failures = Math.min(before + 1, most);
    const at = nextRetryAt({ kind, failures, createdAt }, { retryAfterSeconds, random }, now);
    return at && { at, failures, waitReason };
  }
  const nextWindow = afterQuota(job, quotaWindow, random);
  const lentAt = shareLentAt(fault);
  const at = lentAt === null ? nextWindow : afterShare(job, lentAt, { nextWindow, now }, random);
  const { maxAgeMs } = retryBoundsOf(kind);
  if (Number.isFinite(maxAgeMs) && hasPassed(addMs(createdAt, maxAgeMs), at)) return null;
  return { at, failures: before, waitReason };
}

/**
 * Requested reads are retried first; background reads are spread over the begin of the next window, to avoid a burst.
 * Users wait for a re-check, although it is a background job.
 */
function afterQuota(job: RetriedJob, { start, endsAt }: QuotaWindow, random: number): Date {
  const spreadMs = isSpread(job) ? Math.min(endsAt.getTime() - start.getTime(), SPREAD_MS) : SECOND;
  return addMs(endsAt, SECOND + Math.floor(random * spreadMs));
}

/**
 * When the application may take a unit again, but at least a minute from now, because all its waiting jobs compete for the
 * few units that are lent by then. The next window ends the wait.
 */
function afterShare(
  job: RetriedJob,
  lentAt: Date,
  { nextWindow, now }: { readonly nextWindow: Date; readonly now: Date },
  random: number,
): Date {
  const earliest = Math.max(lentAt.getTime(), now.getTime() + MINUTE);
  const at = earliest + Math.floor(random * (isSpread(job) ? HOUR : MINUTE));
  return new Date(Math.min(at, nextWindow.getTime()));
}

function isSpread({ kind, background }: RetriedJob): boolean {
  return background && kind !== "RECHECK";
}
