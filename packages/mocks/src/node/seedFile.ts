import { open } from "node:fs/promises";
import { extname } from "node:path";
import { utf8Text } from "@social-connect/domain";
import { type Alias, type Document, isMap, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { ConsumerMock } from "../mock/consumerMock.ts";
import type { MockOptions } from "../mock/options.ts";
import { type DataPath, MockMisuseError } from "../util/misuse.ts";

/** The content of a seed file: options of a mock as JSON or YAML, described by `seed.schema.json` of this package. */
export interface SeedFile extends Omit<MockOptions, "now" | "baseUrl" | "connectHost" | "adminHost"> {
  /** The URL of the JSON schema, for editors. */
  readonly $schema?: string;
  /** The start of the clock, such as `2026-03-01T09:00:00Z`, or `system`. */
  readonly now?: string | number;
}

/** Options that depend on where the mock is served. */
const SERVER_OPTIONS = ["baseUrl", "connectHost", "adminHost"];

/** Several 10,000 posts. */
const MAX_BYTES = 4 * 1_024 * 1_024;

/**
 * Reads and validates a seed file. Files that end in `.json` are JSON, others YAML. Pass the result to `createConsumerMock` or
 * `serveMock`. Rejects with a MockMisuseError that names the file, the line and the part.
 */
export async function readSeedFile(file: string): Promise<Omit<SeedFile, "$schema">> {
  const text = await readText(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const failAt = (offset: number, message: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new MockMisuseError(`${file}:${line}:${col}: ${message}`);
  };
  const isJson = extname(file) === ".json";
  if (isJson) checkJson(text, failAt);
  // Unknown tags are warnings; their values would be used without them.
  const [invalid] = [...document.errors, ...document.warnings];
  if (invalid !== undefined)
    return failAt(invalid.pos[0], `${sentence(invalid.message)} Correct the ${isJson ? "JSON" : "YAML"}.`);
  const problem = problemIn(document, isJson ? "JSON" : "YAML");
  if (problem !== null) return failAt(problem.offset, problem.message);
  if (!isMap(document.contents)) return failAt(0, "A seed file contains an object, such as `seed: library`.");
  try {
    const { $schema: _, ...options } = document.toJS({ maxAliasCount: MAX_ALIASES }) as SeedFile;
    const unusable = SERVER_OPTIONS.find((name) => name in options);
    if (unusable !== undefined)
      throw new MockMisuseError(`\`${unusable}\` follows from --host and --port. Remove it.`, [unusable]);
    // Validates everything, including rules of the service.
    new ConsumerMock(options);
    return options;
  } catch (error) {
    if (error instanceof MockMisuseError) return failAt(offsetOf(document.contents, error.path), error.message);
    if (Object(error).name === "ReferenceError") return failAt(0, "Too many aliases. Write the values out.");
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file).catch((error: NodeJS.ErrnoException) => {
    throw new MockMisuseError(`The seed file ${file} cannot be read (${error.code}). Check its path.`);
  });
  if (bytes === null) throw new MockMisuseError(`The seed file ${file} is larger than 4 MB. Shorten it.`);
  const text = utf8Text(bytes);
  if (text === null) throw new MockMisuseError(`The seed file ${file} is not UTF-8. Save it as UTF-8.`);
  // Some editors write a byte order mark, which JSON does not allow.
  return text.replace(/^\uFEFF/, "");
}

/** null for a file that is too large. */
async function readBytes(file: string): Promise<Uint8Array | null> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return size > MAX_BYTES ? null : await handle.readFile();
  } finally {
    await handle.close();
  }
}

const MAX_ALIASES = 100;

interface Problem {
  readonly offset: number;
  readonly message: string;
}

/** The parser compares each key of an object with all others, and searches the file for each alias: 60,000 took minutes. */
function problemIn(document: Document.Parsed, format: string): Problem | null {
  const aliases: Alias[] = [];
  let found: Problem | null = null;
  const stop = (node: unknown, message: string) => {
    const { range } = node as { readonly range?: readonly number[] };
    found = { offset: range?.[0] ?? 0, message };
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_, alias) => {
      aliases.push(alias);
      return aliases.length > MAX_ALIASES ? stop(alias, "Too many aliases. Write the values out.") : undefined;
    },
    Map: (_, { items }) => {
      const names = new Set<string>();
      const again = items.find(({ key }) => names.size === names.add(String(key)).size);
      return again && stop(again.key, `Map keys must be unique. Correct the ${format}.`);
    },
  });
  const unknown = found === null ? aliases.find((alias) => alias.resolve(document) === undefined) : undefined;
  if (unknown !== undefined) stop(unknown, `There is no anchor &${unknown.source} before this alias. Add it.`);
  return found;
}

function checkJson(text: string, failAt: (offset: number, message: string) => never): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    failAt(position, `This is not valid JSON. Correct it, or name the file .yaml.`);
  }
}

/** The start of the innermost part of the path that the file contains. */
function offsetOf(contents: unknown, path: DataPath): number {
  let offset = 0;
  let node = contents;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === part);
      if (pair === undefined) return offset;
      offset = (pair.key as { readonly range?: readonly number[] }).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = (node as { readonly range?: readonly number[] } | undefined)?.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
