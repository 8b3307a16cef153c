import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testDatabase } from "@social-connect/testkit";
import { onTestFinished } from "vitest";
import { folder as dataFolder } from "../../platform/testing/folderPerTest.ts";

export const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;
const COMMAND = fileURLToPath(new URL("../cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line to its end, in the data folder of the test; a service that listens is stopped. */
export async function runCommand(
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, ...parameters], {
    env: { PATH: process.env.PATH, DATA_DIR: dataFolder, LOG_LEVEL: "warn", DRAIN_SECONDS: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
    if (stdout.includes("listening at")) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  await once(child, "close");
  return { exitCode: child.exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** The URL of a database of this test. */
export async function databaseUrl(options?: Parameters<typeof testDatabase>[0]): Promise<string> {
  const { url, drop } = await testDatabase(options);
  onTestFinished(drop);
  return url;
}
