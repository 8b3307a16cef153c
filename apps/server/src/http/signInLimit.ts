import { SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import { LRUCache } from "lru-cache";

/** Sign-ins that one network may start while a sign-in lives; each writes a row that lives as long. */
export const SIGN_IN_STARTS = 300;

/** Bounds the rows that one network can make without signing in. Memory is bounded by the number of networks counted. */
export class SignInLimit {
  readonly #windows = new LRUCache<string, { readonly startMs: number; count: number }>({ max: 5_000 });

  /** Counts a start; gives how many seconds to wait when there were too many, else null. */
  take(network: string, nowMs: number = performance.now()): number | null {
    const known = this.#windows.get(network);
    const isOver = known === undefined || nowMs - known.startMs >= SIGN_IN_LIFETIME_MS;
    const window = isOver ? { startMs: nowMs, count: 0 } : known;
    if (isOver) this.#windows.set(network, window);
    window.count += 1;
    if (window.count <= SIGN_IN_STARTS) return null;
    return Math.max(1, Math.ceil((window.startMs + SIGN_IN_LIFETIME_MS - nowMs) / 1_000));
  }
}
