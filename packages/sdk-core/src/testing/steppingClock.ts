import type { Clock } from "../clock.ts";

/** A clock whose sleeps end immediately and advance its time. */
export function steppingClock(start = Date.parse("2026-03-01T12:00:00.000Z")) {
  const sleeps: number[] = [];
  let nowMs = start;
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (durationMs, signal) => {
      signal?.throwIfAborted();
      sleeps.push(durationMs);
      nowMs += durationMs;
    },
  };
  return { ...clock, sleeps, at: (offsetMs: number) => new Date(start + offsetMs) };
}
