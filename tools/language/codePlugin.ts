import type { TxtCommentNode, TxtDocumentNode, TxtParagraphNode, TxtStrNode } from "@textlint/ast-node-types";
import type { TextlintPluginCreator } from "@textlint/kernel";
import { CODE_EXTENSIONS, DIRECTIVE, passagesOf, proseOnly } from "./prose.ts";

/** Shows textlint the comments, test titles and messages of a source file as paragraphs, at their positions in the file. */
export const codePlugin: TextlintPluginCreator = {
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
