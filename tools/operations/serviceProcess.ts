import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

/** A release of the service that a process runs. */
export interface ServiceVersion {
  /** The command `social-connect`. */
  readonly command: string;
  /** False for a release that does not serve metrics and probes on a separate port, and logs to standard error. */
  readonly hasProbes: boolean;
}

export interface ServiceProcessPlan {
  readonly name: string;
  readonly role: "api" | "worker";
  readonly version: ServiceVersion;
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

const START_TIMEOUT_MS = 60_000;
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
  #version: ServiceVersion;
  #child: ChildProcess | null = null;
  /** Lines of earlier starts. */
  #earlierLines = 0;

  constructor(plan: ServiceProcessPlan) {
    this.name = plan.name;
    this.role = plan.role;
    this.port = plan.port;
    this.operations = `http://127.0.0.1:${plan.metricsPort}`;
    this.#plan = plan;
    this.#version = plan.version;
  }

  /** Starts it, with the version of its last start by default, and waits until it is ready. */
  async start(version: ServiceVersion = this.#version): Promise<void> {
    const { role, environment, port, metricsPort } = this.#plan;
    this.#version = version;
    this.#earlierLines = this.lines.length;
    const child = spawn(version.command, ["start", "--role", role], {
      env: { ...environment, PORT: String(port), METRICS_PORT: String(metricsPort) },
      // By the end of the channel it notices when this program is killed.
      stdio: ["ignore", "pipe", version.hasProbes ? "inherit" : "pipe", "ipc"],
    });
    this.#child = child;
    this.#keepLines(child.stdout);
    this.#keepLines(child.stderr);
    const endMs = performance.now() + START_TIMEOUT_MS;
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with ${child.exitCode} while it started`);
      if (performance.now() > endMs) throw new Error(`${this.name} is not ready after ${START_TIMEOUT_MS} ms`);
      await delay(POLL_MS);
    }
  }

  /** Whether a load balancer would send it requests. */
  async isReady(): Promise<boolean> {
    const { hasProbes } = this.#version;
    if (!hasProbes && this.role === "worker") return this.lines.slice(this.#earlierLines).some(isStart);
    const url = hasProbes ? this.operations : `http://127.0.0.1:${this.port}`;
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
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

function isStart({ msg }: LogLine): boolean {
  return msg === "started";
}
