import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { SidebarEntry } from "./sidebar.ts";
import { stageSite } from "./stageSite.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "social-connect-stage-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { pages, sidebar } = stageSite({ root: ROOT, folder, fileUrl: null, messages: [] });

function linksOf(entries: readonly SidebarEntry[]): readonly string[] {
  return entries.flatMap(({ link, items = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(items)]);
}

test("every page is in the navigation, once, except the generated exports of the packages", () => {
  const links = linksOf(sidebar);
  const shown = pages.filter(({ route }) => !/^reference\/packages\/(?!index)/.test(route));
  expect(shown.length).toBeLessThan(pages.length);
  expect(links.toSorted()).toEqual(shown.map(({ route }) => `/${route}`).toSorted());
});

test("pages about the inside of the service are listed for maintainers", () => {
  const links = linksOf(sidebar.find(({ text }) => text === "Maintainers")?.items ?? []);
  const inside = [
    "explanation/hot-reads",
    "explanation/distribution-column",
    "explanation/fairness",
    "operations/citus",
  ];
  expect(links).toEqual(expect.arrayContaining(inside.map((page) => `/${page}.md`)));
});

test("every page of docs has a line in llms.txt, except those about changing the project", () => {
  const listed = readFileSync(join(ROOT, "llms.txt"), "utf8");
  const missing = pages
    .map(({ source }) => source)
    .filter((source) => source.startsWith("docs/") && !/^docs\/(?:contributing|security|README)/.test(source))
    .filter((source) => !source.endsWith("/README.md") && !source.startsWith("docs/operations/runbooks/"))
    .filter((source) => !listed.includes(`(${source})`));
  expect(missing).toEqual([]);
});
