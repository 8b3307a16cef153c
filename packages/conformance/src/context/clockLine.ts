import type { ClockDriver } from "../target/target.ts";
import { messageOf } from "./expectation.ts";

/** Processes of one service agree on the time within milliseconds; no process should be behind. */
const MIN_INTERVAL_MS = 300;

interface Waiter {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * One clock for many cases: each waits for a time, and when all of them wait, the clock moves to the earliest. So a
 * clock that only moves forward serves every case, and the movements do not add up.
 */
export class ClockLine {
  readonly #clock: ClockDriver;
  #awake = 0;
  #moving = false;
  #waiters: Waiter[] = [];

  constructor(clock: ClockDriver) {
    this.#clock = clock;
  }

  /** Joins; to be called for all participants before the first of them waits. */
  join(): void {
    this.#awake += 1;
  }

  leave(): void {
    this.#awake -= 1;
    this.#moveWhenAllWait();
  }

  /** Resolves once the service's clock has reached the time. */
  async until(moment: Date): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#waiters.push({ atMs: moment.getTime(), wake: resolve });
    });
    this.#awake -= 1;
    this.#moveWhenAllWait();
    await woken;
  }

  #moveWhenAllWait(): void {
    if (this.#awake > 0 || this.#moving || this.#waiters.length === 0) return;
    this.#moving = true;
    this.#move().catch((error: unknown) => {
      // No case would ever wake: wake all of them, and their next read of the clock fails.
      console.error("the clock could not be moved:", messageOf(error));
      this.#wakeUpTo(Number.POSITIVE_INFINITY);
    });
  }

  async #move(): Promise<void> {
    const next = Math.min(...this.#waiters.map((waiter) => waiter.atMs));
    const now = (await this.#clock.now()).getTime();
    if (next > now) await this.#clock.advance(next - now + MIN_INTERVAL_MS);
    this.#wakeUpTo(Math.max(next, now));
  }

  #wakeUpTo(reachedMs: number): void {
    const woken = this.#waiters.filter((waiter) => waiter.atMs <= reachedMs);
    this.#waiters = this.#waiters.filter((waiter) => waiter.atMs > reachedMs);
    this.#awake += woken.length;
    this.#moving = false;
    for (const waiter of woken) waiter.wake();
  }
}
