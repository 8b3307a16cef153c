import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** A process that runs. */
export interface Running {
  /** Settles with the reason when it has ended. */
  readonly ended: Promise<string>;
}

export interface RestartOptions<Process extends Running> {
  /** Starts another process. Rejects if it does not start. */
  readonly start: () => Promise<Process>;
  readonly signal: AbortSignal;
  /** The delay before a restart is doubled up to the maximum, until a process has run for the stable time. */
  readonly delays: { readonly firstMs: number; readonly mostMs: number; readonly stableMs: number };
  /** The process ended, and another is started. Throws to give up. */
  readonly onEnd: (reason: string, process: Process) => void;
  /** Another process did not start, and the start is retried. Throws to give up. */
  readonly onFailure: (error: Error) => void;
}

/** Starts a process again each time it ends. */
export async function keepRunning<Process extends Running>(
  first: Process,
  { start, signal, delays, onEnd, onFailure }: RestartOptions<Process>,
): Promise<void> {
  let delayMs = delays.firstMs;
  for (let process: Process | null = first; process !== null; process = await startAgain()) {
    const startedAtMs = performance.now();
    const reason = await process.ended;
    if (signal.aborted) return;
    if (performance.now() - startedAtMs > delays.stableMs) delayMs = delays.firstMs;
    onEnd(reason, process);
  }

  async function startAgain(): Promise<Process | null> {
    for (;;) {
      await setTimeout(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, delays.mostMs);
      if (signal.aborted) return null;
      try {
        return await start();
      } catch (error) {
        onFailure(error as Error);
      }
    }
  }
}

/** The reason for which a child process ended. */
export async function endOf(child: ChildProcess): Promise<string> {
  const [exitCode, exitSignal] = await once(child, "exit");
  return exitSignal ?? `exit code ${exitCode}`;
}

/** Asks a child process to stop, and kills it if it takes too long. */
export async function endProcess(
  child: ChildProcess,
  timeoutMs: number,
  ask: () => unknown = () => child.kill("SIGTERM"),
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  ask();
  const timeout = new AbortController();
  setTimeout(timeoutMs, undefined, { signal: timeout.signal }).then(
    () => child.kill("SIGKILL"),
    () => undefined,
  );
  await ended;
  timeout.abort();
}
