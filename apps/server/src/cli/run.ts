import { CommanderError } from "commander";
import { SettingsError } from "../config/settingsError.ts";
import { UsageError } from "./commands/usageError.ts";
import { describeError } from "./describeError.ts";
import { createProgram } from "./program.ts";

const parameters = process.argv.slice(2);

/** Prints the error. Returns the exit code. */
function report(error: Error): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof UsageError || error instanceof CommanderError) {
    const message = usageMessage(error);
    printForScripts(message);
    console.error(`social-connect: ${message}`);
    console.error("`social-connect help` lists the commands.");
    return 2;
  }
  if (error instanceof SettingsError) {
    printForScripts(error.message);
    console.error(`social-connect cannot start with these settings:\n${error.message}`);
  } else {
    const message = describeError(error);
    printForScripts(message);
    console.error(`social-connect: ${message}`);
    if (process.env.LOG_LEVEL === "debug") console.error(error);
  }
  return 1;
}

/** With `--json`, the output of a failed command is JSON, too. */
function printForScripts(error: string): void {
  if (parameters.includes("--json")) console.log(JSON.stringify({ error }, null, 2));
}

function usageMessage(error: Error): string {
  if (error instanceof CommanderError && error.code === "commander.help") return "a subcommand is missing";
  return error.message.replace(/^error: /, "");
}

/** A pipe takes long output in parts, and `process.exit` does not wait for the last. */
async function exit(code = process.exitCode): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream.write("", () => resolve())),
  );
  await Promise.all(written);
  process.exit(code);
}

createProgram()
  .parseAsync(parameters.length === 0 ? ["help"] : parameters, { from: "user" })
  .then(
    // Libraries may leave timers running, and everything that had to shut down has done so.
    () => exit(),
    (error: Error) => exit(report(error)),
  );
