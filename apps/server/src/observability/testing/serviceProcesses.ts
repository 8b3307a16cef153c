import { reservePort } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import { type Environment, startProcess } from "../../cli/testing/commandLine.ts";
import { runInProcess } from "../../cli/testing/runInProcess.ts";
import { type Role, readSettings } from "../../config/settings.ts";
import { startServer } from "../../main.ts";

/** Processes and commands of the service, as an operator starts them. */
export function serviceProcesses(common: () => Environment) {
  const environmentWith = (more: Environment) => ({ LOG_LEVEL: "silent", ...common(), ...more });
  /** An operator's command, with other settings. */
  const runWith = async (more: Environment, ...parameters: string[]) => {
    const { exitCode, stdout, stderr } = await runInProcess(parameters, environmentWith(more));
    return { exitCode, output: [stdout, stderr].join("\n") };
  };
  return {
    /** Starts a process, which the test stops at its end, and waits until it is ready. */
    start: async (role: Role, more: Environment = {}) => {
      const started = await startProcess(role, environmentWith(more));
      onTestFinished(() => started.stop());
      return started;
    },
    /** Starts the same in this process, where that makes no difference. */
    startHere: async (role: Role) => {
      const [port, metricsPort] = [await reservePort(), await reservePort()];
      const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), DRAIN_SECONDS: "0" };
      const { address, stop } = await startServer(readSettings(environmentWith(ports), { role }));
      onTestFinished(() => stop());
      return { url: address ?? "", operations: `http://127.0.0.1:${metricsPort}`, stop };
    },
    run: (...parameters: string[]) => runWith({}, ...parameters),
    runWith,
  };
}
