import { CommanderError } from "commander";
import { SettingsError } from "../config/settingsError.ts";
import { UsageError } from "./commands/usageError.ts";
import { describeError } from "./describeError.ts";
import { createProgram } from "./program.ts";

/** Prints the error. Returns the exit code. */
function report(error: Error): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof UsageError || error instanceof CommanderError) {
    console.error(`social-connect: ${usageMessage(error)}`);
    console.error("`social-connect help` lists the commands.");
    return 2;
  }
  if (error instanceof SettingsError) {
    console.error(`social-connect cannot start with these settings:\n${error.message}`);
  } else {
    console.error(`social-connect: ${describeError(error)}`);
    if (process.env.LOG_LEVEL === "debug") console.error(error);
  }
  return 1;
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

const parameters = process.argv.slice(2);
createProgram()
  .parseAsync(parameters.length === 0 ? ["help"] : parameters, { from: "user" })
  .then(
    // Libraries may leave timers running, and everything that had to shut down has done so.
    () => exit(),
    (error: Error) => exit(report(error)),
  );
