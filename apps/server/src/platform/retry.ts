import { setTimeout as delay } from "node:timers/promises";

const DELAYS_MS = [200, 600] as const;

/**
 * Retries a statement, or a call that a user is waiting for: two more attempts within a second, only for errors that
 * `isPassing` considers temporary. Other background work is retried by its job instead.
 */
export async function withRetries<T>(call: () => Promise<T>, isPassing: (error: unknown) => boolean): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await delay(delayMs);
  }
  return call();
}
