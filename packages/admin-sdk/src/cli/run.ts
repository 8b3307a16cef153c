import { printableJson } from "@social-connect/contract";
import packageFile from "../../package.json" with { type: "json" };
import { applyPlans } from "./applyCommand.ts";
import { type CommandName, readArguments } from "./arguments.ts";
import { showAudit } from "./auditCommand.ts";
import { declareOne, listClients, showClient } from "./clientsCommand.ts";
import type { CommandIo } from "./commandIo.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { describeError, errorAsJson, exitCodeOf } from "./explain.ts";
import { showPlans } from "./planCommand.ts";
import { HELP, KEY_VARIABLE } from "./usage.ts";

const COMMANDS: Readonly<Record<CommandName, (context: Context) => Promise<ExitCode>>> = {
  "clients list": listClients,
  "clients show": showClient,
  "clients declare": declareOne,
  plan: showPlans,
  apply: applyPlans,
  audit: showAudit,
};

/** Runs the command with its arguments and returns the exit code. It never throws. */
export async function run(argv: readonly string[], around: CommandIo): Promise<ExitCode> {
  const io = { ...around, ...withoutKey(around) };
  if (argv.includes("--help") || argv.includes("-h") || argv[0] === "help") {
    io.print(HELP.trimEnd());
    return EXIT.done;
  }
  if (argv.includes("--version")) {
    io.print(packageFile.version);
    return EXIT.done;
  }
  try {
    const { command, names, options } = readArguments(argv);
    return await COMMANDS[command]({ ...io, names, options });
  } catch (error) {
    const isInterrupted = io.signal.aborted;
    const message = isInterrupted ? INTERRUPTED : describeError(error);
    const asJson = isInterrupted ? { name: "Interrupted", message } : errorAsJson(error);
    io.printError(argv.includes("--json") ? printableJson({ error: asJson }) : message);
    return isInterrupted ? EXIT.interrupted : exitCodeOf(error);
  }
}

const INTERRUPTED = "Interrupted. Applied steps are not undone: plan again to see the remaining steps.";

/** Removes the key from all output, as a last defence. */
function withoutKey({ environment, print, printError }: CommandIo): Pick<CommandIo, "print" | "printError"> {
  const key = environment[KEY_VARIABLE]?.trim() ?? "";
  const secrets = [key, key.slice(key.indexOf(".") + 1)].filter((secret) => secret.length >= 8);
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
  return { print: (text) => print(clean(text)), printError: (text) => printError(clean(text)) };
}
