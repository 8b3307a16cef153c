import { parseArgs } from "node:util";
import { printable } from "@social-connect/contract";
import { messageOf } from "@social-connect/domain";
import { UsageError } from "./usage.ts";

/** The parsed arguments, without the command name. */
export interface Arguments {
  readonly command: CommandName;
  readonly names: readonly string[];
  readonly options: Options;
}

export interface Options {
  readonly json: boolean;
  readonly file: readonly string[];
  readonly plan: string | undefined;
  readonly out: string | undefined;
  readonly exitCode: boolean;
  readonly yes: boolean;
  readonly allowDestructive: boolean;
  readonly key: string | undefined;
  readonly limit: number;
}

/** The options of each command, and the number of client names that it takes, or any number of files. */
const COMMANDS = {
  "clients list": { options: ["json"], names: 0 },
  "clients show": { options: ["json"], names: 1 },
  "clients declare": { options: ["json"], names: 1 },
  plan: { options: ["json", "file", "out", "exit-code"], names: "files" },
  apply: { options: ["json", "file", "plan", "yes", "allow-destructive"], names: "files" },
  audit: { options: ["json", "key", "limit", "all"], names: 0 },
} as const satisfies Record<
  string,
  { readonly options: readonly (keyof typeof KNOWN)[]; readonly names: number | "files" }
>;

export type CommandName = keyof typeof COMMANDS;

const KNOWN = {
  json: { type: "boolean" },
  file: { type: "string", short: "f", multiple: true },
  plan: { type: "string" },
  out: { type: "string" },
  "exit-code": { type: "boolean" },
  yes: { type: "boolean" },
  "allow-destructive": { type: "boolean" },
  key: { type: "string" },
  limit: { type: "string" },
  all: { type: "boolean" },
} as const;

/** A secret, whole or in part: 64 hexadecimal digits, or the start of an admin key up to its dot. */
const SECRET = /[0-9a-f]{64}|scadm_[^.]{0,64}\./i;
const DEFAULT_LIMIT = 50;

/** Parses the arguments. Throws UsageError if they are invalid. */
export function readArguments(argv: readonly string[]): Arguments {
  if (argv.some((argument) => SECRET.test(argument))) {
    throw new UsageError(
      "The arguments contain a key, which is visible in the process list and stored in the shell history. Revoke it in the panel and pass the new key in the environment.",
    );
  }
  const { values, positionals } = parse(argv);
  const command = commandOf(positionals);
  const names = positionals.slice(command.split(" ").length);
  const { options, names: count } = COMMANDS[command];
  const foreign = Object.keys(values).find((name) => !(options as readonly string[]).includes(name));
  if (foreign !== undefined) throw new UsageError(`\`${command}\` does not support --${foreign}.`);
  if (count !== "files" && names.length !== count) {
    throw new UsageError(
      count === 0 ? `\`${command}\` takes no names.` : `\`${command}\` takes the slug or id of one client.`,
    );
  }
  return {
    command,
    names,
    options: {
      json: values.json ?? false,
      // A shell expands `-f clients/*.yaml` to one -f and several names.
      file: [...(values.file ?? []), ...(count === "files" ? names : [])],
      plan: values.plan,
      out: values.out,
      exitCode: values["exit-code"] ?? false,
      yes: values.yes ?? false,
      allowDestructive: values["allow-destructive"] ?? false,
      key: values.key,
      limit: values.all ? Number.POSITIVE_INFINITY : limitOf(values.limit),
    },
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: KNOWN, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ""] = messageOf(error).split(/\. |\n/);
    throw new UsageError(`${printable(sentence).replace(/\.$/, "")}.`);
  }
}

function commandOf(positionals: readonly string[]): CommandName {
  const names = Object.keys(COMMANDS) as CommandName[];
  const command = names.find((name) => name.split(" ").every((word, index) => positionals[index] === word));
  if (command !== undefined) return command;
  throw new UsageError(
    positionals.length === 0 ? "Missing command." : `Unknown command: ${printable(positionals.slice(0, 2).join(" "))}.`,
  );
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError("--limit must be a whole number of at least 1.");
  return limit;
}
