import { extname } from "node:path";
import type { AnyTxtNode } from "@textlint/ast-node-types";
import { parse } from "@textlint/markdown-to-ast";
import { parseSync, Visitor } from "oxc-parser";

/** A stretch of a file that people read. */
interface Passage {
  readonly kind: "comment" | "message";
  readonly start: number;
  readonly end: number;
}

const SCRIPTS = new Set([".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx"]);
const HASH_COMMENTS = new Set([".py", ".sh", ".yaml", ".yml", ".toml", ".graphql"]);
const SLASH_COMMENTS = new Set([".css", ".prisma", ".jsonc"]);
const OTHER_LANGUAGE =
  /^\s*(?:(?:query|mutation|fragment|subscription)\b|\{)|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|WHERE)\b/;
/** A comment that begins or ends an exception, separate from the text around it. */
export const DIRECTIVE = /\bwording-(disable|enable)\b(?: (?!-)([\w-]+))?/;
const TWO_WORDS = /\p{L},? \p{L}/u;

export const EXTENSIONS: ReadonlySet<string> = new Set([".md", ...SCRIPTS, ...HASH_COMMENTS, ...SLASH_COMMENTS]);

/** The text of a Markdown file, or the comments and messages of a source file, in order; the title of a test is a message. */
export function passagesOf(path: string, text: string): readonly Passage[] {
  const extension = extname(path) || ".sh";
  if (extension === ".md") return markdownPassages(text);
  const passages = SCRIPTS.has(extension) ? scriptPassages(path, text) : plainComments(extension, text);
  return passages.toSorted((one, other) => one.start - other.start);
}

/** The text of a passage. What is not prose is blanked, so that every position stays what it is. */
export function proseOf({ kind, start, end }: Passage, text: string): string {
  const inside = text.slice(start, end);
  return inside
    .replaceAll(kind === "comment" ? /^[ \t]*(?:\/\*+|\*+\/?|\/{2,}|#+)|\*+\/$/gm : /$^/g, blank)
    .replaceAll(/`[^`\n]*`|\{@\w+ [^}]*\}|@\w+|\b[a-z]+:\/\/\S+/g, blank);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, " ");
}

function markdownPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  const visit = (node: AnyTxtNode): void => {
    const [start, end] = node.range;
    if (node.type === "Str") passages.push({ kind: "message", start, end });
    if (node.type === "Html" && DIRECTIVE.test(text.slice(start, end))) passages.push({ kind: "comment", start, end });
    if ("children" in node) node.children.forEach(visit);
  };
  visit(parse(text));
  return passages;
}
function scriptPassages(path: string, text: string): Passage[] {
  const { comments, program } = parseSync(path, text);
  const passages: Passage[] = [];
  for (const { type, start, end } of comments) {
    const previous = passages.at(-1);
    const isDirective = DIRECTIVE.test(text.slice(previous?.start ?? start, end));
    const isNextLine = type === "Line" && previous !== undefined && /^\s*$/.test(text.slice(previous.end, start));
    if (isNextLine && !isDirective && text.startsWith("//", previous.start))
      passages[passages.length - 1] = { ...previous, end };
    else passages.push({ kind: "comment", start, end });
  }
  const add = (value: unknown, ...parts: readonly { readonly start: number; readonly end: number }[]) => {
    if (typeof value === "string" && TWO_WORDS.test(value) && !OTHER_LANGUAGE.test(value))
      passages.push(...parts.map(({ start, end }) => ({ kind: "message" as const, start, end })));
  };
  new Visitor({
    Literal: (node) => add(node.value, node),
    TemplateLiteral: ({ quasis }) => add(quasis.map(({ value }) => value.raw).join("x"), ...quasis),
    JSXText: ({ start, end }) => void passages.push({ kind: "message", start, end }),
  }).visit(program);
  return passages;
}

function plainComments(extension: string, text: string): Passage[] {
  const pattern = SLASH_COMMENTS.has(extension) ? /\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm : /^[ \t]*#.*$/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    kind: "comment" as const,
    start: match.index,
    end: match.index + match[0].length,
  }));
}
