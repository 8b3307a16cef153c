import { setTimeout as delay } from "node:timers/promises";

const DELAYS_MS = [200, 600] as const;

/**
 * Repeats a call that a person is waiting for: two more tries within a second, and only while `isPassing` says that the
 * failure may pass. Work that nobody waits for is retried by its job instead.
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
