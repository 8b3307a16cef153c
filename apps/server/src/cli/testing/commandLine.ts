import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually, INHERITED_ENVIRONMENT, reservePort } from "@social-connect/testkit";
import { expect } from "vitest";

/** Node's flags for a program that runs from the source of the workspace. */
export const SOURCE_FLAGS: readonly string[] = [
  "--conditions=@social-connect/source",
  "--disable-warning=ExperimentalWarning",
];
/** The program of the command line and its first parameters. */
export const COMMAND_LINE: readonly [string, ...string[]] = [
  process.execPath,
  ...SOURCE_FLAGS,
  fileURLToPath(new URL("../../../cli.ts", import.meta.url)),
];

export type Environment = Readonly<Record<string, string>>;

export interface EndedCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunningCommand = ReturnType<typeof watchOutput>;

/** Collects what a child process writes. */
export function watchOutput(child: ChildProcess, onOutput: (stdout: string) => void = () => undefined) {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      onOutput(output.stdout);
    });
  }
  const ended = once(child, "close").then(() => {
    return { exitCode: child.exitCode, stdout: output.stdout.trim(), stderr: output.stderr.trim() };
  });
  return { output, ended };
}

/** Starts the command line with a pipe for each stream. */
export function spawnCommand(parameters: readonly string[], environment: Environment): ChildProcess {
  const [program, ...first] = COMMAND_LINE;
  const env = { ...INHERITED_ENVIRONMENT, LOG_LEVEL: "warn", ...environment };
  return spawn(program, [...first, ...parameters], { env, stdio: "pipe" });
}

export function runCommand(parameters: readonly string[], environment: Environment): Promise<EndedCommand> {
  const child = spawnCommand(parameters, environment);
  child.stdin?.end();
  return watchOutput(child).ended;
}

/** A process of the service as its command starts it. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it has logged. */
  readonly lines: readonly string[];
  /** What it has written to standard error. */
  errors(): string;
  readonly url: string;
  /** The address of metrics and probes. */
  readonly operations: string;
  stop(): Promise<void>;
}

interface StartOptions {
  /** A descriptor instead of the pipe that `lines` are read from. */
  readonly stdout?: "pipe" | number;
  /** The cores that it may use, for `taskset`. */
  readonly cores?: string;
}

/** Starts processes of the service with `social-connect start`, and waits until they are ready. */
export async function startProcess(
  role: "api" | "worker" | "both",
  environment: Environment,
  options: readonly string[] = [],
  { stdout = "pipe", cores }: StartOptions = {},
): Promise<ServiceProcess> {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const [program = "", ...first] = cores === undefined ? COMMAND_LINE : ["taskset", "-c", cores, ...COMMAND_LINE];
  const child = spawn(program, [...first, "start", "--role", role, ...options], {
    env: { ...INHERITED_ENVIRONMENT, DRAIN_SECONDS: "0", ...ports, ...environment },
    stdio: ["ignore", stdout, "pipe"],
  });
  child.stderr?.on("data", (part: Buffer) => process.stderr.write(part));
  const { output } = watchOutput(child);
  const operations = `http://127.0.0.1:${metricsPort}`;
  const started: ServiceProcess = {
    child,
    get lines() {
      return output.stdout.split("\n").slice(0, -1);
    },
    errors: () => output.stderr,
    url: `http://127.0.0.1:${port}`,
    operations,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
  try {
    await eventually(async () => expect((await fetch(`${operations}/readyz`)).status).toBe(200));
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}
