import { setTimeout } from "node:timers/promises";

const PAUSE_MS = 50;

/** Waits until an HTTP URL responds with any status below 500. */
export async function waitUntilItAnswers(url: string, timeoutMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  while (!deadline.aborted) {
    const response = await fetch(url, { redirect: "manual", signal: deadline }).catch(() => null);
    await response?.body?.cancel();
    if (response !== null && response.status < 500) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`no response from ${url} within ${timeoutMs / 1_000} seconds`);
}
