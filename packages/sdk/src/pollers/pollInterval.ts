/** How often to poll: quickly at first and after a change, then with increasing delays. */
export interface PollInterval {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
}

/** The user is on the provider's pages, or has just returned. */
export const CONNECT_INTERVAL: PollInterval = { firstMs: 1_000, factor: 1.3, longestMs: 5_000 };
export const JOB_INTERVAL: PollInterval = { firstMs: 500, factor: 1.6, longestMs: 10_000 };
/** A status this version does not know may last, and must never make a caller spin. */
export const UNKNOWN_PACE: PollInterval = { firstMs: 2_000, factor: 2, longestMs: 60_000 };

/** The longest delay until a time that the service names: clocks differ. */
const LONGEST_WAIT_MS = 15 * 60_000;

export interface Look {
  readonly pace: PollInterval;
  /** Consecutive polls without a change. */
  readonly unchanged: number;
  /** When the service itself will try again, in milliseconds since 1970. */
  readonly notBeforeMs: number | undefined;
  readonly nowMs: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export function nextLookMs({ pace, unchanged, notBeforeMs, nowMs, random }: Look): number {
  const steady = Math.min(pace.firstMs * pace.factor ** unchanged, pace.longestMs);
  const spread = steady * (0.8 + 0.4 * random);
  const named = notBeforeMs === undefined ? 0 : Math.min(notBeforeMs - nowMs, LONGEST_WAIT_MS);
  return Math.max(spread, named);
}
