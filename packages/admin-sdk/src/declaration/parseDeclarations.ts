import {
  type Document,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type LineCounter as Lines,
  parseDocument,
  visit,
} from "yaml";
import { checkDeclaration, type Locate, problemIn, rememberPlaces } from "./checkDeclaration.ts";
import type { ClientDeclaration } from "./declaration.ts";
import { DeclarationError, type DeclarationProblem, type Path, placeOf } from "./declarationError.ts";

const MAX_FILE_CHARACTERS = 4 * 1024 * 1024;
/** A broken file has a problem in each line. */
const MAX_SYNTAX_PROBLEMS = 20;
const MAX_ALIASES = 100;

/**
 * Reads declarations from YAML or JSON: one client, or a list under `clients`. Validates each one and throws
 * DeclarationError, whose problems name file, line, column and field.
 *
 * `source` is the name of the file in messages.
 */
export function parseDeclarations(text: string, { source }: { readonly source?: string } = {}): ClientDeclaration[] {
  const lines = new LineCounter();
  if (text.length > MAX_FILE_CHARACTERS) throw refusal(source, "the file is too long");
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
  });
  const found = [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_PROBLEMS);
  if (found.length === 0)
    refuseExcess(document, (offset, message) => {
      const { line, col } = lines.linePos(offset);
      return new DeclarationError([{ place: "", message, source, line, column: col }]);
    });
  const broken = found.map(({ code, pos }): DeclarationProblem => {
    // The parser's own message can quote the file, which may contain secrets.
    const { line, col } = lines.linePos(pos[0]);
    return { place: "", message: `invalid YAML or JSON (${code})`, source, line, column: col };
  });
  if (broken.length > 0) throw new DeclarationError(broken);
  const entries = entriesOf(readValue(document, source), source);
  const problems: DeclarationProblem[] = [];
  const slugs = new Set<string>();
  for (const { value, path } of entries) {
    if (typeof value === "object" && value !== null) rememberPlaces(value, locator(document, lines, path, source));
    const found = problemsOf(value, { place: placeOf(path), source });
    problems.push(...found);
    const slug: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "slug") : undefined;
    if (typeof slug !== "string" || found.length > 0) continue;
    if (slugs.has(slug)) problems.push(problemIn(value, ["slug"], "duplicate slug in this file"));
    slugs.add(slug);
  }
  if (problems.length > 0) throw new DeclarationError(problems);
  return entries.map(({ value }) => value as ClientDeclaration);
}

interface Entry {
  readonly value: unknown;
  readonly path: Path;
}

/** The parser compares each key of an object with all others, and searches the file for each alias: 60,000 took minutes. */
function refuseExcess(document: Document, problemAt: (offset: number, message: string) => DeclarationError): void {
  let aliases = 0;
  visit(document, {
    Alias: (_key, { range }) => {
      aliases += 1;
      if (aliases > MAX_ALIASES)
        throw problemAt(range?.[0] ?? 0, `more than ${MAX_ALIASES} aliases; write the values out`);
    },
    Map: (_key, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        if (names.has(name))
          throw problemAt((isScalar(key) && key.range?.[0]) || 0, "invalid YAML or JSON (DUPLICATE_KEY)");
        names.add(name);
      }
    },
  });
}

function readValue(document: Document, source: string | undefined): unknown {
  try {
    return document.toJS();
  } catch {
    throw refusal(source, "the anchors and aliases cannot be resolved");
  }
}

function entriesOf(value: unknown, source: string | undefined): readonly Entry[] {
  if (value === null || value === undefined) throw refusal(source, "the file is empty");
  const clients: unknown = typeof value === "object" ? Reflect.get(value, "clients") : undefined;
  if (clients === undefined) return [{ value, path: [] }];
  const isListAlone = Array.isArray(clients) && Object.keys(value).length === 1;
  if (!isListAlone) throw refusal(source, "clients must be a list, and the only field of the file");
  return clients.map((client: unknown, index) => ({ value: client, path: ["clients", index] }));
}

function problemsOf(value: unknown, otherwise: Partial<DeclarationProblem>): readonly DeclarationProblem[] {
  try {
    checkDeclaration(value);
    return [];
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    return error.problems.map((problem) => ({ ...otherwise, ...problem }));
  }
}

/** Finds the position of a field in the file; for a missing field, the position of its nearest parent. */
function locator(document: Document, lines: Lines, base: Path, source: string | undefined): Locate {
  return (path, what) => {
    const place = placeOf([...base, ...path]);
    for (let length = path.length; length >= 0; length -= 1) {
      const at = [...base, ...path.slice(0, length)];
      const start = what === "key" && length === path.length ? keyStart(document, at) : valueStart(document, at);
      if (start === undefined) continue;
      const { line, col } = lines.linePos(start);
      return { place, source, line, column: col };
    }
    return { place, source };
  };
}

function valueStart(document: Document, path: Path): number | undefined {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const range: unknown = typeof node === "object" && node !== null ? Reflect.get(node, "range") : undefined;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

function keyStart(document: Document, path: Path): number | undefined {
  const holder: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(holder)) return undefined;
  const pair = holder.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === path.at(-1),
  );
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? undefined) : undefined;
}

function refusal(source: string | undefined, message: string): DeclarationError {
  return new DeclarationError([{ place: "", message, source }]);
}
