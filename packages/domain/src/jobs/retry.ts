import { addMs, hasPassed } from "../time/time.ts";
import type { JobKind } from "./job.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How a job is tried again: full jitter over a doubling range, because many jobs fail at the same moment. */
export const RETRY = {
  firstDelayMs: 2 * SECOND,
  /** Also the floor, so that jitter never means "at once". */
  minDelayMs: 1 * SECOND,
  maxDelayMs: 15 * MINUTE,
  /** A provider that asks for a longer wait (a daily quota) is not waited for beyond this. */
  maxRetryAfterMs: 24 * HOUR,
} as const;

interface RetryBounds {
  readonly maxFailures: number;
  readonly maxAgeMs: number;
  /** A retry that would fall after `maxAgeMs` is made at that moment instead of being dropped. */
  readonly lastTryAtEnd?: true;
}

/**
 * When a kind of job is given up: after so many failures without progress, or so long after its creation, whichever is
 * first. A revoke ends after 24 hours because the credential has to go by then. The re-checks that follow it have 7 days: a
 * grant that may be alive is not given up because its provider is down for a day. An erasure is never given up: it depends on
 * this service alone.
 */
export const RETRY_BOUNDS: Readonly<Record<JobKind, RetryBounds>> = {
  SCAN: { maxFailures: 8, maxAgeMs: 48 * HOUR },
  METRICS: { maxFailures: 8, maxAgeMs: 48 * HOUR },
  LOOKUP: { maxFailures: 8, maxAgeMs: 48 * HOUR },
  PROFILE: { maxFailures: 8, maxAgeMs: 48 * HOUR },
  // About 1,350 retries fit into the 7 days on average: the age ends it, not the count.
  RECHECK: { maxFailures: 10_000, maxAgeMs: 7 * 24 * HOUR, lastTryAtEnd: true },
  // About 200 fit into the 24 hours.
  REVOKE: { maxFailures: 1_000, maxAgeMs: 24 * HOUR },
  ERASE: { maxFailures: Number.POSITIVE_INFINITY, maxAgeMs: Number.POSITIVE_INFINITY },
};

export interface RetryOptions {
  /** What the provider asked for (RFC 9110, section 10.2.3); null when it did not say. */
  readonly retryAfterSeconds?: number | null;
  /** A number in [0, 1), e.g. of Math.random. */
  readonly random: number;
}

/**
 * Milliseconds to wait after a try failed in a way that may pass, `failures` being how many have by now without progress
 * between (the first is 1): somewhere in [1 s, 2 s · 2^(failures - 1)], at most 15 minutes. A provider's Retry-After is
 * obeyed by waiting that much longer, so never shorter than it asked, up to 24 hours in all.
 */
export function retryDelayMs(failures: number, { retryAfterSeconds, random }: RetryOptions): number {
  const ceiling = Math.min(RETRY.maxDelayMs, RETRY.firstDelayMs * 2 ** Math.max(0, failures - 1));
  const jittered = RETRY.minDelayMs + Math.floor(random * (ceiling - RETRY.minDelayMs));
  const asked = retryAfterSeconds != null && retryAfterSeconds > 0 ? retryAfterSeconds * SECOND : 0;
  return Math.min(asked + jittered, RETRY.maxRetryAfterMs);
}

/** When to try a job again after a failure that may pass; null when it is to be given up. */
export function nextRetryAt(
  job: { readonly kind: JobKind; readonly failures: number; readonly createdAt: Date },
  options: RetryOptions,
  now: Date,
): Date | null {
  const bounds = RETRY_BOUNDS[job.kind];
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
