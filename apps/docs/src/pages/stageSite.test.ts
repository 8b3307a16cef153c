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

const { pages, sidebar } = stageSite({ root: ROOT, folder, fileUrl: null });

function linksOf(entries: readonly SidebarEntry[]): readonly string[] {
  return entries.flatMap(({ link, items = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(items)]);
}

test("every page is in the navigation, once", () => {
  const links = linksOf(sidebar);
  expect(links.toSorted()).toEqual(pages.map(({ route }) => `/${route}`).toSorted());
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
