import { spawn } from "node:child_process";
import { once } from "node:events";
import { eventually, INHERITED_ENVIRONMENT, reservePort } from "@social-connect/testkit";
import { expect } from "vitest";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { type EndedCommand, watchOutput } from "../../../../../packages/testkit/src/harness/watchOutput.ts";

export type Environment = Readonly<Record<string, string>>;

/** Runs a command line to its end; a service that listens is stopped. */
export function runCommand(parameters: readonly string[], environment: Environment): Promise<EndedCommand> {
  const [program, ...first] = SERVICE_COMMAND;
  const env = { ...INHERITED_ENVIRONMENT, LOG_LEVEL: "warn", DRAIN_SECONDS: "0", ...environment };
  const child = spawn(program, [...first, ...parameters], { env, stdio: ["ignore", "pipe", "pipe"] });
  return watchOutput(child, (stdout) => void (stdout.includes("listening at") && child.kill("SIGTERM"))).ended;
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

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
) {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const [program = "", ...first] = cores === undefined ? SERVICE_COMMAND : ["taskset", "-c", cores, ...SERVICE_COMMAND];
  const child = spawn(program, [...first, "start", "--role", role, ...options], {
    env: { ...INHERITED_ENVIRONMENT, DRAIN_SECONDS: "0", ...ports, ...environment },
    stdio: ["ignore", stdout, "pipe"],
  });
  child.stderr?.on("data", (part: Buffer) => process.stderr.write(part));
  const { output } = watchOutput(child);
  const operations = `http://127.0.0.1:${metricsPort}`;
  const started = {
    child,
    get lines(): readonly string[] {
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
