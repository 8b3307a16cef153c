import type { ClockDriver } from "../target/target.ts";

/** Processes of one service know its time to some milliseconds; none should be found a moment behind. */
const APART_MS = 300;

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * One clock for many cases: each waits for a moment of its own, and when all of them wait, the clock moves to the earliest
 * of these moments. So a clock that goes forward only serves every case, and the movements do not add up.
 */
export class ClockLine {
  readonly #clock: ClockDriver;
  #awake = 0;
  #moving = false;
  #sleepers: Sleeper[] = [];

  constructor(clock: ClockDriver) {
    this.#clock = clock;
  }

  /** Takes part from now on; to be called for all participants before the first of them waits. */
  join(): void {
    this.#awake += 1;
  }

  leave(): void {
    this.#awake -= 1;
    this.#moveWhenAllWait();
  }

  /** Resolves once the service's clock has reached the moment. */
  async until(moment: Date): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#sleepers.push({ atMs: moment.getTime(), wake: resolve });
    });
    this.#awake -= 1;
    this.#moveWhenAllWait();
    await woken;
  }

  #moveWhenAllWait(): void {
    if (this.#awake > 0 || this.#moving || this.#sleepers.length === 0) return;
    this.#moving = true;
    this.#move().catch((error: unknown) => {
      // Nobody would ever wake: say so by waking everybody, whose next look at the clock shows it.
      console.error("the clock could not be moved:", error instanceof Error ? error.message : error);
      this.#wakeUpTo(Number.POSITIVE_INFINITY);
    });
  }

  async #move(): Promise<void> {
    const next = Math.min(...this.#sleepers.map((sleeper) => sleeper.atMs));
    const now = (await this.#clock.now()).getTime();
    if (next > now) await this.#clock.advance(next - now + APART_MS);
    this.#wakeUpTo(Math.max(next, now));
  }

  #wakeUpTo(reachedMs: number): void {
    const woken = this.#sleepers.filter((sleeper) => sleeper.atMs <= reachedMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > reachedMs);
    this.#awake += woken.length;
    this.#moving = false;
    for (const sleeper of woken) sleeper.wake();
  }
}
