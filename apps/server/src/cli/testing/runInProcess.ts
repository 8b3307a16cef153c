import { format } from "node:util";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { vi } from "vitest";
import type { EndedCommand } from "../../../../../packages/testkit/src/harness/watchOutput.ts";
import { runCommandLine } from "../runCommandLine.ts";
import type { Environment } from "./commandLine.ts";

/**
 * Runs an operator's command in this process, which is cheaper than the start of a program. Not for commands that wait
 * for a signal, and not for two commands at the same time.
 */
export async function runInProcess(
  parameters: readonly string[],
  environment: Environment = {},
): Promise<EndedCommand> {
  const own = { environment: process.env, exitCode: process.exitCode };
  const output: Record<"log" | "error", string[]> = { log: [], error: [] };
  const record = (name: keyof typeof output) =>
    vi.spyOn(console, name).mockImplementation((...values) => void output[name].push(format(...values)));
  const spies = [record("log"), record("error")];
  process.env = { ...INHERITED_ENVIRONMENT, LOG_LEVEL: "warn", ...environment };
  process.exitCode = undefined;
  try {
    const exitCode = await runCommandLine(parameters);
    return { exitCode, stdout: output.log.join("\n").trim(), stderr: output.error.join("\n").trim() };
  } finally {
    process.env = own.environment;
    process.exitCode = own.exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
