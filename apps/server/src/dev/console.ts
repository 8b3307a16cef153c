import { extname, resolve } from "node:path";
import { printable, printableLines } from "@social-connect/contract";
import { lineOutput, type OutputName } from "../platform/log/lineOutput.ts";
import { redactText } from "../platform/log/redact.ts";
import type { DevAddresses } from "./addresses.ts";
import { type ApplicationEnvironment, describeEnvironment } from "./applicationEnvironment.ts";
import { devFilePath } from "./devFile.ts";
import type { ChildRole } from "./processes/processSupervisor.ts";
import { ADMIN_EMAIL } from "./seedData.ts";

export const DEFAULT_DATA_FOLDER = ".social-connect";

/** In a clone, the package may be of another version, or not published, and pnpm need not be installed. */
const RUNNER = extname(import.meta.url) === ".ts" ? "npx --yes pnpm@12" : "npx @social-connect/server";
const CLIENT_COMMAND = `${RUNNER} client`;
export const DEV_COMMAND = `${RUNNER} dev`;

/** Where the console writes. It drops and counts lines that the terminal does not take, as a service does with its log. */
const OUTPUTS = { log: writerOf("stdout"), error: writerOf("stderr") };

function writerOf(name: OutputName): (text: string) => void {
  return (text) => {
    const output = lineOutput(name);
    output.role = "dev";
    output.write(`${text}\n`);
  };
}

/** What a developer sees in the terminal: little unless something fails. */
export function createConsole(isVerbose: boolean, dataFolder: string, { log, error } = OUTPUTS) {
  let isDatabaseAway = false;
  const addCommand = `${CLIENT_COMMAND} add${dataOption(dataFolder)}`;
  const showsAll = isVerbose || process.env["LOG_LEVEL"] !== undefined;
  return {
    line(role: ChildRole, stream: "stdout" | "stderr", line: string): void {
      // Each lost connection is a warning, and `databaseRestart` has reported the reason.
      if (isDatabaseAway && !isVerbose && line.startsWith('{"level":"warn"')) return;
      const text = showsAll || stream === "stderr" ? line : logged(line);
      // Messages of the service do not know the data folder.
      const shown = text?.replace("npx @social-connect/server client add", () => addCommand);
      if (shown !== undefined) error(`[${role}] ${printable(redactText(shown))}`);
    },
    starting(): void {
      log("[dev] Starting PostgreSQL and the service. The first start creates the database and takes longer.");
    },
    restart(role: ChildRole, reason: string): void {
      error(`[dev] the ${role} process ended (${printable(reason)}); restarting it`);
    },
    databaseRestart(): void {
      isDatabaseAway = true;
      log("[dev] The embedded database stopped unexpectedly; dev is restarting it with its data.");
    },
    databaseRestarted(): void {
      isDatabaseAway = false;
    },
    failure(cause: unknown): void {
      error(`[dev] ${printableLines(cause instanceof Error ? cause.message : String(cause))}`);
    },
    ready(
      addresses: DevAddresses,
      { hasMovableClock, hasPanel }: { readonly hasMovableClock: boolean; readonly hasPanel: boolean },
    ): void {
      const rows: [string, string][] = [
        ["example", addresses.example],
        ...(hasPanel
          ? [["admin panel", `${addresses.server}/panel  (sign in as ${ADMIN_EMAIL})`] as [string, string]]
          : []),
        ["consumer API", `${addresses.server}/graphql`],
        ["schema", `${addresses.server}/schema.graphql`],
        ["simulator", addresses.simulator],
        ...Object.entries(addresses.providers),
        ["issuer", addresses.issuer],
        ...(hasMovableClock
          ? [["clock", `${addresses.clock}  (POST /advance {"advanceMs": 600000})`] as [string, string]]
          : []),
        ["keys and more", devFilePath(dataFolder)],
      ];
      const width = Math.max(...rows.map(([name]) => name.length));
      log(rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n"));
    },
    /** The environment of an integrator's own application, and how to register it. Never prints the key. */
    ownApplication(environment: ApplicationEnvironment, file: string | null): void {
      const lines = [
        "",
        "  Your own application runs with these environment variables:",
        describeEnvironment(environment, devFilePath(dataFolder), "    "),
        file === null
          ? "  --write-env .env writes them to a file, with the key."
          : `  They are in ${file}, with the key. Keep that file out of version control.`,
      ];
      if (environment.RETURN_URL === undefined) {
        lines.push("  Before its users can connect, register where they return. In another terminal:");
        lines.push(`    ${addCommand} --return-url http://localhost:3000/connected --write-env .env`);
      }
      log([...lines, "", "  Press Ctrl-C to stop everything."].join("\n"));
    },
  };
}

/** The option that names the data folder in a command, unless it is the default of the working directory. */
export function dataOption(dataFolder: string): string {
  if (dataFolder === resolve(DEFAULT_DATA_FOLDER)) return "";
  return ` --data ${/^[\w./:@%+-]+$/.test(dataFolder) ? dataFolder : JSON.stringify(dataFolder)}`;
}

/** Events of the security log that repeat a refused call. Without a correlation id, the event is of a page. */
const CALL_EVENT = /^(?:api\.\w+|admin\.(?:operation|transport)_refused|panel\.request_forged)$/;
const FOREIGN_ORIGIN_REMEDY =
  "A launch form came from an origin that is not registered; the page names it. Register it with `npx @social-connect/server client add --origin URL`.";

/** What is shown of a line on standard output: a refused call as one readable line, and other warnings unchanged. */
export function logged(line: string): string | null {
  const entry = entryOf(line);
  if (entry?.level === "debug") return refusedCall(entry);
  if (entry?.msg === "event delivery") return delivery(entry);
  if (entry === null || !["warn", "error", "fatal"].includes(entry.level ?? "")) return null;
  const { event = "", suppressedEvent = "", reason, correlationId } = entry;
  if (CALL_EVENT.test(event) && typeof correlationId === "string") return null;
  // The number of calls whose entries the security log omitted.
  if (event === "security_log.suppressed" && /^(?:api|admin)\./.test(suppressedEvent)) return null;
  if (/^(?:connect|identity)\.origin_refused$/.test(event) && reason === "foreign origin") return FOREIGN_ORIGIN_REMEDY;
  return line;
}

type Entry = Partial<Record<string, string>>;

function entryOf(line: string): Entry | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return null;
  }
}

/** An event that was sent, or was not. The first problem is of the code in the receiver. */
function delivery({ type, origin, attempt, responseStatus, problem, status, eventId }: Entry): string {
  const result = responseStatus ?? problem ?? "no answer";
  const again = status === "WAITING" ? ", and is sent again" : "";
  return `${type} to ${origin}: ${result} (attempt ${attempt}, event ${eventId})${again}`;
}

function refusedCall({ msg = "", operation = "other", code, answered, correlationId }: Entry): string | null {
  const [, api] = /^(\w+) operation failed$/.exec(msg) ?? [];
  if (api === undefined) return null;
  const what = ["other", "multiple"].includes(operation) ? `A call to the ${api} API` : operation;
  return `${what} was refused: ${code}. ${answered} (correlation id ${correlationId})`;
}
