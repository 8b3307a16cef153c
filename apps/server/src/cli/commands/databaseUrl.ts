import { chownSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { type DatabaseAddress, describeDatabaseUrl, moveDatabaseUrl } from "../../config/databaseUrl.ts";
import { readNamedSecret, SecretSourceError } from "../../config/secretSources.ts";
import { jsonOption, type OutputOptions, UsageError } from "./operator.ts";
import { print, table } from "./output.ts";

type Options = DatabaseAddress & OutputOptions & { readonly print?: boolean };

/** A line of an environment file. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?DATABASE_(?:DIRECT_)?URL=/;

export function addDatabaseUrlCommand(program: Command): void {
  program
    .command("database-url")
    .summary("show where database URLs lead, or make them lead to another database or host")
    .description(
      "Show where the database URLs in files lead, without their passwords. With --database or --host the files are changed, all " +
        "of them or none. A file contains one URL, or lines such as DATABASE_URL=…. Without a file: those of DATABASE_URL_FILE and " +
        "DATABASE_DIRECT_URL_FILE.",
    )
    .argument("[file...]", "files with a URL")
    .option("--database <name>", "the database that they shall name")
    .option("--host <host>", "the host that they shall name, with or without :port, or the folder of a socket")
    .option("--print", "print the changed URL of the environment, with its password, and change no file")
    .addOption(jsonOption())
    .action(run);
}

function run(files: readonly string[], { database, host, print: prints = false, json = false }: Options): void {
  const address = { database, host };
  if (prints) {
    if (files.length > 0) throw new UsageError("--print is for the URL of the environment, without a file");
    const { DATABASE_URL: set, DATABASE_URL_FILE: file } = process.env;
    console.log(move("DATABASE_URL", set ?? readFile(file ?? missing()).trim(), address).after);
    return;
  }
  const named = [process.env["DATABASE_URL_FILE"], process.env["DATABASE_DIRECT_URL_FILE"]];
  const chosen = files.length > 0 ? files : named.filter((file) => file !== undefined && file !== "");
  if (chosen.length === 0) missing();
  // Every file is read before the first is changed.
  const moved = chosen.map((file) => moveFile(file ?? "", address));
  const changes = moved.flatMap(({ urls }) => urls);
  if (host !== undefined && new Set(changes.map(({ before }) => new URL(before).host)).size > 1)
    throw new UsageError("the URLs name different hosts, for example of a pooler: change one file at a time");
  for (const { file, before, after } of moved) if (before !== after) replaceFile(file, after);
  const rows = changes.map(({ file, before, after }) => ({
    file,
    before: describeDatabaseUrl(before),
    after: describeDatabaseUrl(after),
  }));
  const shown = rows.map(({ file, before, after }) => ({
    file,
    "leads to": after,
    "led to": before === after ? null : before,
  }));
  print(rows, { json, text: table(shown, "no URLs") });
}

function missing(): never {
  throw new UsageError("name a file with a URL, or set DATABASE_URL_FILE; --print also takes DATABASE_URL");
}

interface MovedUrl {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The text of a file and its URLs, before and after. */
function moveFile(file: string, address: DatabaseAddress) {
  const before = readFile(file);
  const urls: MovedUrl[] = [];
  const moveUrl = (url: string) => {
    const moved = move(file, url, address);
    urls.push({ file, ...moved });
    // A URL that already has this address is unchanged.
    return moved.before === moved.after ? url : moved.after;
  };
  const lines = before.split("\n").map((line) => moveLine(line, moveUrl));
  return { file, before, after: urls.length > 0 ? lines.join("\n") : moveUrl(before), urls };
}

/** Moves the URL of a line that sets a variable, in quotes or not; other lines are unchanged. */
function moveLine(line: string, moveUrl: (url: string) => string): string {
  const [name] = ASSIGNMENT.exec(line) ?? [];
  if (name === undefined) return line;
  const value = line.slice(name.length).trim();
  const [first = ""] = value;
  const quote = value.length > 1 && `"'`.includes(first) && value.endsWith(first) ? first : "";
  return `${name}${quote}${moveUrl(quote === "" ? value : value.slice(1, -1))}${quote}`;
}

function move(name: string, text: string, address: DatabaseAddress): Omit<MovedUrl, "file"> {
  const [before, after] = [moveDatabaseUrl(text, {}), moveDatabaseUrl(text, address)];
  if ("problem" in before) throw new Error(`${name}: ${before.problem}`);
  if ("problem" in after) throw new Error(`${name}: with this --database and --host, ${after.problem}`);
  return { before: before.url, after: after.url };
}

function readFile(file: string): string {
  try {
    return readNamedSecret("file", file);
  } catch (error) {
    if (error instanceof SecretSourceError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** With the owner and the mode of the old one, and never half of it, for example on a full disk. */
function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const { mode, uid, gid } = statSync(path);
  const written = `${path}.${process.pid}.new`;
  try {
    writeFileSync(written, `${text}\n`, { mode: mode & 0o777, flag: "wx" });
    if (process.getuid?.() === 0) chownSync(written, uid, gid);
    renameSync(written, path);
  } finally {
    rmSync(written, { force: true });
  }
}
