import { reservePort } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import { type Environment, type ServiceProcess, startProcess } from "../../cli/testing/commandLine.ts";
import { runInProcess } from "../../cli/testing/runInProcess.ts";
import { type Role, readSettings } from "../../config/settings.ts";
import { startServer } from "../../main.ts";
import type { Scraped } from "./scrape.ts";

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

export interface StartedService extends Scraped {
  readonly url: string;
  stop(): Promise<void>;
}

/** Processes and commands of the service, as an operator starts them. */
export function serviceProcesses(common: () => Environment) {
  const environmentWith = (more: Environment) => ({ LOG_LEVEL: "silent", ...common(), ...more });
  /** An operator's command, with other settings. */
  const runWith = async (more: Environment, ...parameters: string[]): Promise<Ended> => {
    const { exitCode, stdout, stderr } = await runInProcess(parameters, environmentWith(more));
    return { exitCode, output: [stdout, stderr].join("\n") };
  };
  return {
    /** Starts a process, which the test stops at its end, and waits until it is ready. */
    start: async (role: Role, more: Environment = {}): Promise<ServiceProcess> => {
      const started = await startProcess(role, environmentWith(more));
      onTestFinished(() => started.stop());
      return started;
    },
    /** Starts the same in this process, where that makes no difference. */
    startHere: async (role: Role): Promise<StartedService> => {
      const [port, metricsPort] = [await reservePort(), await reservePort()];
      const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), DRAIN_SECONDS: "0" };
      const { address, stop } = await startServer(readSettings(environmentWith(ports), { role }));
      onTestFinished(() => stop());
      return { url: address ?? "", operations: `http://127.0.0.1:${metricsPort}`, stop };
    },
    run: (...parameters: string[]): Promise<Ended> => runWith({}, ...parameters),
    runWith,
  };
}
