import type { DefaultTheme, UserConfig } from "vitepress";
import type { BarEntry, SidebarEntry } from "../pages/sidebar.ts";
import { correctTheme } from "./accessibleTheme.ts";
import { drawMermaid, fenceIndentedCode, highlightOnce, makeTabs, slugOf } from "./markdown.ts";
import { miniSearch } from "./search.ts";
import { splitPage } from "./sections.ts";

/** What differs between two builds of the site. */
export interface SiteSettings {
  readonly outDir: string;
  /** The path of this version. */
  readonly base: string;
  /** The path of the site with all its versions. */
  readonly siteBase: string;
  readonly version: string;
  readonly bar: readonly BarEntry[];
  readonly sidebar: readonly SidebarEntry[];
}

/** What the version switch reads from `versions.json`. */
export interface PublishedVersion {
  readonly name: string;
  /** From the base path; empty for the current version. */
  readonly path: string;
}

export interface SiteTheme extends DefaultTheme.Config {
  readonly versions: { readonly current: string; readonly base: string; readonly siteBase: string };
}

export function siteConfig({ outDir, base, siteBase, version, bar, sidebar }: SiteSettings): UserConfig<SiteTheme> {
  return {
    title: "Social Connect",
    description: "Link social accounts, read posts and metrics, disconnect with receipts.",
    lang: "en",
    base,
    outDir,
    cacheDir: ".vitepress/cache",
    head: [["link", { rel: "icon", href: "data:," }]],
    // checkLinks also checks anchors, pictures and links to other files.
    ignoreDeadLinks: true,
    metaChunk: true,
    vite: { plugins: [correctTheme()] },
    markdown: {
      anchor: { slugify: slugOf },
      theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
      config: (md) => {
        fenceIndentedCode(md);
        makeTabs(md);
        drawMermaid(md);
        highlightOnce(md);
      },
    },
    themeConfig: {
      versions: { current: version, base, siteBase },
      nav: bar.map(({ text, link }) => ({ text, link: addressOf(link) })),
      sidebar: sidebar.map(asSidebarItem),
      outline: [2, 3],
      notFound: {
        title: "Page not found",
        quote: "The page was moved, or belongs to another version. Use the search or the navigation.",
        linkText: "Overview",
        linkLabel: "Overview",
      },
      search: {
        provider: "local",
        options: {
          miniSearch: { ...miniSearch, _splitIntoSections: (_path: string, html: string) => splitPage(html) },
        },
      },
    },
  };
}

function asSidebarItem({ text, link, collapsed, items }: SidebarEntry): DefaultTheme.SidebarItem {
  return {
    text,
    ...(link === undefined ? {} : { link: addressOf(link) }),
    ...(collapsed === undefined ? {} : { collapsed }),
    ...(items === undefined ? {} : { items: items.map(asSidebarItem) }),
  };
}

/** Routes are Markdown files here, and pages in the browser. */
function addressOf(route: string): string {
  return route.replace(/\.md$/, "").replace(/(^|\/)index$/, "$1");
}
