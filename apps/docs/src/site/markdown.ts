import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

const SQL = /^\s*(?:SELECT|ALTER|CREATE|DROP|GRANT|INSERT|UPDATE|DELETE|VACUUM|REINDEX)\b/;

/** Indented code becomes fenced code, so that it has a button to copy it. */
export function fenceIndentedCode(md: MarkdownRenderer): void {
  md.core.ruler.push("fence-indented-code", (state) => {
    for (const token of state.tokens) {
      if (token.type !== "code_block") continue;
      token.type = "fence";
      token.tag = "code";
      token.markup = "```";
      token.info = SQL.test(token.content) ? "sql" : "sh";
    }
  });
}

/** Diagrams are drawn during the build, in the colors of the page. */
export function drawMermaid(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return fence?.(tokens, index, ...rest) ?? "";
    const { title, diagram } = readTitle(token.content);
    // As an expression, because Vue ignores styles in templates.
    const svg = md.utils.escapeHtml(JSON.stringify(diagramOf(diagram)));
    return `<figure class="diagram" tabindex="0" role="group" aria-label="${md.utils.escapeHtml(title)}" v-html="${svg}"></figure>\n`;
  };
}

/** The title for screen readers is a line of the diagram. */
function readTitle(source: string): { readonly title: string; readonly diagram: string } {
  const [line, title] = /^\s*accTitle: *(.+)\n/m.exec(source) ?? [];
  if (line === undefined || title === undefined) throw new Error(`A diagram has no accTitle:\n${source}`);
  return { title, diagram: source.replace(line, "") };
}

/** The SVG without the font that the library would load from another host. */
export function diagramOf(source: string): string {
  const svg = renderMermaidSVG(source, {
    bg: "var(--vp-c-bg)",
    fg: "var(--vp-c-text-1)",
    line: "var(--vp-c-text-2)",
    muted: "var(--vp-c-text-2)",
    border: "var(--vp-c-divider)",
    surface: "var(--vp-c-bg-soft)",
    transparent: true,
  });
  return svg.replaceAll(/@import\s+url\([^)]*\);?/g, "");
}

/** Anchors as a repository's web pages make them, so that a link works in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** The site and its search index render every page, and highlighting is two fifths of a build. */
export function highlightOnce(md: MarkdownRenderer): void {
  const { highlight } = md.options;
  if (!highlight) throw new Error("Nothing highlights code.");
  const done = new Map<string, string>();
  md.set({
    highlight: (...code) => {
      const key = JSON.stringify(code);
      const html = done.get(key) ?? highlight(...code);
      done.set(key, html);
      return html;
    },
  });
}
