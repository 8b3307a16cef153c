import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Operations, ProcessOperations } from "../../observability/operations.ts";
import type { Logger } from "../../platform/logger.ts";
import { answerSupervisor, operationsOf } from "./processOperations.ts";

/** Several processes of one service on one port. The supervisor accepts connections and hands them to the processes. */
export interface Supervisor {
  /** The URL that all processes serve; null if they only run jobs. */
  readonly address: string | null;
  /** Metrics and readiness of all processes. */
  readonly operations: Operations;
  /** Replaces one process after another: a new process serves before the old one stops. Stops at a new process that cannot start. */
  restart(): Promise<void>;
  /** Stops all processes: each finishes its in-flight work. Safe to call twice. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly processes: number;
  /** How long a process may take to stop before it is killed. */
  readonly stopTimeoutMs: number;
  readonly logger: Logger;
  /** Stops the processes, also while they start. */
  readonly signal: AbortSignal;
}

/** What a process reports once it serves. */
interface Started {
  readonly started: { readonly address: string | null };
}
/** The message that another process serves in its place. */
const REPLACED = "replaced";

/** The delay before a process that ended unexpectedly is started again; doubled up to the maximum if it ends soon. */
const RESTART_DELAY_MS = 500;
const MOST_RESTART_DELAY_MS = 30_000;
/** A process that ran this long ends the series of delays. */
const STABLE_MS = 60_000;

/** True in a process that a supervisor started. */
export const isSupervised = cluster.isWorker;

/**
 * Reports to the supervisor that this process serves, answers its questions, and calls back when another process replaced
 * it.
 */
export function reportStarted(
  { address, operations }: { readonly address: string | null; readonly operations: ProcessOperations | null },
  onReplaced: () => void,
): void {
  process.on("message", (message) => message === REPLACED && onReplaced());
  if (operations !== null) answerSupervisor(operations);
  process.send?.({ started: { address } } satisfies Started);
}

/** Starts the processes and waits until each serves. Throws if one of them cannot start. */
export async function startSupervisor({
  processes,
  stopTimeoutMs,
  logger,
  signal,
}: SupervisorOptions): Promise<Supervisor> {
  const running = new Set<Worker>();
  /** By the value of the metrics' label: the lowest free number, so that restarts add no values. */
  const numbered = new Map<string, Worker>();
  const asked = new WeakSet<Worker>();
  let delayMs = RESTART_DELAY_MS;

  /** Starts a process. Resolves with its address when it serves; throws if it ends before. */
  async function start(): Promise<{ readonly worker: Worker; readonly address: string | null }> {
    const worker = cluster.fork();
    closeUntaken(worker);
    running.add(worker);
    const number = lowestFree(numbered);
    numbered.set(number, worker);
    const startedAtMs = performance.now();
    const ended = once(worker, "exit").then(([exitCode, exitSignal]: (number | string | null)[]) => {
      running.delete(worker);
      numbered.delete(number);
      return { exitCode, exitSignal };
    });
    const started = new Promise<Started["started"]>((resolve) => {
      worker.on("message", (message: Partial<Started>) => message.started && resolve(message.started));
    });
    const first = await Promise.race([started, ended]);
    if (!("address" in first)) throw new ProcessEndedError();
    void ended.then(async (how) => {
      if (asked.has(worker) || signal.aborted) return;
      logger.error({ pid: worker.process.pid, ...how }, "a process ended unexpectedly; starting another");
      if (performance.now() - startedAtMs > STABLE_MS) delayMs = RESTART_DELAY_MS;
      await startAgain();
    });
    return { worker, address: first.address };
  }

  async function startAgain(): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MOST_RESTART_DELAY_MS);
      if (signal.aborted) return;
      try {
        await start();
        return;
      } catch (error) {
        logger.error({ err: error }, "a process could not be started; retrying");
      }
    }
  }

  /** Asks a process to stop, and kills it if it takes too long. */
  async function end(worker: Worker, ask: () => unknown): Promise<void> {
    asked.add(worker);
    if (worker.isDead()) return;
    const ended = once(worker, "exit");
    ask();
    const timeout = new AbortController();
    const late = setTimeout(stopTimeoutMs, "late", { signal: timeout.signal }).catch(() => "in time");
    if ((await Promise.race([ended, late])) === "late") worker.process.kill("SIGKILL");
    await ended;
    timeout.abort();
  }

  const stopAll = async () => {
    await Promise.all([...running].map((worker) => end(worker, () => worker.process.kill("SIGTERM"))));
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  signal.addEventListener("abort", stop);

  let started: readonly { readonly address: string | null }[] = [];
  try {
    started = await Promise.all(Array.from({ length: processes }, () => start()));
  } catch (error) {
    await stop();
    if (!signal.aborted) throw error;
  }
  let restarting = Promise.resolve();
  return {
    address: started[0]?.address ?? null,
    operations: operationsOf(() => new Map([...numbered].sort(([one], [other]) => Number(one) - Number(other)))),
    restart: () => {
      // A restart that failed does not prevent the next one.
      restarting = restarting
        .catch(() => undefined)
        .then(async () => {
          for (const worker of [...running]) {
            if (signal.aborted) return;
            await start();
            await end(worker, () => worker.send(REPLACED));
          }
        });
      return restarting;
    },
    stop,
  };
}

/** What the supervisor's and a process's side of Node's cluster send each other: a message and its receipt. */
interface ClusterMessage {
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Node hands a connection to a process and closes its own copy when the process has taken it. If the process is killed
 * before, the copy stays open, and the client would wait forever.
 */
function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...parameters: unknown[]) => boolean;
  // biome-ignore lint/plugin: node:cluster has no event for a connection that it gives to a worker.
  child.send = (message: ClusterMessage, connection?: unknown, ...rest: unknown[]) => {
    if (connection && message.seq !== undefined) untaken.set(message.seq, connection as { close(): void });
    return send(message, connection, ...rest);
  };
  child.on("internalMessage", ({ ack }: ClusterMessage) => ack !== undefined && untaken.delete(ack));
  child.once("exit", () => {
    for (const connection of untaken.values()) connection.close();
  });
}

function lowestFree(taken: ReadonlyMap<string, unknown>): string {
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

/** A process ended before it served. It printed the reason itself. */
class ProcessEndedError extends Error {
  constructor() {
    super("a process ended before it served; its message is above");
    this.name = "ProcessEndedError";
  }
}
