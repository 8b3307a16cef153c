import type { Timer } from "../core/live.ts";

/** Sleeps end when a test ends them. */
export class ManualTimer implements Timer {
  #wakers: (() => void)[] = [];
  /** The durations of all sleeps. */
  readonly slept: number[] = [];

  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    this.slept.push(durationMs);
    return new Promise((resolve, reject) => {
      this.#wakers.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  get isSleeping(): boolean {
    return this.#wakers.length > 0;
  }

  /** Ends the sleeps in progress. */
  tick(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}
