import { extname, resolve } from "node:path";
import { redactText } from "../platform/redact.ts";
import type { DevAddresses } from "./addresses.ts";
import { type ApplicationEnvironment, describeEnvironment } from "./applicationEnvironment.ts";
import { devFilePath } from "./devFile.ts";
import type { ChildRole } from "./processes/processSupervisor.ts";
import { ADMIN_EMAIL } from "./seedData.ts";

export const DEFAULT_DATA_FOLDER = ".social-connect";

/** In a clone, the package may be of another version, or not published, and pnpm need not be installed. */
const CLIENT_COMMAND =
  extname(import.meta.url) === ".ts" ? "npx --yes pnpm@12 client" : "npx @social-connect/server client";

/** What a developer sees in the terminal: little unless something fails. */
export function createConsole(isVerbose: boolean, dataFolder: string) {
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
      if (shown !== undefined) console.error(`[${role}] ${redactText(shown)}`);
    },
    restart(role: ChildRole, reason: string): void {
      console.error(`[dev] the ${role} process ended (${reason}); restarting it`);
    },
    databaseRestart(): void {
      isDatabaseAway = true;
      console.log("[dev] The embedded database stopped unexpectedly; dev is restarting it with its data.");
    },
    databaseRestarted(): void {
      isDatabaseAway = false;
    },
    failure(error: unknown): void {
      console.error(`[dev] ${error instanceof Error ? error.message : String(error)}`);
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
      console.log(rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join("\n"));
    },
    /** The environment of an integrator's own application, and how to register it. Never prints the key. */
    ownApplication(environment: ApplicationEnvironment, file: string | null): void {
      const lines = [
        "Your own application runs with these environment variables:",
        describeEnvironment(environment, devFilePath(dataFolder), "  "),
        file === null
          ? "--write-env .env writes them to a file, with the key."
          : `They are in ${file}, with the key. Keep that file out of version control.`,
      ];
      if (environment.RETURN_URL === undefined) {
        lines.push("Before its users can connect, register where they return. In another terminal:");
        lines.push(`  ${addCommand} --return-url http://localhost:3000/connected --write-env .env`);
      }
      console.log(["", ...lines, "", "Press Ctrl-C to stop everything."].join("\n").replaceAll(/^(?=.)/gm, "  "));
    },
  };
}

/** The option that names the data folder in a command, unless it is the default of the working directory. */
export function dataOption(dataFolder: string): string {
  if (dataFolder === resolve(DEFAULT_DATA_FOLDER)) return "";
  return ` --data ${/^[\w./:@%+-]+$/.test(dataFolder) ? dataFolder : JSON.stringify(dataFolder)}`;
}

/** The security log of a call, which is shown as a refused one. Without a correlation id it is of a page and has no second line. */
const SECURITY_OF_CALL =
  /^\{"level":"warn"(?=.*"correlationId":").*"event":"(?:api\.\w+|admin\.(?:operation|transport)_refused|panel\.request_forged)"/;
/** The number of lines of such calls that the security log omitted. */
const SUPPRESSED_OF_CALLS = /^\{"level":"warn".*"event":"security_log\.suppressed","suppressedEvent":"(?:api|admin)\./;
const REFUSED_ORIGIN = /^\{"level":"warn".*"event":"(?:connect|identity)\.origin_refused"/;
const FOREIGN_ORIGIN_REMEDY =
  "A launch form came from an origin that is not registered; the page names it. Register it with `npx @social-connect/server client add --origin URL`.";
const FAILED_CALL = /^\{"level":"debug".*"msg":"(\w+) operation failed"\}$/;

/** What is shown of a line on standard output: a refused call as one readable line, and other warnings unchanged. */
export function logged(line: string): string | null {
  if (SECURITY_OF_CALL.test(line) || SUPPRESSED_OF_CALLS.test(line)) return null;
  if (REFUSED_ORIGIN.test(line) && line.includes('"reason":"foreign origin"')) return FOREIGN_ORIGIN_REMEDY;
  if (/^\{"level":"(?:warn|error|fatal)"/.test(line)) return line;
  const [, api] = FAILED_CALL.exec(line) ?? [];
  if (api === undefined) return null;
  const { operation = "other", code, answered, correlationId }: Partial<Record<string, string>> = JSON.parse(line);
  const what = ["other", "multiple"].includes(operation) ? `A call to the ${api} API` : operation;
  return `${what} was refused: ${code}. ${answered} (correlation id ${correlationId})`;
}
