import { extname } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** A stretch of a source file that people read. */
export interface Passage {
  readonly kind: "comment" | "message";
  readonly start: number;
  readonly end: number;
}

const SCRIPTS = new Set([".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx"]);
const HASH_COMMENTS = new Set([".py", ".sh", ".yaml", ".yml", ".toml", ".graphql"]);
const SLASH_COMMENTS = new Set([".css", ".prisma", ".jsonc"]);
const OTHER_LANGUAGE =
  /^\s*(?:(?:query|mutation|fragment|subscription)\b|\{)|\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|WHERE)\b/;
/** A comment for textlint, separate from the text around it. */
export const DIRECTIVE = /\btextlint-(?:dis|en)able\b/;
const TWO_WORDS = /\p{L},? \p{L}/u;

export const CODE_EXTENSIONS: readonly string[] = [...SCRIPTS, ...HASH_COMMENTS, ...SLASH_COMMENTS];

/** The comments and messages of a source file, in order; the title of a test is a message. */
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
