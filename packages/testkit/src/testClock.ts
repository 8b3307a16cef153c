export type TestClock = ReturnType<typeof testClock>;

/** A clock that only a test advances; has the shape of the server's `Clock`. */
export function testClock(start: Date | string = "2026-03-10T12:00:00.000Z") {
  let nowMs = new Date(start).getTime();
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const set = (moment: Date | string): Date => {
    nowMs = new Date(moment).getTime();
    for (const timer of [...timers].sort((a, b) => a.atMs - b.atMs)) {
      if (timer.atMs <= nowMs && timers.delete(timer)) timer.run();
    }
    return new Date(nowMs);
  };
  return {
    set,
    now: async () => new Date(nowMs),
    /** For this clock the same: a test that moves it means all of time. */
    unmoved: async () => new Date(nowMs),
    /** Calls `run` when the clock has been moved by the delay; returns how to cancel it. */
    after: (delayMs: number, run: () => void): (() => void) => {
      const timer = { atMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    /** The current time without a promise, for expectations. */
    get current(): Date {
      return new Date(nowMs);
    },
    /** The time `ms` milliseconds from now, or before when negative. */
    fromNow: (ms: number) => new Date(nowMs + ms),
    /** Advances the clock by `byMs` milliseconds (back when negative) and returns the new time. */
    advance: (byMs: number) => set(new Date(nowMs + byMs)),
  };
}
