import { SIGN_IN_LIFETIME_MS } from "@social-connect/domain";
import { LRUCache } from "lru-cache";

/** Sign-ins that one network may start within a sign-in's lifetime; each writes a row that expires after it. */
export const SIGN_IN_STARTS = 300;

/**
 * Limits the rows that one network can create without signing in. Memory is bounded by the number of counted networks.
 */
export class SignInLimit {
  readonly #windows = new LRUCache<string, { readonly startMs: number; count: number }>({ max: 5_000 });

  /** Counts a start; returns how many seconds to wait when the limit is exceeded, otherwise null. */
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
