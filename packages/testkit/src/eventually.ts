import { setTimeout } from "node:timers/promises";

/**
 * Longer than anything in a test takes on a machine that has much else to do. What ends here is a hang: it is no measure of
 * speed, and a test that needs less patience to prove its point proves it in another way.
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
