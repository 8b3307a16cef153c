import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

/** A Markdown file of the repository that is a page of the site. */
export interface SourcePage {
  /** From the root of the repository, with forward slashes. */
  readonly source: string;
  /** The page's Markdown file in the site, such as `how-to/show-posts.md`. */
  readonly route: string;
}

const PATTERNS = ["*.md", "docs/**/*.md", "{apps,packages,examples}/*/README.md", "benchmarks/README.md"];

/** Pages whose place in the site differs from their place in the repository. */
const ROUTES: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "docs/README.md": "contents.md",
  "CONTRIBUTING.md": "contributing/changes.md",
  "SECURITY.md": "security/reporting.md",
};

/** The pages of a copy of the repository, in the order of their paths. */
export function listPages(root: string): readonly SourcePage[] {
  const sources = globSync(PATTERNS, { cwd: root, exclude: ["**/node_modules/**"] });
  return sources
    .map((path) => path.replaceAll("\\", "/"))
    .filter((source) => source.includes("/") || source in ROUTES)
    .filter((source) => existsSync(join(root, source)))
    .toSorted()
    .map((source) => ({ source, route: routeOf(source) }));
}

function routeOf(source: string): string {
  const [, special] = Object.entries(ROUTES).find(([path]) => path === source) ?? [];
  if (special !== undefined) return special;
  if (!source.startsWith("docs/")) return source.replace(/\/README\.md$/, ".md");
  return source.slice("docs/".length).replace(/(^|\/)README\.md$/, "$1index.md");
}
