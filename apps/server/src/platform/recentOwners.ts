import type { Clock } from "./clock.ts";

const INTERVAL_MS = 1_000;

/** Counts the owners that have called in this second or in the one before. */
export class RecentOwners {
  readonly #clock: Pick<Clock, "after">;
  readonly #listeners: (() => void)[] = [];
  #now = new Set<string>();
  #before = new Set<string>();
  #isTimed = false;

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  /** Runs a function whenever the count may have become smaller. */
  whenFewer(run: () => void): void {
    this.#listeners.push(run);
  }

  add(owner: string): void {
    this.#now.add(owner);
    if (!this.#isTimed) this.#time();
  }

  /** True if someone else than `owner` has called. */
  hasOther(owner: string): boolean {
    for (const owners of [this.#now, this.#before]) if (owners.size > (owners.has(owner) ? 1 : 0)) return true;
    return false;
  }

  #time(): void {
    this.#isTimed = true;
    this.#clock.after(INTERVAL_MS, () => {
      this.#before = this.#now;
      this.#now = new Set();
      this.#isTimed = false;
      if (this.#before.size > 0) this.#time();
      for (const run of this.#listeners) run();
    });
  }
}
