/**
 * Copies code from tests and examples into Markdown, so that every snippet in the docs has run:
 *
 *     <!-- snippet: packages/sdk/src/guides.test.ts#connect-start -->   (code inserted here)   <!-- /snippet -->
 *
 * takes the lines between `// #region connect-start` and `// #endregion connect-start`.
 *
 * `pnpm generate` writes changed files; a test fails if one is outdated.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listFiles } from "./repository/listFiles.ts";

const ROOT = new URL("..", import.meta.url);
const SNIPPET = /(<!-- snippet: ([^\s#]+)#([\w-]+) -->\n).*?(<!-- \/snippet -->)/gs;

/** The lines of a region without their common indentation. Throws if the region is missing or empty. */
export function regionOf(source: string, name: string): string {
  const lines = source.split("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${name}`);
  if (start < 0 || end <= start + 1) throw new Error(`missing or empty region ${name}`);
  const inside = lines.slice(start + 1, end);
  const indent = Math.min(...inside.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return inside.map((line) => line.slice(indent).trimEnd()).join("\n");
}

/** The Markdown with current snippets. */
export function fillSnippets(markdown: string, read: (path: string) => string): string {
  return markdown.replace(SNIPPET, (_, open: string, path: string, name: string, close: string) => {
    const language = path.split(".").at(-1);
    return `${open}\`\`\`${language}\n${regionOf(read(path), name)}\n\`\`\`\n${close}`;
  });
}

export function listMarkdown(): string[] {
  return listFiles(fileURLToPath(ROOT), "*.md");
}

export function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

/** The cells of the table rows, without headings. */
export function tableRows(markdown: string): string[][] {
  const lines = markdown.split("\n");
  return lines
    .filter((line, index) => line.startsWith("| ") && !/^\| -/.test(line) && !/^\| -/.test(lines[index + 1] ?? ""))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The files with outdated snippets. */
export function findStale(): { readonly path: string; readonly filled: string }[] {
  return listMarkdown().flatMap((path) => {
    const markdown = readText(path);
    const filled = fillSnippets(markdown, readText);
    return filled === markdown ? [] : [{ path, filled }];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, filled } of findStale()) {
    writeFileSync(new URL(path, ROOT), filled);
    console.log(`wrote ${path}`);
  }
}
