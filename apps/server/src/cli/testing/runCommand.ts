import { testDatabase } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import { type EndedCommand, watchOutput } from "../../../../../packages/testkit/src/harness/watchOutput.ts";
import { folder as dataFolder } from "../../platform/testing/folderPerTest.ts";
import { type Environment, spawnCommand } from "./commandLine.ts";

export const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;

/** Runs a command line to its end, in the data folder of the test; a service that listens is stopped. */
export function runCommand(parameters: readonly string[], environment: Environment = {}): Promise<EndedCommand> {
  const child = spawnCommand(parameters, { DATA_DIR: dataFolder, DRAIN_SECONDS: "0", ...environment });
  child.stdin?.end();
  const stopListening = (stdout: string) => void (stdout.includes("listening at") && child.kill("SIGTERM"));
  return watchOutput(child, stopListening).ended;
}

export async function databaseUrl(options?: Parameters<typeof testDatabase>[0]): Promise<string> {
  const { url, drop } = await testDatabase(options);
  onTestFinished(drop);
  return url;
}
