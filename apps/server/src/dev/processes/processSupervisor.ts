import { type ChildProcess, spawn } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

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
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** TypeScript source needs the condition that resolves workspace packages to source; the build does not. */
const EXTENSION = extname(import.meta.url);
const ENTRY = fileURLToPath(new URL(`./child${EXTENSION}`, import.meta.url));
const FLAGS =
  EXTENSION === ".ts" ? ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"] : [];
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** After a run of this length, the restart delay is reset. */
const HEALTHY_AFTER_MS = 20_000;
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
  let current: ChildProcess | null = null;
  let isStopping = false;
  let wasReady = false;
  let delayMs = FIRST_DELAY_MS;
  let restart: NodeJS.Timeout | undefined;
  let becomeReady = (): void => undefined;
  let failToStart = (_: Error): void => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve;
    failToStart = reject;
  });
  // A failure before `ready` is awaited is not an unhandled rejection.
  ready.catch(() => undefined);

  const start = (): void => {
    const startedAtMs = performance.now();
    const child = spawnChild(plan);
    current = child;
    onPidChanged();
    forwardLines(child.stdout, (line) => events.onLine(plan.role, "stdout", line));
    forwardLines(child.stderr, (line) => events.onLine(plan.role, "stderr", line));
    child.once("message", () => {
      wasReady = true;
      becomeReady();
    });
    child.once("error", (error) => failToStart(error));
    child.once("exit", (code, signal) => {
      current = null;
      if (isStopping) return;
      const reason = signal ?? `exit code ${code}`;
      if (!wasReady) return failToStart(new Error(`the ${plan.role} process did not start (${reason})`));
      if (performance.now() - startedAtMs > HEALTHY_AFTER_MS) delayMs = FIRST_DELAY_MS;
      events.onRestart(plan.role, reason);
      restart = setTimeout(start, delayMs);
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
    });
  };
  start();

  return {
    role: plan.role,
    get pid() {
      return current?.pid ?? null;
    },
    ready,
    stop: async () => {
      isStopping = true;
      clearTimeout(restart);
      if (current !== null) await endProcess(current);
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

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(impatience);
}

export function forwardLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on("line", onLine);
}
