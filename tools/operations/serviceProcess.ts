import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

export interface ServiceProcessPlan {
  readonly name: string;
  readonly role: "api" | "worker";
  /** The command `social-connect`. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly metricsPort: number;
}

/** A line of a process's log. */
export interface LogLine {
  readonly msg: string;
  readonly correlationId?: string;
  readonly [field: string]: unknown;
}

const START_TIMEOUT_MS = 240_000;
const POLL_MS = 50;

/** A process of the installed service, which keeps its addresses and its log when it is started again. */
export class ServiceProcess {
  readonly name: string;
  readonly role: ServiceProcessPlan["role"];
  readonly port: number;
  /** The address of its metrics and probes. */
  readonly operations: string;
  readonly lines: LogLine[] = [];
  readonly #plan: ServiceProcessPlan;
  #child: ChildProcess | null = null;

  constructor(plan: ServiceProcessPlan) {
    this.name = plan.name;
    this.role = plan.role;
    this.port = plan.port;
    this.operations = `http://127.0.0.1:${plan.metricsPort}`;
    this.#plan = plan;
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const { role, command, environment, port, metricsPort } = this.#plan;
    const child = spawn(command, ["start", "--role", role], {
      env: { ...environment, PORT: String(port), METRICS_PORT: String(metricsPort) },
      // By the end of the channel it notices when this program is killed.
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#child = child;
    this.#keepLines(child.stdout);
    const endMs = performance.now() + START_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with ${child.exitCode} while it started`);
      if (performance.now() > endMs) throw new Error(`${this.name} is not ready after ${START_TIMEOUT_MS} ms`);
      await delay(POLL_MS);
    }
  }

  /** Whether a load balancer would send it requests. */
  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.operations}/readyz`, { signal: AbortSignal.timeout(30_000) }).catch(
      () => null,
    );
    await response?.body?.cancel();
    return response?.status === 200;
  }

  /** SIGTERM; throws unless the process shuts down cleanly. Returns how long that took, in milliseconds. */
  async stop(): Promise<number> {
    const beganMs = performance.now();
    const end = await this.#end("SIGTERM");
    if (end !== 0) throw new Error(`${this.name} ended with ${end} after SIGTERM`);
    return performance.now() - beganMs;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<number | string | null> {
    const child = this.#child;
    if (child === null) return 0;
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, "close");
      child.kill(signal);
      await closed;
    }
    this.#child = null;
    return child.exitCode ?? child.signalCode;
  }

  #keepLines(stream: Readable | null): void {
    let rest = "";
    stream?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString("utf8")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("{")) this.lines.push(JSON.parse(line) as LogLine);
    });
  }
}
