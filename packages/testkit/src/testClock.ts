/** A clock that only a test advances; has the shape of the server's `Clock`. */
export class TestClock {
  #nowMs: number;

  constructor(start: Date | string = "2026-03-10T12:00:00.000Z") {
    this.#nowMs = new Date(start).getTime();
  }

  async now(): Promise<Date> {
    return this.current;
  }

  /** For this clock the same: a test that moves it means all of time. */
  async unmoved(): Promise<Date> {
    return this.current;
  }

  /** The current time without a promise, for expectations. */
  get current(): Date {
    return new Date(this.#nowMs);
  }

  /** The time `ms` milliseconds from now, or before when negative. */
  fromNow(ms: number): Date {
    return new Date(this.#nowMs + ms);
  }

  /** Advances the clock by `byMs` milliseconds (back when negative) and returns the new time. */
  advance(byMs: number): Date {
    this.#nowMs += byMs;
    return this.current;
  }

  set(moment: Date | string): Date {
    this.#nowMs = new Date(moment).getTime();
    return this.current;
  }
}
