import { ConfigurationError } from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";
import { createAdmin } from "../createAdmin.ts";
import { printable } from "../plan/printable.ts";
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
  return createAdmin(optionsOf(context, "READ"));
}

export function writerOf(context: CommandIo): AdminWriter {
  return createAdmin(optionsOf(context, "WRITE"));
}

function optionsOf<Scope extends AdminScope>(context: CommandIo, scope: Scope): AdminOptions<Scope> {
  const { environment, fetch, clock } = context;
  const read = (name: string) => {
    const value = environment[name];
    if (!value) throw new ConfigurationError(`${name} is not set in the environment.`);
    // Variables that are read from a file often end with a line break.
    return value.trim();
  };
  const rest = { ...(fetch && { fetch }), ...(clock && { clock }) };
  return { host: read(HOST_VARIABLE), key: read(KEY_VARIABLE), scope, ...rest };
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
    throw new NoInputError(`${printable(path)} cannot be read${codeIn(error)}.`);
  }
}

export async function writeOutput({ writeFile }: CommandIo, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    const problem = codeIn(error) === " (ELOOP)" ? "is a symbolic link" : `cannot be written${codeIn(error)}`;
    throw new NoOutputError(`${printable(path)} ${problem}. Choose another file with \`--out\`.`);
  }
}

/** The system's error code in parentheses. */
function codeIn(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}
