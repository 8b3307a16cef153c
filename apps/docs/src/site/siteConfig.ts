import type { DefaultTheme, UserConfig } from "vitepress";
import type { BarEntry, SidebarEntry } from "../pages/sidebar.ts";
import { correctTheme } from "./accessibleTheme.ts";
import { drawMermaid, fenceIndentedCode, slugOf } from "./markdown.ts";

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

/**
 * Ranks a section: the page whose heading is the word, then guides, error codes and operations, and exports of the packages
 * last. The browser gets it as text, so it must not use anything outside itself.
 */
export function boostDocument(id: string, term: string, fields?: Record<string, unknown>): number {
  const titles = Array.isArray(fields?.["titles"]) ? fields["titles"] : [];
  const isOperation = titles.includes("Queries") || titles.includes("Mutations");
  return (
    (String(fields?.["title"]).toLowerCase() === term.toLowerCase() ? 5 : 1) *
    (titles.length === 0 ? 3 : 1) *
    (/\/(?:how-to|tutorials|reference\/errors)\//.test(id) ? 2 : 1) *
    (isOperation && /\/reference\/graphql\//.test(id) ? 4 : 1) *
    (/\/reference\/packages\/|\/packages\//.test(id) ? 0.3 : 1)
  );
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
        drawMermaid(md);
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
          miniSearch: {
            options: {
              // An identifier is found whole and by its parts: RATE_LIMITED, limited, createConnectSession, session.
              tokenize: (text) =>
                text.split(/[\n\r\p{Z}\p{S}`"'()[\]{}<>,;:!?/\\|]+|\.(?=\s|$)/u).flatMap((word) => {
                  const parts = word.split(/[_.\-\p{P}]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== "");
                  return parts.length > 1 ? [word, ...parts] : parts;
                }),
            },
            searchOptions: {
              prefix: true,
              fuzzy: 0.15,
              combineWith: "AND",
              boostDocument,
              boost: { title: 6, titles: 2, text: 1 },
            },
          },
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
