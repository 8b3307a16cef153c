import { posix } from "node:path";
import type { ReportFile } from "./reportFile.ts";

/** A part of `llms.txt`: the page whose list it is made from. */
interface Section {
  readonly title: string;
  readonly index: string;
}

const SECTIONS: readonly Section[] = [
  { title: "Tutorials", index: "docs/tutorials/README.md" },
  { title: "How-to guides", index: "docs/how-to/README.md" },
  { title: "Reference", index: "docs/reference/README.md" },
  { title: "GraphQL APIs", index: "docs/reference/graphql/README.md" },
  { title: "Exports of the packages", index: "docs/reference/packages/README.md" },
  { title: "Error codes", index: "docs/reference/errors/README.md" },
  { title: "Running the service", index: "docs/operations/README.md" },
  // What a reader with little room leaves out, by a rule of the format.
  { title: "Optional", index: "docs/explanation/README.md" },
];

export interface LinkedPage {
  readonly title: string;
  readonly path: string;
  readonly description: string;
}

/** The project's pages as one list for programs that read (llmstxt.org), made from the pages that list them for people. */
export function llmsText(read: (path: string) => string, packages: readonly LinkedPage[]): ReportFile {
  const readme = read("README.md");
  const summary = readme.split("\n\n")[1] ?? "";
  const sections = SECTIONS.map(({ title, index }) => ({ title, pages: pagesOf(index, read(index)) }));
  const lines = [
    "# Social Connect",
    "",
    `> ${summary.replaceAll("\n", " ").trim()}`,
    "",
    "Made by `pnpm reports` from the pages that list these for people.",
    "",
    "## Packages",
    "",
    ...packages.map(line),
    ...sections.flatMap(({ title, pages }) => ["", `## ${title}`, "", ...pages.map(line)]),
  ];
  return { path: "llms.txt", text: `${lines.join("\n")}\n` };
}

/** What a page lists: items of lists that begin with a link, and rows of tables that do. */
export function pagesOf(index: string, markdown: string): readonly LinkedPage[] {
  const text = markdown.replaceAll(/\n {2,}(?=\S)/g, " ");
  const items = text.matchAll(/^(?:[-*]|\d+\.|\|) \[`?([^\]`]+)`?\]\(([^)#\s]+)\)(?:(?:: | \| )(.*?))?(?: \|)?$/gm);
  return [...items].map(([, title = "", target = "", description = ""]) => ({
    title,
    path: posix.join(posix.dirname(index), target),
    description: description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").trim(),
  }));
}

function line({ title, path, description }: LinkedPage): string {
  return `- [${title}](${path})${description === "" ? "" : `: ${description}`}`;
}
