import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { messageList } from "../messages/messageList.ts";
import type { PlacedMessage } from "../messages/messagePages.ts";
import { changelogPage, hasReleases } from "./changelog.ts";
import { listPages, type SourcePage } from "./listPages.ts";
import { rewritePage } from "./rewritePage.ts";
import { type BarEntry, barOf, type SidebarEntry, sidebarOf } from "./sidebar.ts";

const CHANGELOG: SourcePage = { source: "CHANGELOG.md", route: "changelog.md" };
const IMAGES = "docs/images";
/** The build writes it beside the pages. */
const LIST = "llms.txt";

export interface StagedSite {
  /** All pages, with the generated ones. */
  readonly pages: readonly SourcePage[];
  readonly bar: readonly BarEntry[];
  readonly sidebar: readonly SidebarEntry[];
}

export interface Staging {
  /** A copy of the repository, of any version. */
  readonly root: string;
  readonly folder: string;
  /** The web address of a file of the repository, for links to code; without it such links are text. */
  readonly fileUrl: ((path: string) => string) | null;
  /** Each is listed at the end of its page. */
  readonly messages: readonly PlacedMessage[];
}

/** Writes the pages of a copy of the repository into a folder, as the site has them. */
export function stageSite({ root, folder, fileUrl, messages }: Staging): StagedSite {
  const pages = [...listPages(root), ...(hasReleases(root) ? [CHANGELOG] : [])];
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const routes = new Map(
    pages.flatMap(({ source, route }) => placesOf(source).map((place) => [place, route] as const)),
  );

  const locate = (path: string) => {
    if (path.startsWith(`${IMAGES}/`) && existsSync(join(root, path))) return path.slice("docs/".length);
    return path === LIST ? LIST : (routes.get(path) ?? null);
  };
  const external = (path: string) => (fileUrl !== null && existsSync(join(root, path)) ? fileUrl(path) : null);

  for (const { source, route } of pages) {
    const markdown = source === CHANGELOG.source ? changelogPage(root) : read(source);
    const file = join(folder, route);
    mkdirSync(dirname(file), { recursive: true });
    const page = rewritePage(markdown, { source, route, locate, external });
    const text = page + messageList(messages.filter((message) => routeOf(message.page) === route));
    // A file that did not change is not written, so that a running site reloads only the page that did.
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
  if (existsSync(join(root, IMAGES))) cpSync(join(root, IMAGES), join(folder, "images"), { recursive: true });
  return { pages, bar: barOf(pages), sidebar: sidebarOf(pages, read) };
}

function routeOf(page: string): string {
  return `${page.replace(/\/$/, "/index")}.md`;
}

/** A link to a folder shows its README. */
function placesOf(source: string): readonly string[] {
  return source.endsWith("/README.md") ? [source, posix.dirname(source)] : [source];
}
