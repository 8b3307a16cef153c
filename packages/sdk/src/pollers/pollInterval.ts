/** How often to poll: quickly at first and after a change, then with increasing delays. */
export interface PollInterval {
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
}

/** The user is on the provider's pages, or has just returned. */
export const CONNECT_INTERVAL: PollInterval = { firstMs: 1_000, factor: 1.3, longestMs: 5_000 };
export const JOB_INTERVAL: PollInterval = { firstMs: 500, factor: 1.6, longestMs: 10_000 };
/** An unknown status may last long, so it is polled slowly. */
export const UNKNOWN_STATUS_INTERVAL: PollInterval = { firstMs: 2_000, factor: 2, longestMs: 60_000 };

/** Limits the delay until a time from the service, because a clock may change. */
const LONGEST_WAIT_MS = 15 * 60_000;

export interface PollState {
  readonly interval: PollInterval;
  /** Consecutive polls without a change. */
  readonly unchanged: number;
  /** When the service will retry, in milliseconds since 1970. */
  readonly notBeforeMs: number | undefined;
  readonly nowMs: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export function nextPollDelayMs({ interval, unchanged, notBeforeMs, nowMs, random }: PollState): number {
  const delay = Math.min(interval.firstMs * interval.factor ** unchanged, interval.longestMs);
  const withJitter = delay * (0.8 + 0.4 * random);
  const requested = notBeforeMs === undefined ? 0 : Math.min(notBeforeMs - nowMs, LONGEST_WAIT_MS);
  return Math.max(withJitter, requested);
}
