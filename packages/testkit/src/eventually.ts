import { setTimeout } from "node:timers/promises";

/**
 * Longer than any step of a test on a loaded machine. Reaching it means that the test hangs; it is not a measure of
 * speed.
 */
export const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

/** Waits until `holds` ends without throwing, and gives what it gives. When patience is at its end, throws what `holds` threw last. */
export async function eventually<T>(holds: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() >= endMs) throw error;
    }
    await setTimeout(PAUSE_MS);
  }
}
