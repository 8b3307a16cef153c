/** A clock that only a test advances; has the shape of the server's `Clock`. */
export class TestClock {
  #nowMs: number;
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>();

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

  /** Calls `run` when the clock has been moved by the delay; returns how to cancel it. */
  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
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
    return this.set(this.fromNow(byMs));
  }

  set(moment: Date | string): Date {
    this.#nowMs = new Date(moment).getTime();
    this.#runDueTimers();
    return this.current;
  }

  #runDueTimers(): void {
    for (const timer of [...this.#timers].sort((a, b) => a.atMs - b.atMs)) {
      if (timer.atMs > this.#nowMs || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }
}
