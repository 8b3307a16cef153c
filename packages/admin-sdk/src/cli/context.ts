import { printable } from "@social-connect/contract";
import { ConfigurationError } from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";
import { createAdmin } from "../createAdmin.ts";
import type { AdminReader } from "../reader.ts";
import { NotFoundError } from "../wire/serviceErrors.ts";
import type { AdminOptions, AdminScope } from "../wire/settings.ts";
import type { AdminWriter } from "../writer.ts";
import type { Options } from "./arguments.ts";
import type { CommandIo } from "./commandIo.ts";
import { HOST_VARIABLE, KEY_VARIABLE, NoInputError, NoOutputError } from "./usage.ts";

export interface Context extends CommandIo {
  readonly names: readonly string[];
  readonly options: Options;
}

/** The scope of the key in the environment is unknown, so commands that only read use a READ client. */
export function readerOf(context: CommandIo): AdminReader {
  return withVariables(() => createAdmin(optionsOf(context, "READ")));
}

export function writerOf(context: CommandIo): AdminWriter {
  return withVariables(() => createAdmin(optionsOf(context, "WRITE")));
}

function optionsOf<Scope extends AdminScope>(context: CommandIo, scope: Scope): AdminOptions<Scope> {
  const { environment, fetch, clock } = context;
  const read = (name: string) => {
    const value = environment[name]?.trim();
    if (!value) throw new ConfigurationError(`${name} is not set in the environment. Set it to ${MEANINGS[name]}.`);
    // Variables that are read from a file often end with a line break.
    return value;
  };
  const rest = { ...(fetch && { fetch }), ...(clock && { clock }) };
  return { host: read(HOST_VARIABLE), key: read(KEY_VARIABLE), scope, ...rest };
}

const MEANINGS: Readonly<Record<string, string>> = {
  [HOST_VARIABLE]: "the URL of the admin host, such as https://admin.example.com",
  [KEY_VARIABLE]: "an admin key, which the panel creates",
};

/** Errors of the client name its options; the command reads them from these variables. */
const VARIABLES: Readonly<Record<string, string>> = { host: HOST_VARIABLE, key: KEY_VARIABLE };

function withVariables<Client>(create: () => Client): Client {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.message.replace(/^(?:host|key)\b/, (option) => VARIABLES[option] ?? option));
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a client by its slug or id. */
export async function namedClient(admin: AdminReader, name: string, signal: AbortSignal): Promise<AdminClient> {
  const client = UUID.test(name) ? await clientById(admin, name, signal) : undefined;
  const found = client ?? (await admin.findClient(name, { signal }));
  if (found !== undefined) return found;
  throw new NotFoundError({
    code: "NOT_FOUND",
    message: "Unknown client. `clients list` shows all slugs and ids.",
  });
}

/** Returns undefined for an unknown id, because a slug can have the format of an id. */
async function clientById(admin: AdminReader, id: string, signal: AbortSignal): Promise<AdminClient | undefined> {
  try {
    return await admin.client(id, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

export async function readInput({ readFile }: CommandIo, path: string): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = codeIn(error);
    throw new NoInputError(`${printable(path)} ${INPUT_PROBLEMS[code] ?? `cannot be read (${code}). Check the file.`}`);
  }
}

const INPUT_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist. Check the path.",
  EISDIR: "is a folder. Name a file.",
  EACCES: "cannot be read (EACCES). Check its permissions.",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is not UTF-8. Save it as UTF-8.",
};

export async function writeOutput({ writeFile }: CommandIo, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    const problem = codeIn(error) === "ELOOP" ? "is a symbolic link" : `cannot be written (${codeIn(error)})`;
    throw new NoOutputError(`${printable(path)} ${problem}. Choose another file with \`--out\`.`);
  }
}

/** The system's error code. */
function codeIn(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? code : "unknown error";
}
