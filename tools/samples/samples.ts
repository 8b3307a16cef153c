import { listMarkdown, readText } from "../snippets.ts";

/** Pages whose samples define every name. */
export const COMPLETE: readonly string[] = ["README.md", "packages/sdk/README.md", "llms.txt"];

/** Generated from the code, whose tests check the examples. */
const GENERATED = /^docs\/reference\/(?:graphql|packages)\//;

export function listSamples(): readonly Sample[] {
  const pages = [...listMarkdown(), "llms.txt"].filter((page) => !GENERATED.test(page));
  return pages.flatMap((page) => samplesOf(page, readText(page)));
}

/** A block of code of a page. */
export interface Sample {
  /** From the root of the repository. */
  readonly page: string;
  readonly line: number;
  /** `ts`, `sh` and so on; a block that is indented is `sh`, and a command within a sentence is `command`. */
  readonly language: string;
  readonly code: string;
  /** The comment before it: a `snippet: …` is copied from a test, and `pnpm test:system live` runs each `live: NAME`. */
  readonly marker: string | null;
}

const FENCE = /^( *)```(\w*)[^\n]*\n(.*?)^\1```/gms;
/** Indented code after an empty line; lists are indented less or have a mark. */
const INDENTED = /(?<=\n\n)(?: {4}\S[^\n]*\n)(?:(?: {4}[^\n]*)?\n)*/g;
/** A second file in the same block begins with its path. */
const NEXT_FILE = /\n(?=\/\/ \S+\.tsx?\n)/;
const MARKER = /<!-- ((?:snippet|live): [^\n]*) -->\n\s*$/;

/** Every block of code and every command of a page, in order. */
export function samplesOf(page: string, markdown: string): readonly Sample[] {
  const lineAt = (index: number, text = markdown) => text.slice(0, index).split("\n").length;
  const without = (text: string, indentation: string) => text.replaceAll(new RegExp(`^${indentation}`, "gm"), "");
  const fenced = [...markdown.matchAll(FENCE)].flatMap((found): Sample[] => {
    const { index, 1: indentation = "", 2: language = "", 3: code = "" } = found;
    const [, marker = null] = MARKER.exec(markdown.slice(0, index)) ?? [];
    const line = lineAt(index) + 1;
    const files = without(code, indentation).split(NEXT_FILE);
    return files.map((text) => ({ page, line, language, code: text, marker }));
  });
  const rest = markdown.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ""));
  const indented = [...rest.matchAll(INDENTED)].map(({ index, 0: code }): Sample => {
    return { page, line: lineAt(index, rest), language: "sh", code: without(code, "    "), marker: null };
  });
  const inline = [...rest.matchAll(/`([^`\n]+)`/g)].map(({ index, 1: code = "" }): Sample => {
    return { page, line: lineAt(index, rest), language: "command", code, marker: null };
  });
  const commands = inline.filter((sample) => ownCommands(sample).length > 0);
  return [...fenced, ...indented, ...commands].toSorted((one, other) => one.line - other.line);
}

export function isTypeScript({ language }: Sample): boolean {
  return ["ts", "tsx", "js", "jsx"].includes(language);
}

/** The lines of a shell block that start one of our programs, without prompts, comments and environment variables. */
export function ownCommands({ code }: Sample): readonly string[] {
  const lines = code.replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const [command = ""] = line.trim().split(/ +# | [|&>]/);
    const stripped = command.replace(/^(?:[A-Z_]+=\S* )+/, "").replace(/^npx (?:--yes |-y )?/, "npx ");
    return /^(?:pnpm |npm create @social-connect|npx (?:@social-connect|pnpm@)|social-connect(?:-admin|-mocks)? )/.test(
      stripped,
    )
      ? [stripped]
      : [];
  });
}
