import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { endOf, endProcess, keepRunning, type Running } from "../../platform/process/keepRunning.ts";

export const CHILD_ROLES = ["api", "worker", "simulator", "example"] as const;
export type ChildRole = (typeof CHILD_ROLES)[number];

export interface ChildPlan {
  readonly role: ChildRole;
  /** Secrets are passed here and not as arguments, which every user of the machine can read. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ChildEvents {
  /** A process wrote a line. */
  readonly onLine: (role: ChildRole, stream: "stdout" | "stderr", line: string) => void;
  /** A process that had been ready exited, and will be restarted. */
  readonly onRestart: (role: ChildRole, reason: string) => void;
}

interface Child {
  readonly role: ChildRole;
  readonly pid: number | null;
  /** Resolves when the process is ready; rejects when its first start fails. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/** TypeScript source needs the condition that resolves workspace packages to source; the build does not. */
const EXTENSION = extname(import.meta.url);
const ENTRY = fileURLToPath(new URL(`./child${EXTENSION}`, import.meta.url));
const FLAGS =
  EXTENSION === ".ts" ? ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"] : [];
const RESTART_DELAYS = { firstMs: 250, mostMs: 10_000, stableMs: 20_000 };
const STOP_TIMEOUT_MS = 10_000;

/** Runs the processes of a development environment and restarts a process that exits. */
export class ProcessSupervisor {
  readonly #children: Child[] = [];
  readonly #events: ChildEvents;
  #onPidsChanged: (() => void) | null = null;

  constructor(events: ChildEvents) {
    this.#events = events;
  }

  start(plan: ChildPlan): void {
    this.#children.push(superviseChild(plan, this.#events, () => this.#onPidsChanged?.()));
  }

  /** Resolves when every process is ready; rejects as soon as one fails to start. */
  async ready(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready));
  }

  onPidsChanged(callback: (() => void) | null): void {
    this.#onPidsChanged = callback;
  }

  pids(): Record<ChildRole, number | null> {
    const pidOf = (role: ChildRole) => this.#children.find((child) => child.role === role)?.pid ?? null;
    return Object.fromEntries(CHILD_ROLES.map((role) => [role, pidOf(role)])) as Record<ChildRole, number | null>;
  }

  /** Stops the simulator last: the other processes may still have requests to it in flight. */
  async stop(): Promise<void> {
    const isLast = ({ role }: Child) => role === "simulator";
    await Promise.all(this.#children.filter((child) => !isLast(child)).map((child) => child.stop()));
    await Promise.all(this.#children.filter(isLast).map((child) => child.stop()));
  }
}

function superviseChild(plan: ChildPlan, events: ChildEvents, onPidChanged: () => void): Child {
  const stopping = new AbortController();
  let current: ChildProcess | null = null;
  const start = async (): Promise<Running> => {
    const child = spawnChild(plan);
    current = child;
    onPidChanged();
    forwardLines(child.stdout, (line) => events.onLine(plan.role, "stdout", line));
    forwardLines(child.stderr, (line) => events.onLine(plan.role, "stderr", line));
    const ended = endOf(child).finally(() => {
      current = null;
    });
    const failure = await Promise.race([once(child, "message").then(() => null), ended]);
    if (failure !== null) throw new Error(`the ${plan.role} process did not start (${failure})`);
    return { ended };
  };
  const started = start();
  const restarting = started.then((first) =>
    keepRunning(first, {
      start,
      signal: stopping.signal,
      delays: RESTART_DELAYS,
      onEnd: (reason) => events.onRestart(plan.role, reason),
      onFailure: ({ message }) => events.onRestart(plan.role, message),
    }),
  );
  // `ready` reports a process that does not start.
  restarting.catch(() => undefined);
  return {
    role: plan.role,
    get pid() {
      return current?.pid ?? null;
    },
    ready: started,
    stop: async () => {
      stopping.abort();
      if (current !== null) await endProcess(current, STOP_TIMEOUT_MS);
    },
  };
}

/** Starts the process without supervision; it sends a message when it is ready. */
export function spawnChild({ role, environment }: ChildPlan): ChildProcess {
  return spawn(process.execPath, [...FLAGS, ENTRY, role], {
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Its own process group, so that Ctrl-C reaches only the supervisor, which then stops the processes in order. The
    // child exits when its IPC channel to the supervisor closes.
    detached: true,
  });
}

export function forwardLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on("line", onLine);
}
