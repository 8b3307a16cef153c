import { once } from "node:events";

/** A signal to a process and to its process group arrives twice and counts once. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Registered before anything starts, so that a signal during start-up shuts down cleanly; a second signal exits
 * immediately.
 */
export function stopController(): AbortController {
  const controller = new AbortController();
  let firstAtMs = 0;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        firstAtMs = performance.now();
        controller.abort();
      } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    });
  }
  // A program that started this one with an IPC channel owns it: this process ends when the channel closes.
  process.on("disconnect", () => controller.abort());
  return controller;
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
