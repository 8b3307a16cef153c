/** When to refresh a connection next; pure functions, so that each rule can be tested. Times in milliseconds. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The first delay after a failure; each further one doubles it. */
const FIRST_BACKOFF_MS = MINUTE_MS;
const LONGEST_BACKOFF_MS = 6 * HOUR_MS;
/** Part of the interval by which a refresh may come earlier, so that what began together spreads out. */
const SPREAD = 0.2;

/** A time one interval from now, up to a fifth of it earlier. `random`: from 0 up to 1. */
export function nextRefreshMs(nowMs: number, intervalMs: number, random: number): number {
  return Math.round(nowMs + intervalMs * (1 - SPREAD * random));
}

/** A time after a failure: doubling, with full jitter, and never before the service said that it makes sense. */
export function nextTryMs(nowMs: number, failures: number, random: number, retryAfterSeconds?: number): number {
  const ceilingMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 20), LONGEST_BACKOFF_MS);
  return Math.round(nowMs + Math.max(ceilingMs * random, (retryAfterSeconds ?? 0) * 1_000));
}
