import { onTestFinished } from "vitest";
import { type Environment, runCommand, type ServiceProcess, startProcess } from "../../cli/testing/commandLine.ts";

export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Processes and commands of the service, as an operator starts them. */
export function serviceProcesses(common: () => Environment) {
  /** An operator's command, with other settings. */
  const runWith = async (more: Environment, ...parameters: string[]): Promise<Ended> => {
    const environment = { LOG_LEVEL: "silent", ...common(), ...more };
    const { exitCode, stdout, stderr } = await runCommand(parameters, environment);
    return { exitCode, output: [stdout, stderr].join("\n") };
  };
  return {
    /** Starts a process, which the test stops at its end, and waits until it is ready. */
    start: async (role: "api" | "worker" | "both", more: Environment = {}): Promise<ServiceProcess> => {
      const started = await startProcess(role, { LOG_LEVEL: "silent", ...common(), ...more });
      onTestFinished(() => started.stop());
      return started;
    },
    /** An operator's command. */
    run: (...parameters: string[]): Promise<Ended> => runWith({}, ...parameters),
    runWith,
  };
}
