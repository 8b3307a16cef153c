import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface CheckedSite {
  readonly pages: number;
  readonly links: number;
  /** One line for each broken link, and for each resource of another host. */
  readonly problems: readonly string[];
}

interface Reference {
  readonly element: string;
  readonly attribute: string;
  readonly target: string;
}

/** Elements whose address a browser loads without a click. */
const LOADED = new Set(["script", "link", "img", "source", "iframe", "video", "audio", "object", "embed", "use"]);
const TAG = /<([a-z][a-z0-9-]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /([^\s=>"']+)="([^"]*)"/g;

/** Checks every link of the built pages, and that no page or style loads anything from another host. */
export function checkLinks(outDir: string, base: string): CheckedSite {
  const files = new Set(globSync("**/*.*", { cwd: outDir }).map((path) => path.replaceAll("\\", "/")));
  const pages = [...files].filter((path) => path.endsWith(".html"));
  const sources = new Map(pages.map((page) => [page, readFileSync(join(outDir, page), "utf8")]));
  const anchors = new Map([...sources].map(([page, html]) => [page, anchorsOf(html)]));
  const problems: string[] = [];
  let links = 0;

  for (const [page, html] of sources) {
    for (const reference of referencesOf(html)) {
      links++;
      const problem = problemOf(reference, page);
      if (problem !== null) problems.push(`${page}: ${problem}`);
    }
  }
  for (const file of files) {
    if (!file.endsWith(".css")) continue;
    const loaded = readFileSync(join(outDir, file), "utf8").matchAll(
      /(?:url\(|@import\s+)["']?(?:https?:)?\/\/[^"')]+/g,
    );
    for (const [rule] of loaded) problems.push(`${file}: loads ${rule}`);
  }
  for (const problem of listProblems(files, outDir, base)) problems.push(problem);
  return { pages: pages.length, links, problems };

  function problemOf({ element, attribute, target }: Reference, page: string): string | null {
    const pageUrl = new URL(`${base}${page}`, "http://site");
    if (/^(?:data|mailto|javascript):/.test(target)) return null;
    let url: URL;
    try {
      url = new URL(target, pageUrl);
    } catch {
      return `${target} is not a URL`;
    }
    if (url.origin !== pageUrl.origin) {
      return LOADED.has(element) ? `<${element} ${attribute}> loads ${target}` : null;
    }
    if (!url.pathname.startsWith(base)) return `${target} leaves the site`;
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const file = [path, `${path}index.html`, `${path}.html`, `${path}/index.html`].find((each) => files.has(each));
    if (file === undefined) return `${target} does not exist`;
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (anchor === "" || anchors.get(file)?.has(anchor)) return null;
    return `${target} has no such anchor`;
  }
}

/** Links of `llms.txt`, and of each version in `versions.json`. */
function listProblems(files: ReadonlySet<string>, outDir: string, base: string): readonly string[] {
  const isMissing = (path: string) => !path.startsWith(base) || !files.has(path.slice(base.length));
  return [...files]
    .filter((file) => file.endsWith("llms.txt"))
    .flatMap((file) => {
      const linked = [...readFileSync(join(outDir, file), "utf8").matchAll(/\]\(([^)]+)\)/g)];
      if (linked.length === 0) return [`${file} lists no page`];
      return linked
        .map(([, path = ""]) => path)
        .filter(isMissing)
        .map((path) => `${file}: ${path} does not exist`);
    });
}

function referencesOf(html: string): readonly Reference[] {
  return [...html.matchAll(TAG)].flatMap(([, element = "", attributes = ""]) =>
    [...attributes.matchAll(ATTRIBUTE)]
      .filter(([, name]) => name === "href" || name === "src" || name === "srcset")
      .map(([, attribute = "", target = ""]) => ({ element, attribute, target: decode(target) })),
  );
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => decode(id)));
}

function decode(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
