import { LONGEST_TIMER_MS } from "./checks.ts";
import { onAbort } from "./onAbort.ts";

/** The clock of the client. Tests pass a clock that they advance, so no test waits in real time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Resolves after `durationMs`, or rejects with `signal.reason` as soon as the signal is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** Real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(durationMs, signal) {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const forget = signal && onAbort(signal, () => end(() => reject(signal.reason)));
      const timer = setTimeout(() => end(resolve), Math.min(Math.max(durationMs, 0), LONGEST_TIMER_MS));
      const end = (settle: () => void) => {
        clearTimeout(timer);
        forget?.();
        settle();
      };
    });
  },
};

/**
 * Reads a clock for durations. Real time is measured without the time of day, because Next.js ends the prerender of a page
 * that reads it.
 */
export function stopwatchOf(clock: Clock): () => number {
  return clock === systemClock ? () => Math.round(performance.now()) : () => clock.now();
}

/** Sleeps, and ends immediately when the signal is aborted, even if the clock ignores the signal. */
export async function pause(clock: Clock, durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return clock.sleep(durationMs);
  signal.throwIfAborted();
  let forget: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(signal.reason));
  });
  try {
    await Promise.race([clock.sleep(durationMs, signal), aborted]);
  } finally {
    forget();
  }
}
