import { testDatabase } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import type { EndedCommand } from "../../../../../packages/testkit/src/harness/watchOutput.ts";
import { folder } from "../../platform/testing/folderPerTest.ts";
import { type Environment, runCommand as run } from "./commandLine.ts";

export const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;

/** Runs a command line in the data folder of the test. */
export function runCommand(parameters: readonly string[], environment: Environment = {}): Promise<EndedCommand> {
  return run(parameters, { DATA_DIR: folder, ...environment });
}

export async function databaseUrl(options?: Parameters<typeof testDatabase>[0]): Promise<string> {
  const { url, drop } = await testDatabase(options);
  onTestFinished(drop);
  return url;
}
