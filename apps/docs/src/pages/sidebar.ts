import { pagesOf } from "../../../../tools/reports/llmsText.ts";
import type { SourcePage } from "./listPages.ts";

export interface SidebarEntry {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarEntry[];
}

/** A link of the bar at the top of each page. */
export interface BarEntry {
  readonly text: string;
  readonly link: string;
}

const BAR: readonly BarEntry[] = [
  { text: "Quickstart", link: "/tutorials/your-own-app.md" },
  { text: "Guides", link: "/how-to/index.md" },
  { text: "Reference", link: "/reference/index.md" },
  { text: "Operations", link: "/operations/index.md" },
  { text: "Changelog", link: "/changelog.md" },
];
const START: readonly BarEntry[] = [
  { text: "Overview", link: "/index.md" },
  { text: "Contents", link: "/contents.md" },
];

const INDEXES: readonly (readonly [title: string, index: string])[] = [
  ["Tutorials", "docs/tutorials/README.md"],
  ["How-to guides", "docs/how-to/README.md"],
  ["Reference", "docs/reference/README.md"],
  ["Operations", "docs/operations/README.md"],
  ["Explanation", "docs/explanation/README.md"],
  ["Security", "docs/security/README.md"],
  ["Maintainers", "docs/contributing/README.md"],
];
/** The part of an index whose pages are listed under "Maintainers". */
const FOR_MAINTAINERS = "\n## For maintainers\n";
/** Its pages are found by search and from the index. */
const GENERATED = "docs/reference/packages/README.md";
/** Shown open on every page; the others open when they are selected. */
const OPEN = ["Tutorials", "How-to guides", "Reference"];

export function barOf(pages: readonly SourcePage[]): readonly BarEntry[] {
  return existing(BAR, pages);
}

/** An earlier release may have other pages. */
function existing(entries: readonly BarEntry[], pages: readonly SourcePage[]): readonly BarEntry[] {
  return entries.filter(({ link }) => pages.some(({ route }) => link === `/${route}`));
}

/** The navigation beside each page, from the index pages. */
export function sidebarOf(pages: readonly SourcePage[], read: (path: string) => string): readonly SidebarEntry[] {
  const routes = new Map(pages.map(({ source, route }) => [source, route]));
  const linkOf = (source: string) => `/${routes.get(source)}`;

  const listed = (index: string, text: string): readonly SidebarEntry[] =>
    pagesOf(index, text)
      .filter(({ path }) => routes.has(path) && path !== index)
      .map(({ title, path }) => {
        const isIndex = path.endsWith("/README.md") && path.startsWith("docs/") && path !== GENERATED;
        const entry = { text: title, link: linkOf(path) };
        return isIndex ? { ...entry, collapsed: true, items: itemsOf(path) } : entry;
      });
  const itemsOf = (index: string) => listed(index, read(index).split(FOR_MAINTAINERS)[0] ?? "");
  const forMaintainers = INDEXES.filter(([, index]) => routes.has(index)).flatMap(([, index]) =>
    listed(index, read(index).split(FOR_MAINTAINERS)[1] ?? ""),
  );
  const readmes = (text: string, shelves: RegExp): SidebarEntry => ({
    text,
    collapsed: true,
    items: pages
      .filter(({ source }) => shelves.test(source))
      .map(({ source }) => ({
        text: source.replace(/\/README\.md$/, "").replace(/^examples\//, ""),
        link: linkOf(source),
      })),
  });

  const sections = INDEXES.filter(([, index]) => routes.has(index)).map(([text, index]) => ({
    text,
    link: linkOf(index),
    collapsed: !OPEN.includes(text),
    items: itemsOf(index),
  }));
  const special = [
    ["CONTRIBUTING.md", "Make a change", "Maintainers"],
    ["SECURITY.md", "Report a vulnerability", "Security"],
    ["benchmarks/README.md", "Benchmarks", "Maintainers"],
  ] as const;
  const withSpecial = sections.map((section) => ({
    ...section,
    items: [
      ...special
        .filter(([source, , parent]) => parent === section.text && routes.has(source))
        .map(([source, text]) => ({ text, link: linkOf(source) })),
      ...section.items,
      ...(section.text === "Maintainers" ? forMaintainers : []),
    ],
  }));
  return [
    { text: "Start", items: existing(START, pages) },
    ...withSpecial,
    readmes("Packages", /^(?:packages|apps)\//),
    readmes("Examples", /^examples\//),
    ...existing([{ text: "Changelog", link: "/changelog.md" }], pages),
  ];
}
