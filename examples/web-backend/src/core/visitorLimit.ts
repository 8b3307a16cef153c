const WINDOW_MS = 10 * 60_000;
const MOST_STARTS = 5;

/**
 * The sign-ins that each visitor started in the last ten minutes. Anyone can start one, and the service allows an application
 * twenty unfinished ones: without a limit, one visitor could use them all.
 */
export class VisitorLimit {
  readonly #starts = new Map<string, readonly number[]>();

  /** False for a visitor who has started too many. `visitor`: the address of the connection, or the address that your proxy passes on. */
  tryStart(visitor: string, now: Date): boolean {
    const since = now.getTime() - WINDOW_MS;
    for (const [one, starts] of this.#starts) {
      const recent = starts.filter((start) => start > since);
      if (recent.length > 0) this.#starts.set(one, recent);
      else this.#starts.delete(one);
    }
    const recent = this.#starts.get(visitor) ?? [];
    if (recent.length >= MOST_STARTS) return false;
    this.#starts.set(visitor, [...recent, now.getTime()]);
    return true;
  }
}
