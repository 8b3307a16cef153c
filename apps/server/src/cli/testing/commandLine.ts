import { spawn } from "node:child_process";
import { INHERITED_ENVIRONMENT, testDatabase } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import {
  planProcess,
  type ServicePlan,
  type ServiceProcess,
} from "../../../../../packages/testkit/src/harness/serviceProcess.ts";
import { SERVICE_COMMAND } from "../../../../../packages/testkit/src/harness/startedProgram.ts";
import { type EndedCommand, watchOutput } from "../../../../../packages/testkit/src/harness/watchOutput.ts";
import { folder } from "../../platform/testing/folderPerTest.ts";

export type { ServiceProcess };
export type Environment = Readonly<Record<string, string>>;

export const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;

export async function databaseUrl(options?: Parameters<typeof testDatabase>[0]): Promise<string> {
  const { url, drop } = await testDatabase(options);
  onTestFinished(drop);
  return url;
}

/** Runs a command line to its end, in the data folder of the test if it has one; a service that listens is stopped. */
export function runCommand(parameters: readonly string[], environment: Environment = {}): Promise<EndedCommand> {
  const [program, ...first] = SERVICE_COMMAND;
  const settings = { DATA_DIR: folder, LOG_LEVEL: "warn", DRAIN_SECONDS: "0" };
  const env = { ...INHERITED_ENVIRONMENT, ...settings, ...environment };
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
  const service = await planProcess({ role, environment: all, ...plan });
  await service.start();
  return service;
}
