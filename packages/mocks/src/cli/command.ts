import { parseArgs } from "node:util";
import { systemCodeOf } from "@social-connect/domain";
import { SCENARIO_NAMES, SCENARIOS } from "../scenarios/scenarios.ts";
import { type CommandIo, UsageError } from "./commandIo.ts";
import { DRIFT_USAGE, drift } from "./driftCommand.ts";
import { RECORD_USAGE, record, replay } from "./recordCommand.ts";
import { SERVE_USAGE, serve } from "./serveCommand.ts";

const USAGE = `social-connect-mocks COMMAND [options]

${SERVE_USAGE}

${DRIFT_USAGE}

${RECORD_USAGE}

scenarios    lists the scenarios`;

/** Runs `social-connect-mocks` and returns its exit code: 0 for success, 1 for drift, 2 for an error. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (args.includes("--help") || args.includes("-h")) {
      io.print(USAGE);
      return 0;
    }
    switch (name) {
      case "serve":
        return await serve(rest, io);
      case "drift":
        return await drift(rest, io);
      case "record":
        return await record(rest, io);
      case "replay":
        return await replay(rest, io);
      case "scenarios":
        parseArgs({ args: rest });
        io.print(listOfScenarios());
        return 0;
      case "help":
        io.print(USAGE);
        return 0;
      default:
        throw new UsageError(name === undefined ? "Name a command." : `Unknown command ${name}.`);
    }
  } catch (error) {
    if (!isUsageError(error)) throw error;
    io.warn(`${error.message}\n\`social-connect-mocks --help\` shows the usage.`);
    return 2;
  }
}

function listOfScenarios(): string {
  const width = Math.max(...SCENARIO_NAMES.map((name) => name.length));
  return SCENARIO_NAMES.map((name) => `${name.padEnd(width)}  ${SCENARIOS[name].summary}`).join("\n");
}

/** Includes errors of `parseArgs`. */
function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || systemCodeOf(error)?.startsWith("ERR_PARSE_ARGS") === true;
}
