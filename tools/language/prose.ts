import { extname } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** A stretch of a source file that people read. */
export interface Passage {
  readonly kind: "comment" | "title" | "message";
  readonly start: number;
  readonly end: number;
}

const SCRIPTS = new Set([".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx"]);
const HASH_COMMENTS = new Set([".py", ".sh", ".yaml", ".yml", ".toml", ".graphql"]);
const SLASH_COMMENTS = new Set([".css", ".prisma", ".jsonc"]);
const TEST_CALLS = /^(?:test|it|describe|journey|suite|bench)$/;
const OTHER_LANGUAGE =
  /^\s*(?:(?:query|mutation|fragment|subscription)\b|\{)|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|WHERE)\b/;
/** A comment for textlint, separate from the text around it. */
export const DIRECTIVE = /\btextlint-(?:dis|en)able\b/;
const THREE_WORDS = /\p{L}{2,},? \p{L}+,? \p{L}{2,}/u;

export const CODE_EXTENSIONS: readonly string[] = [...SCRIPTS, ...HASH_COMMENTS, ...SLASH_COMMENTS];

/** The comments, test titles and messages of a source file, in order. */
export function passagesOf(path: string, text: string): readonly Passage[] {
  const extension = extname(path) || ".sh";
  const passages = SCRIPTS.has(extension) ? scriptPassages(path, text) : plainComments(extension, text);
  return passages.toSorted((one, other) => one.start - other.start);
}

/** The text with everything else blanked, so that every position stays what it is in the file. */
export function proseOnly(text: string, passages: readonly Passage[]): string {
  let prose = "";
  let position = 0;
  for (const { start, end, kind } of passages) {
    const inside = text.slice(start, end);
    prose += blank(text.slice(position, start)) + withoutMarkup(kind === "comment" ? withoutMarkers(inside) : inside);
    position = end;
  }
  return prose + blank(text.slice(position));
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, " ");
}

/** Comments without the characters that begin their lines. */
export function withoutMarkers(comment: string): string {
  return comment.replaceAll(/^[ \t]*(?:\/\*+|\*+\/?|\/{2,}|#+)|\*+\/$/gm, blank);
}

/** Code, addresses and links to declarations are not prose. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/`[^`\n]*`|\{@\w+ [^}]*\}|@\w+|\b[a-z]+:\/\/\S+/g, blank);
}

function scriptPassages(path: string, text: string): Passage[] {
  const { comments, program } = parseSync(path, text);
  const passages: Passage[] = [];
  const seen = new Set<number>();
  const add = (kind: Passage["kind"], { start, end }: { readonly start: number; readonly end: number }) => {
    if (seen.has(start)) return;
    seen.add(start);
    passages.push({ kind, start, end });
  };
  for (const { type, start, end } of comments) {
    const previous = passages.at(-1);
    const isDirective = DIRECTIVE.test(text.slice(previous?.start ?? start, end));
    const isNextLine = type === "Line" && previous !== undefined && /^\s*$/.test(text.slice(previous.end, start));
    if (isNextLine && !isDirective && text.startsWith("//", previous.start))
      passages[passages.length - 1] = { ...previous, end };
    else add("comment", { start, end });
  }
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title === undefined || !TEST_CALLS.test(rootOf(callee))) return;
      if (title.type === "Literal" && typeof title.value === "string") add("title", title);
      if (title.type === "TemplateLiteral") for (const quasi of title.quasis) add("title", quasi);
    },
    ImportDeclaration: ({ source }) => void seen.add(source.start),
    Literal(node) {
      if (typeof node.value === "string" && isSentence(node.value)) add("message", node);
    },
    TemplateLiteral({ quasis }) {
      if (!isSentence(quasis.map(({ value }) => value.raw).join("x"))) return;
      for (const quasi of quasis) add("message", quasi);
    },
    JSXText(node) {
      if (/\p{L}/u.test(node.value)) add("message", node);
    },
  }).visit(program);
  return passages;
}

function isSentence(text: string): boolean {
  return THREE_WORDS.test(text) && !OTHER_LANGUAGE.test(text);
}

interface Callee {
  readonly type: string;
  readonly name?: unknown;
  readonly object?: Callee;
  readonly callee?: Callee;
  readonly tag?: Callee;
}

/** `test` of `test.each(rows)` and of `` test.each`table` ``. */
function rootOf(callee: Callee): string {
  const inner = callee.object ?? callee.callee ?? callee.tag;
  if (inner !== undefined) return rootOf(inner);
  return typeof callee.name === "string" ? callee.name : "";
}

function plainComments(extension: string, text: string): Passage[] {
  const pattern = SLASH_COMMENTS.has(extension) ? /\/\*.*?\*\/|^[ \t]*\/\/.*$/gms : /^[ \t]*#.*$/gm;
  const lines = SLASH_COMMENTS.has(extension) ? /\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm : pattern;
  return [...text.matchAll(lines)].map((match) => ({
    kind: "comment" as const,
    start: match.index,
    end: match.index + match[0].length,
  }));
}
