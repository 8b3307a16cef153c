import { createRequire } from "node:module";
import { extname } from "node:path";
import type { TxtCommentNode, TxtDocumentNode, TxtParagraphNode, TxtStrNode } from "@textlint/ast-node-types";
import { TextlintKernel, type TextlintPluginCreator } from "@textlint/kernel";
import { PHRASES, type Phrases, TERMS } from "./phrases.ts";
import { CODE_EXTENSIONS, DIRECTIVE, passagesOf, proseOnly, withoutMarkers } from "./prose.ts";

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const kernel = new TextlintKernel();
// CommonJS with a default export: Node and vitest import it differently, and require it the same.
const require = createRequire(import.meta.url);
const comments = require("textlint-filter-rule-comments");
const { default: terminology } = require("textlint-rule-terminology");
/** Shows textlint the comments, test titles and messages of a source file as paragraphs, at their positions in the file. */
const codePlugin: TextlintPluginCreator = {
  Processor: class {
    availableExtensions(): string[] {
      return [...CODE_EXTENSIONS];
    }

    processor() {
      return {
        preProcess: (text: string, path = "") => parse(path, text),
        postProcess: (messages: never[], filePath = "") => ({ messages, filePath }),
      };
    }
  },
};

function parse(path: string, text: string): { text: string; ast: TxtDocumentNode } {
  const passages = passagesOf(path, text);
  const prose = proseOnly(text, passages);
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const positionOf = (index: number) => {
    const line = lineStarts.findLastIndex((start) => start <= index);
    return { line: line + 1, column: index - (lineStarts[line] ?? 0) };
  };
  const place = (start: number, end: number) => ({
    raw: prose.slice(start, end),
    range: [start, end] as const,
    loc: { start: positionOf(start), end: positionOf(end) },
  });
  const children = passages.map(({ start, end, kind }): TxtParagraphNode | TxtCommentNode => {
    const value = text.slice(start, end);
    if (kind === "comment" && DIRECTIVE.test(value)) {
      return { ...place(start, end), type: "Comment", value: value.replace(/^\s*(?:\/[/*]|#)\s*|\s*\*\/$/g, "") };
    }
    const prose: TxtStrNode = { ...place(start, end), type: "Str", value };
    return { ...place(start, end), type: "Paragraph", children: [prose] };
  });
  return { text: prose, ast: { ...place(0, text.length), type: "Document", children } };
}

const plugins = [
  { pluginId: "markdown", plugin: require("@textlint/textlint-plugin-markdown").default },
  { pluginId: "code", plugin: codePlugin },
];

/** Matches what a file with a phrase contains, in code too. Most files have no match, and parsing them takes the most time. */
const MAY_HOLD_PHRASE = new RegExp(
  `(?<![a-z0-9-])(?:${[...PHRASES, ...TERMS].flatMap(({ avoid }) => avoid.map(asPattern)).join("|")})(?![a-z0-9-])`,
  "i",
);

export async function checkLanguage(path: string, text: string): Promise<readonly Finding[]> {
  const exceptions = exceptionsWithoutReason(path, text);
  const isFree = !MAY_HOLD_PHRASE.test(path.endsWith(".md") ? text : withoutMarkers(text));
  if (isFree) return exceptions;
  const { messages } = await kernel.lintText(text, {
    ext: extname(path) || ".sh",
    filePath: path,
    plugins,
    rules: [
      { ruleId: "plain-english", rule: terminology, options: optionsOf(PHRASES) },
      { ruleId: "terms", rule: terminology, options: optionsOf(TERMS) },
    ],
    filterRules: [{ ruleId: "comments", rule: comments }],
  });
  const findings = messages.map(({ loc, message }) => ({
    path,
    line: loc.start.line,
    column: loc.start.column,
    message: message.replaceAll(/\s+/g, " ").replace(/^Incorrect term: (“.*”), use “(.*)” instead$/s, "$1: write $2"),
  }));
  return [...findings, ...exceptions];
}

function optionsOf(phrases: readonly Phrases[]) {
  const terms = phrases.map(({ use, avoid }) => {
    const pattern = avoid.map(asPattern).join("|");
    // The look-ahead also makes the rule take the pattern unchanged.
    return [String.raw`(?<![\w-])(?:${pattern})(?![\w-])`, use];
  });
  return { terms, defaultTerms: false, skip: [] };
}

function asPattern(phrase: string): string {
  return phrase.replaceAll(" ", String.raw`\s+`);
}

/** An exception is written `textlint-disable rule -- reason`. */
function exceptionsWithoutReason(path: string, text: string): Finding[] {
  return [...text.matchAll(/^[^\S\n]*(?:<!--|\/\/|\/\*|#) textlint-disable\b(?![^\n]* -- \w+ \w+)/gm)].map(
    ({ index }) => ({
      path,
      line: text.slice(0, index).split("\n").length,
      column: 1,
      message: "give the reason of the exception: textlint-disable plain-english -- the RFC's term",
    }),
  );
}
