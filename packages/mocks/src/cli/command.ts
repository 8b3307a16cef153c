import { parseArgs } from "node:util";
import { SCENARIO_NAMES, SCENARIOS } from "../scenarios/scenarios.ts";
import { DRIFT_USAGE, drift } from "./driftCommand.ts";
import { SERVE_USAGE, serve } from "./serveCommand.ts";

/** The world around a command: what it writes to, and what ends it. */
export interface CommandIo {
  /** Results: the only thing on standard output. */
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when somebody wants the command to end. */
  readonly untilStopped: () => Promise<void>;
}

/** The command line was wrong; the message says how it is written. */
export class UsageError extends Error {}

const USAGE = `social-connect-mocks COMMAND [options]

${SERVE_USAGE}

${DRIFT_USAGE}

scenarios    the starting points that there are`;

/** Runs `social-connect-mocks` and gives its exit code: 0 well, 1 not as wanted, 2 not as it is written. */
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
      case "scenarios":
        parseArgs({ args: rest });
        io.print(listOfScenarios());
        return 0;
      case "help":
        io.print(USAGE);
        return 0;
      default:
        throw new UsageError(name === undefined ? "Name a command." : `There is no command ${name}.`);
    }
  } catch (error) {
    if (!isUsageError(error)) throw error;
    io.warn(`${error.message}\n\`social-connect-mocks --help\` shows how the commands are written.`);
    return 2;
  }
}

function listOfScenarios(): string {
  const widest = Math.max(...SCENARIO_NAMES.map((name) => name.length));
  return SCENARIO_NAMES.map((name) => `${name.padEnd(widest)}  ${SCENARIOS[name].summary}`).join("\n");
}

/** Also what `node:util` says of options that there are not. */
function isUsageError(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
  );
}
