import { setTimeout } from "node:timers/promises";

/**
 * Longer than any step of a test on a loaded machine. Reaching it means that the test hangs; it is not a measure of
 * speed.
 */
export const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;
/** After five seconds of waiting: each attempt takes CPU time, often also of a server and the database. */
const LONGEST_PAUSE_MS = 250;

/** Waits until `holds` ends without throwing, and gives what it gives. When patience is at its end, throws what `holds` threw last. */
export async function eventually<T>(holds: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() - startMs >= patienceMs) throw error;
    }
    await setTimeout(Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, (performance.now() - startMs) / 20)));
  }
}
