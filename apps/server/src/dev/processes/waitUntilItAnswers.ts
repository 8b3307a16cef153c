import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 50;

/** Waits until something answers at an HTTP address, whatever it answers but an error of its own. */
export async function waitUntilItAnswers(url: string, timeoutMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  while (!deadline.aborted) {
    const response = await fetch(url, { redirect: "manual", signal: deadline }).catch(() => null);
    await response?.body?.cancel();
    if (response !== null && response.status < 500) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`nothing answers at ${url} within ${timeoutMs / 1_000} seconds`);
}
