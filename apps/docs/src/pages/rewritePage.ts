import { posix } from "node:path";

export interface Rewriting {
  /** The page's path in the repository. */
  readonly source: string;
  /** The page's path in the site. */
  readonly route: string;
  /** The place of a file of the repository in the site, or null if the site does not have it. */
  readonly locate: (path: string) => string | null;
  /** The URL of a file of the repository outside the site, or null if it has none. */
  readonly external: (path: string) => string | null;
}

/** Fenced code, indented code after an empty line, comments and inline code. */
const CODE =
  /^(`{3,})[^\n]*\n[\s\S]*?^\1`*$|(?<=\n\n)(?:(?: {4,}[^\n]*)?\n)* {4,}[^\n]*$|<!--[\s\S]*?-->|(`+)(?!`)[\s\S]*?(?<!`)\2(?!`)/gm;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const ATTRIBUTE = /\b(src|srcset)="([^"]+)"/g;
/** Two pictures of which the theme shows one: a reader can select a color scheme that the system does not have. */
const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)"([^>]*)>\s*<\/picture>/g;
/** The elements that pages use; any other `<` is text. */
const TEXT_ANGLE = /<(?!\/?(?:picture|source|img|br|a|sub|sup)\b|!--)/g;

/** The Markdown of a page with links that are correct in the site, and without anything that Vue would interpret. */
export function rewritePage(markdown: string, rewriting: Rewriting): string {
  return mapText(markdown.replaceAll("\r\n", "\n"), (text) =>
    text
      .replace(PICTURE, '<img class="in-light" src="$2"$3><img class="in-dark" src="$1"$3>')
      .replace(LINK, (whole, mark: string, label: string, target: string) => {
        const link = rewriteTarget(target, rewriting);
        const inner = label.replace(LINK, (nested, nestedMark: string, alt: string, path: string) => {
          const image = rewriteTarget(path, rewriting);
          return image === null ? alt : image === path ? nested : `${nestedMark}[${alt}](${image})`;
        });
        if (link === null) return inner;
        return link === target && inner === label ? whole : `${mark}[${inner}](${link})`;
      })
      .replace(ATTRIBUTE, (whole, name: string, path: string) => {
        const target = rewriteTarget(path, rewriting);
        return target === null ? whole : `${name}="${target}"`;
      })
      .replace(TEXT_ANGLE, "&lt;")
      .replaceAll("{{", "&#123;&#123;"),
  );
}

/** Changes the text of Markdown and not its code. */
export function mapText(markdown: string, change: (text: string) => string): string {
  const parts: string[] = [];
  let end = 0;
  // Links can contain inline code, so code is replaced by marks for the change and restored afterwards.
  const codes: string[] = [];
  for (const match of markdown.matchAll(CODE)) {
    parts.push(markdown.slice(end, match.index), `\u0000${codes.length}\u0000`);
    // VitePress takes a line that starts with `<name` for an element, also within inline code. A line break there is a space.
    codes.push(match[2] === undefined ? match[0] : match[0].replaceAll(/\n\s*/g, " "));
    end = match.index + match[0].length;
  }
  parts.push(markdown.slice(end));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a mark that no page contains.
  return change(parts.join("")).replace(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)] ?? "");
}

function rewriteTarget(target: string, { source, route, locate, external }: Rewriting): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^#|^\/\//i.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const file = posix.join(posix.dirname(source), path).replace(/\/$/, "");
  const place = locate(file);
  if (place === null) return external(file);
  const relative = posix.relative(posix.dirname(route), place);
  return `${relative.startsWith(".") ? "" : "./"}${relative}${anchor === undefined ? "" : `#${anchor}`}`;
}
