export interface TimeSource {
  now(): Date;
}

/** The simulator's clock: a time source with an offset, which the control API changes. */
export interface MovableClock extends TimeSource {
  offsetMs(): number;
  setOffset(offsetMs: number): void;
  advance(byMs: number): void;
  /** Sets the clock to `date`, from which it continues. */
  set(date: Date): void;
}

export const systemTime: TimeSource = { now: () => new Date() };

export function createMovableClock(source: TimeSource, initialOffsetMs = 0): MovableClock {
  let offset = initialOffsetMs;
  return {
    now: () => new Date(source.now().getTime() + offset),
    offsetMs: () => offset,
    setOffset: (offsetMs) => {
      offset = offsetMs;
    },
    advance: (byMs) => {
      offset += byMs;
    },
    set: (date) => {
      offset = date.getTime() - source.now().getTime();
    },
  };
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
