import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { confirm, isCancel, select, text } from "@clack/prompts";
import { createApplication, FilesExistError, unknownTemplate } from "./createApplication.ts";
import { DEFAULT_PORT, ownVersion } from "./planFiles.ts";
import { findTemplate, TEMPLATES, type TemplateName } from "./templates.ts";

export interface Surroundings {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Whether a person can answer questions. */
  readonly isTerminal: boolean;
  /** The package manager that runs this, as npm describes it: `npm/11.0.0 node/v24.0.0 …`. */
  readonly userAgent: string;
  readonly printError: (line: string) => void;
}

const NAMES = TEMPLATES.map(({ name }) => name).join(", ");
const HELP = `Usage: npm create @social-connect@latest [folder] -- [options]

Creates an application whose users link their social accounts.

Options
  --template NAME   ${NAMES}
  --port NUMBER     the port of the application (default: ${DEFAULT_PORT})
  --overwrite       replace existing files
  -h, --help    --version
`;

const FAILED = 1;
const WRONG_USAGE = 2;

class UsageError extends Error {}
class AbortedError extends Error {}

/** Returns the exit code. */
export async function main(parameters: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output, printError } = surroundings;
  try {
    output.write(await run(parameters, surroundings));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      printError(error.message);
      printError("--help lists the options.");
      return WRONG_USAGE;
    }
    printError(explain(error as Error));
    return FAILED;
  }
}

function explain(error: Error): string {
  if ("syscall" in error) return `${error.message}. Choose another folder, or correct its permissions.`;
  if (!(error instanceof FilesExistError)) return error.message;
  return `${error.message} Nothing was written. Choose another folder, or pass --overwrite to replace the files.`;
}

async function run(parameters: readonly string[], surroundings: Surroundings): Promise<string> {
  const { values, positionals } = parse(parameters);
  if (values.help) return HELP;
  if (values.version) return `${await ownVersion()}\n`;
  const port = readPort(values.port);
  // npm takes options for itself that are not after `--`; what remains of `--template express` is `express`.
  const [chosenFolder, chosenTemplate = undefined, ...others] = positionals;
  if (chosenFolder === "") throw new UsageError("The folder must not be empty.");
  if (others.length > 0) throw new UsageError(`Name one folder, not ${positionals.join(" ")}.`);
  const wanted = values.template ?? chosenTemplate;
  if (wanted !== undefined && findTemplate(wanted) === undefined) throw new UsageError(unknownTemplate(wanted));
  const questions = surroundings.isTerminal ? ask(surroundings) : null;
  const folder = chosenFolder ?? (await questions?.folder()) ?? ".";
  const template = wanted ?? (await questions?.template());
  if (template === undefined) throw new UsageError(`Choose a template with --template: ${NAMES}.`);
  const { written, notes } = await createApplication({
    folder,
    template: template as TemplateName,
    port,
    confirmOverwrite: async (paths) => values.overwrite || (await questions?.overwrite(paths)) || false,
  });
  return report({ folder, template, port, written, notes, runner: runnerOf(surroundings.userAgent) });
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        template: { type: "string", short: "t" },
        port: { type: "string" },
        overwrite: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`--port must be a whole number from 1 to 65535, not ${JSON.stringify(text)}.`);
}

function ask({ input, output }: Surroundings) {
  const ended = new AbortController();
  input.once("end", () => ended.abort());
  const streams = { input: input as Readable, output: output as Writable, signal: ended.signal };
  const answered = async <Answer>(answer: Promise<Answer>): Promise<Exclude<Answer, symbol>> => {
    const value = await answer;
    if (isCancel(value)) throw new AbortedError("Nothing was written.");
    return value as Exclude<Answer, symbol>;
  };
  return {
    folder: () => answered(text({ ...streams, message: "Folder", placeholder: "my-app", defaultValue: "my-app" })),
    template: () =>
      answered(
        select({
          ...streams,
          message: "Framework",
          options: TEMPLATES.map(({ name, title }) => ({ value: name, label: title })),
        }),
      ),
    overwrite: (paths: readonly string[]) =>
      answered(
        confirm({
          ...streams,
          message: `These files exist: ${paths.join(", ")}. Replace them?`,
          initialValue: false,
        }),
      ),
  };
}

interface Report {
  readonly folder: string;
  readonly template: string;
  readonly port: number;
  readonly written: readonly string[];
  readonly notes: readonly string[];
  readonly runner: string;
}

function report({ folder, template, port, written, notes, runner }: Report): string {
  const commands = [
    ...(resolve(folder) === process.cwd() ? [] : [`cd ${/[^\w./-]/.test(folder) ? `"${folder}"` : folder}`]),
    `${runner} install`,
    `${runner} run service    (first terminal: Social Connect with simulated providers)`,
    `${runner} run dev        (second terminal: your application)`,
  ];
  return [
    `Created the ${findTemplate(template)?.title} application in ${folder}: ${written.join(", ") || "nothing was missing"}.`,
    ...notes,
    "",
    "Next:",
    ...commands.map((command) => `  ${command}`),
    "",
    `Then open http://localhost:${port} and press Connect.`,
    "",
  ].join("\n");
}

function runnerOf(userAgent: string): string {
  return /^(pnpm|yarn|bun)\//.exec(userAgent)?.[1] ?? "npm";
}
