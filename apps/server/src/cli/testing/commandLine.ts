import { spawn } from "node:child_process";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { type ServicePlan, ServiceProcess } from "../../../../../packages/testkit/src/harness/serviceProcess.ts";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { type EndedCommand, watchOutput } from "../../../../../packages/testkit/src/harness/watchOutput.ts";

export type { ServiceProcess };
export type Environment = Readonly<Record<string, string>>;

/** Runs a command line to its end; a service that listens is stopped. */
export function runCommand(parameters: readonly string[], environment: Environment): Promise<EndedCommand> {
  const [program, ...first] = SERVICE_COMMAND;
  const env = { ...INHERITED_ENVIRONMENT, LOG_LEVEL: "warn", DRAIN_SECONDS: "0", ...environment };
  const child = spawn(program, [...first, ...parameters], { env, stdio: ["ignore", "pipe", "pipe"] });
  return watchOutput(child, (stdout) => void (stdout.includes("listening at") && child.kill("SIGTERM"))).ended;
}

/** Starts a process of the service with `social-connect start`, and waits until it is ready. */
export async function startProcess(
  role: ServicePlan["role"],
  environment: Environment,
  plan: Pick<ServicePlan, "options" | "command" | "stdout"> = {},
): Promise<ServiceProcess> {
  const all = { ...INHERITED_ENVIRONMENT, DRAIN_SECONDS: "0", ...environment };
  const service = await ServiceProcess.plan({ role, environment: all, ...plan });
  await service.start();
  return service;
}
