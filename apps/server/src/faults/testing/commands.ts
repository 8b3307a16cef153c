import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@social-connect/testkit";
import { expect } from "vitest";
import { reservePort } from "../../platform/ports.ts";

const COMMAND = fileURLToPath(new URL("../../cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
/** The program of the command line and its first parameters. */
export const COMMAND_LINE: readonly string[] = [process.execPath, ...FLAGS, COMMAND];

export type Environment = Readonly<Record<string, string>>;

/** A process of the service as its command starts it. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it has logged. */
  readonly lines: string[];
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an api or a worker, and waits until it is ready. */
export async function startProcess(role: "api" | "worker", environment: Environment): Promise<ServiceProcess> {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const child = spawn(process.execPath, [...FLAGS, COMMAND, "start", "--role", role], {
    env: {
      PATH: process.env.PATH,
      DRAIN_SECONDS: "0",
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const read = (rest + chunk.toString("utf8")).split("\n");
    rest = read.pop() ?? "";
    lines.push(...read);
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  try {
    await eventually(async () => {
      expect((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status).toBe(200);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, lines, url: `http://127.0.0.1:${port}`, stop };
}

export interface EndedCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an operator's command to its end. */
export async function runCommand(
  parameters: readonly string[],
  environment: Environment,
  input: string | null = null,
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, ...parameters], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "warn", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdin.end(input ?? "");
  await once(child, "close");
  return { exitCode: child.exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}
