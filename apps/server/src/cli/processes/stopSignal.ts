import { once } from "node:events";
import { handleSignals } from "@social-connect/domain";
import { lineOutput } from "../../platform/log/lineOutput.ts";

/** Replaces the processes of a supervisor. */
export interface Restart {
  /** null until there is a supervisor. */
  run: (() => void) | null;
}

/** Registered before anything starts, so that a signal during start-up shuts down cleanly. */
export function stopController(restart: Restart = { run: null }): AbortController {
  const controller = new AbortController();
  handleSignals(process, {
    nowMs: () => performance.now(),
    stop: () => controller.abort(),
    exit: () => process.exit(1),
    say: (line) => lineOutput("stderr").write(`social-connect: ${line}\n`),
    restart: () => {
      restart.run?.();
      return restart.run !== null;
    },
  });
  // A program that started this one with an IPC channel owns it: this process ends when the channel closes.
  process.on("disconnect", () => controller.abort());
  return controller;
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
