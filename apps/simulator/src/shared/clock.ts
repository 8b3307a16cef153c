export interface TimeSource {
  now(): Date;
}

export const systemTime: TimeSource = { now: () => new Date() };

/** The simulator's clock: a time source with an offset, which the control API changes. */
export type MovableClock = ReturnType<typeof createMovableClock>;

export function createMovableClock(source: TimeSource, initialOffsetMs = 0) {
  let offset = initialOffsetMs;
  return {
    now: () => new Date(source.now().getTime() + offset),
    offsetMs: () => offset,
    setOffset: (offsetMs: number): void => {
      offset = offsetMs;
    },
    advance: (byMs: number): void => {
      offset += byMs;
    },
    /** Sets the clock to `date`, from which it continues. */
    set: (date: Date): void => {
      offset = date.getTime() - source.now().getTime();
    },
  };
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
