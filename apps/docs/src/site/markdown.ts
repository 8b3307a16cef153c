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

/**
 * Between the comments `tabs` and `/tabs`, each paragraph that is only bold text names a tab and begins it. Tabs of the same name are
 * chosen together. In the repository they are read one after the other.
 */
export function makeTabs(md: MarkdownRenderer): void {
  md.core.ruler.push("tabs", (state) => {
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content });
    const { tokens } = state;
    const isMark = (index: number, mark: string) =>
      tokens[index]?.type === "html_block" && tokens[index].content.trim() === `<!-- ${mark} -->`;
    const labelAt = (index: number) =>
      tokens[index]?.type === "paragraph_open"
        ? /^\*\*([^*]+)\*\*$/.exec(tokens[index + 1]?.content ?? "")?.[1]
        : undefined;
    const groupAt = (start: number) => {
      const end = tokens.findIndex((_, index) => index > start && isMark(index, "/tabs"));
      if (end < 0) throw new Error("Tabs have no end.");
      const labels = tokens.slice(0, end).map((_, index) => (index > start ? labelAt(index) : undefined));
      const names = labels.filter((label) => label !== undefined);
      const inputs = names.map((name, index) => {
        const text = md.utils.escapeHtml(name);
        const checked = index === 0 ? " checked" : "";
        return `<label><input type="radio" name="tabs-${start}" value="${text}"${checked}>${text}</label>`;
      });
      const panels: typeof tokens = [];
      for (let index = start + 1; index < end; index++) {
        if (labels[index] === undefined) panels.push(tokens[index] as (typeof tokens)[number]);
        else {
          panels.push(html(`${panels.length > 0 ? "</div>" : ""}<div class="tab">`));
          index += 2;
        }
      }
      const open = `<div class="tabs"><div class="tab-names" role="radiogroup" aria-label="Framework">${inputs.join("")}</div>`;
      return { end, tokens: [html(open), ...panels, html("</div></div>")] };
    };
    for (let index = 0; index < tokens.length; index++) {
      if (!isMark(index, "tabs")) continue;
      const group = groupAt(index);
      tokens.splice(index, group.end - index + 1, ...group.tokens);
      index += group.tokens.length - 1;
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
