import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@social-connect/testkit";
import { expect, onTestFinished } from "vitest";
import { reservePort } from "../../platform/ports.ts";

const COMMAND = fileURLToPath(new URL("../../cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

type Environment = Readonly<Record<string, string>>;

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** The address of metrics and probes. */
  readonly operations: string;
  readonly url: string;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Processes and commands of the service, as an operator starts them. */
export function serviceProcesses(common: () => Environment) {
  const environment = (more: Environment) => ({ PATH: process.env.PATH, LOG_LEVEL: "silent", ...common(), ...more });

  /** An operator's command, with other settings. */
  const runWith = async (more: Environment, ...parameters: string[]): Promise<Ended> => {
    const child = spawn(process.execPath, [...FLAGS, COMMAND, ...parameters], {
      env: environment(more),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await once(child, "close");
    return { exitCode: child.exitCode, output };
  };
  return {
    /** Starts a process, which the test stops at its end, and waits until it is ready. */
    start: async (role: "api" | "worker" | "both", more: Environment = {}): Promise<ServiceProcess> => {
      const [port, metricsPort] = [await reservePort(), await reservePort()];
      const child = spawn(process.execPath, [...FLAGS, COMMAND, "start", "--role", role], {
        env: environment({ DRAIN_SECONDS: "0", PORT: String(port), METRICS_PORT: String(metricsPort), ...more }),
        stdio: ["ignore", "ignore", "inherit"],
      });
      onTestFinished(() => stop({ child }));
      const operations = `http://127.0.0.1:${metricsPort}`;
      await eventually(async () => expect((await fetch(`${operations}/readyz`)).status).toBe(200));
      return { child, operations, url: `http://127.0.0.1:${port}` };
    },
    /** An operator's command. */
    run: (...parameters: string[]): Promise<Ended> => runWith({}, ...parameters),
    runWith,
  };
}

export async function stop({ child }: Pick<ServiceProcess, "child">): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
