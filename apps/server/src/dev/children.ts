import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const CHILD_ROLES = ["api", "worker", "simulator", "example"] as const;
export type ChildRole = (typeof CHILD_ROLES)[number];

export interface ChildPlan {
  readonly role: ChildRole;
  /** All that the process is told; secrets go this way and never into its command line, which everyone can read. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ChildEvents {
  /** A line that a child wrote. */
  readonly onLine: (role: ChildRole, stream: "stdout" | "stderr", line: string) => void;
  /** A child that had been ready ended by itself and will be started again. */
  readonly onRestart: (role: ChildRole, reason: string) => void;
  /** The process ids changed. */
  readonly onPids: () => void;
}

export interface Child {
  readonly role: ChildRole;
  readonly pid: number | null;
  /** Resolves once the process says that it answers; rejects when its first start fails. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Source runs as it is, and reads the workspace's packages from theirs; the build needs nothing said. */
const EXTENSION = extname(import.meta.url);
const ENTRY = fileURLToPath(new URL(`./child${EXTENSION}`, import.meta.url));
const FLAGS =
  EXTENSION === ".ts" ? ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"] : [];
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** A process that lived this long was healthy: the next restart comes at once again. */
const HEALTHY_AFTER_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;

/** Keeps one process running until it is stopped. */
export function superviseChild(plan: ChildPlan, events: ChildEvents): Child {
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
  // Whoever waits gets the failure; until someone does, it is no unhandled one.
  ready.catch(() => undefined);

  const start = (): void => {
    const startedAtMs = performance.now();
    const child = spawnChild(plan);
    current = child;
    events.onPids();
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

/** Starts the process once; it says when it answers, by a message. */
export function spawnChild({ role, environment }: ChildPlan): ChildProcess {
  return spawn(process.execPath, [...FLAGS, ENTRY, role], {
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which then ends things in order. The
    // child notices by its channel when the supervisor is no more.
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
