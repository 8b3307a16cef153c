import { setTimeout as delay } from "node:timers/promises";
import { findUnsettled } from "../facts/facts.ts";
import type { Cluster } from "./cluster.ts";

/** A killed worker's task is taken over within 20 seconds and a cut-off renewal is given up after 60; this is far more. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 250;
const SWEEP_EVERY_MS = 5_000;
const LONGEST_STEP_MS = 15 * 60_000;

/**
 * Waits until no work remains: no queued or running job, no task, no grant without an owner, no settlement. Moves the
 * clock to the next due time. Returns the remaining work on a timeout, or null.
 */
export async function settle(cluster: Cluster, patienceMs = PATIENCE_MS): Promise<string | null> {
  const { clock, database } = cluster.deployment;
  const endMs = performance.now() + patienceMs;
  let sweptMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { open, runnable, dueInMs } = await findUnsettled(database, await clock.now());
    if (open.length === 0) return null;
    if (performance.now() >= endMs) return open.join("; ");
    if (runnable === 0 && dueInMs !== null) {
      await clock.advance(Math.min(LONGEST_STEP_MS, Math.max(0, dueInMs) + 1_000));
      sweptMs = performance.now();
    } else if (performance.now() - sweptMs > SWEEP_EVERY_MS) {
      await clock.sweep();
      sweptMs = performance.now();
    }
    await delay(PAUSE_MS);
  }
}
