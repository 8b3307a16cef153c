import { printableJson, printableLines } from "@social-connect/contract";
import { CommanderError } from "commander";
import { SettingsError } from "../config/settingsError.ts";
import { UsageError } from "./commands/operator.ts";
import { describeError } from "./describeError.ts";
import { createProgram } from "./program.ts";

/** Runs a command line with the environment of this process, and prints its error. Returns the exit code. */
export async function runCommandLine(parameters: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(parameters.length === 0 ? ["help"] : parameters, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error as Error, parameters.includes("--json"));
  }
}

/** Prints the error. Returns the exit code. */
function report(error: Error, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // With `--json`, the output of a failed command is JSON, too.
  const printForScripts = (message: string) => {
    if (json) console.log(printableJson({ error: message }));
  };
  if (error instanceof UsageError || error instanceof CommanderError) {
    const message = usageMessage(error);
    printForScripts(message);
    console.error(`social-connect: ${printableLines(message)}`);
    console.error("`social-connect help` lists the commands.");
    return 2;
  }
  if (error instanceof SettingsError) {
    printForScripts(error.message);
    console.error(`social-connect cannot start with these settings:\n${printableLines(error.message)}`);
  } else {
    const message = describeError(error);
    printForScripts(message);
    console.error(`social-connect: ${printableLines(message)}`);
    if (process.env.LOG_LEVEL === "debug") console.error(error);
  }
  return 1;
}

function usageMessage(error: Error): string {
  if (error instanceof CommanderError && error.code === "commander.help") return "a subcommand is missing";
  return error.message.replace(/^error: /, "");
}
