import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ADMIN_ERROR_CODES,
  ADMIN_FORBIDDEN_REASONS,
  CONFLICT_REASONS,
  CONNECT_RESULT_CODES,
  DISCONNECT_CODES,
  ERROR_CODES,
  JOB_ERROR_CODES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
  RECONNECT_CODES,
  SCAN_INCOMPLETE_REASONS,
} from "@social-connect/contract";
import MiniSearch from "minisearch";
import { createMarkdownRenderer } from "vitepress";
import { beforeAll, describe, expect, test } from "vitest";
import { pagesOf } from "../../../../tools/reports/llmsText.ts";
import { listMessages } from "../messages/messagePages.ts";
import { listPages } from "../pages/listPages.ts";
import { stageSite } from "../pages/stageSite.ts";
import blindQueries from "../testing/blindQueries.json" with { type: "json" };
import newQueries from "../testing/newQueries.json" with { type: "json" };
import searchQueries from "../testing/searchQueries.json" with { type: "json" };
import { miniSearch } from "./search.ts";
import { splitPage } from "./sections.ts";
import { siteConfig } from "./siteConfig.ts";
import synonyms from "./synonyms.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** The most of the 490 queries that may find another page first. */
const MOST_MISSES = 20;
/** The 60 queries were written without a look at the pages, and are never changed. */
const LEAST_FIRST = 52;
const LEAST_AMONG_THREE = 57;
/** Queries by people who know neither the pages nor their words. Another person mapped each to its pages. */
const LEAST_BLIND_FIRST = 315;
const LEAST_BLIND_AMONG_THREE = 385;
/** More would be a list of words for each page again. */
const MOST_WORDS = 1_000;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const fields = { storeFields: ["title", "titles"], ...miniSearch.options };

const messages = listMessages(ROOT);
let index: MiniSearch;

/** The index of the pages as they are here, which the search box of VitePress loads in the same way. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "social-connect-search-"));
  try {
    const { pages, bar, sidebar } = stageSite({ root: ROOT, folder, fileUrl: null, messages });
    const { markdown } = siteConfig({ outDir: "", base: "/", siteBase: "/", version: "", bar, sidebar });
    // Colors change no word, and take most of the time.
    const md = await createMarkdownRenderer(folder, { ...markdown, highlight: (code) => code }, "/");
    const built = new MiniSearch(fields);
    for (const { route } of pages) {
      const path = join(folder, route);
      const html = md.render(readFileSync(path, "utf8"), { path, relativePath: route, cleanUrls: false });
      for (const { anchor, titles, text } of splitPage(html))
        built.add({ id: addressOf(route, anchor), text, title: titles.at(-1), titles: titles.slice(0, -1) });
    }
    index = MiniSearch.loadJSON(JSON.stringify(built), { ...fields, searchOptions: miniSearch.searchOptions });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

function addressOf(route: string, anchor: string): string {
  const page = `/${route}`.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
  return anchor === "" ? page : `${page}#${anchor}`;
}

/** The pages of the results, each once, without their ending: `how-to/deploy`, `reference/errors/`. */
function pagesFor(query: string): readonly string[] {
  const routes = index.search(query).map(({ id }) =>
    String(id)
      .replace(/(?:\.html)?(?:#.*)?$/, "")
      .slice(1),
  );
  return [...new Set(routes)];
}

/** Fails unless one of the first results leads to the page or section. */
function finds(query: string, address: string, first: number): void {
  const found = index.search(query).slice(0, first);
  // With "#", so that the operation content is not contentItem.
  expect(found.map(({ id }) => `${id}#`)).toContainEqual(expect.stringContaining(`/${address}#`));
}

describe("what is named is found", () => {
  const operations = ["consumer", "admin"].flatMap((api) => {
    const path = `docs/reference/graphql/${api}.md`;
    const [, listed = ""] = /\n## Queries\n([\s\S]*?)\n## (?!Queries|Mutations)/.exec(read(path)) ?? [];
    return [...listed.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => ({ name, api }));
  });
  const guides = ["docs/tutorials", "docs/how-to"].flatMap((folder) =>
    pagesOf(`${folder}/README.md`, read(`${folder}/README.md`)).map(({ title, path }) => ({
      title,
      address: path.replace("docs/", "").replace(/\.md$/, ".html"),
    })),
  );

  test("there are operations and guides to find", () => {
    expect(operations.length).toBeGreaterThan(30);
    expect(guides.length).toBeGreaterThan(15);
  });

  test.each(operations)("the operation $name of the $api API first", ({ name, api }) => {
    finds(name, `reference/graphql/${api}.html#${name.toLowerCase()}`, 1);
  });

  test("each page by its title, among three", async () => {
    const titled = listPages(ROOT).filter(({ source }) => /^docs\/(?!README|reference\/packages\/)/.test(source));
    const lost = titled.flatMap(({ source, route }) => {
      const [, title = ""] = /^# (.+)$/m.exec(read(source)) ?? [];
      const page = addressOf(route, "")
        .slice(1)
        .replace(/\.html$/, "");
      return pagesFor(title).slice(0, 3).includes(page) ? [] : [`${title}: ${page}`];
    });
    expect(lost).toEqual([]);
  });

  test.each(guides)("the guide $title", ({ title, address }) => finds(title, address, 3));

  test.each([...new Set([...ERROR_CODES, ...ADMIN_ERROR_CODES])])("the page of %s first", (code) => {
    finds(code, `reference/errors/${code}.html`, 1);
  });

  const [, codesOfSdks = ""] = read("docs/reference/errors/README.md").split("\n## Codes of the SDKs\n");
  const results = [...CONNECT_RESULT_CODES, ...JOB_ERROR_CODES, ...OBSERVATION_REASONS, ...SCAN_INCOMPLETE_REASONS];
  test.each([
    ["reference/codes-and-limits", [...results, ...PAGE_INCOMPLETE_REASONS]],
    ["reference/errors/CONFLICT", CONFLICT_REASONS],
    ["reference/errors/FORBIDDEN", ADMIN_FORBIDDEN_REASONS],
    ["reference/events", [...DISCONNECT_CODES, ...RECONNECT_CODES]],
    ["reference/errors/", [...codesOfSdks.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code = ""]) => code)],
  ])("%s by each of its codes, among three pages", (page, codes) => {
    // EXPIRED is also a word.
    const names = codes.filter((code) => code.includes("_"));
    expect(names.length).toBeGreaterThan(1);
    const isOwn = (found: string, code: string) => found === page || found === `reference/errors/${code}`;
    const lost = names.filter(
      (code) =>
        !pagesFor(code)
          .slice(0, 3)
          .some((found) => isOwn(found, code)),
    );
    expect(lost).toEqual([]);
  });
});

describe("a message", () => {
  /** With values in place of those that vary, as it is pasted from a log. */
  const pasted = (text: string) => `Error: ${text.replaceAll("…", " 0197a5a0-1111-7222-8333-444444444444 ")}`;
  /** Fewer words say too little: "… must be a string." */
  const isTelling = (text: string) =>
    new Set(miniSearch.options.tokenize(text).flatMap((word) => miniSearch.options.processTerm(word) ?? [])).size > 2;

  test("of each part that people use is known", () => {
    expect(messages.length).toBeGreaterThan(700);
    const countOf = (page: string) => messages.filter((message) => message.page === page).length;
    const pages = ["how-to/admin-as-code", "how-to/connect-an-account", "how-to/move-in", "operations/commands"];
    for (const page of [...pages, "operations/database", "operations/support", "packages/create", "packages/mocks"])
      expect(countOf(page), page).toBeGreaterThan(9);
    for (const code of ["BAD_USER_INPUT", "CONFLICT", "FORBIDDEN", "NOT_FOUND", "RATE_LIMITED", "UNAUTHENTICATED", ""])
      expect(countOf(`reference/errors/${code}`), code).toBeGreaterThan(2);
  });

  test("in the source leads to the page that explains it, mostly first", () => {
    const places = messages.map(({ text, page }) => ({ text, page, place: pagesFor(pasted(text)).indexOf(page) }));
    const lost = places.filter(({ place }) => place < 0 || place > 2);
    expect(lost.filter(({ text }) => isTelling(text))).toEqual([]);
    expect(lost.length / places.length).toBeLessThan(0.01);
    expect(places.filter(({ place }) => place === 0).length / places.length).toBeGreaterThan(0.95);
  });

  test("does not answer a few words that it has too", () => {
    expect(index.search("return url").some(({ id }) => /#message-/.test(String(id)))).toBe(false);
    expect(pagesFor("A request must contain exactly one operation.")[0]).toBe("reference/errors/BAD_USER_INPUT");
  });
});

describe("what people type finds its page", () => {
  test("first, with other words than the page has", () => {
    const queries = Object.entries<readonly string[]>(searchQueries);
    expect(queries.length).toBe(490);
    const misses = queries.flatMap(([query, pages]) => {
      const [first = "no page"] = pagesFor(query);
      return pages.includes(first) ? [] : [`${query}: ${first} instead of ${pages.join(" or ")}`];
    });
    expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(MOST_MISSES);
  });

  test("with queries that were written before the pages were read", () => {
    const queries = Object.entries(newQueries);
    expect(queries.length).toBe(60);
    const places = queries.map(([query, page]) => ({ query, page, place: pagesFor(query).indexOf(page) }));
    const isAmong = (count: number) => places.filter(({ place }) => place >= 0 && place < count).length;
    const missed = JSON.stringify(places.filter(({ place }) => place !== 0));
    expect(isAmong(1), missed).toBeGreaterThanOrEqual(LEAST_FIRST);
    expect(isAmong(3), missed).toBeGreaterThanOrEqual(LEAST_AMONG_THREE);
  });

  test("of people who have not seen the pages", () => {
    const places = Object.entries<readonly string[]>(blindQueries).map(([query, pages]) =>
      pagesFor(query).findIndex((page) => pages.includes(page)),
    );
    expect(places.length).toBeGreaterThan(400);
    expect(places.filter((place) => place === 0).length).toBeGreaterThanOrEqual(LEAST_BLIND_FIRST);
    expect(places.filter((place) => place >= 0 && place < 3).length).toBeGreaterThanOrEqual(LEAST_BLIND_AMONG_THREE);
  });

  test("by synonyms, which are few", () => {
    const words = [...Object.values(synonyms.titles), ...synonyms.groups].join(" ").split(" ");
    expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
    // Each word leads to a page of its line, and a word of each group to a heading with another.
    const isFound = (field: string) => (word: string) =>
      index.search(word).some(({ match }) => Object.values(match).some((fields) => fields.includes(field)));
    const unused = Object.entries(synonyms.titles).filter(([, line]) => !line.split(" ").every(isFound("words")));
    expect(unused).toEqual([]);
    expect(synonyms.groups.filter((group) => !group.split(" ").some(isFound("alike")))).toEqual([]);
  });

  test("by the subject of a question, and a word that no page has does not hide the others", () => {
    expect(pagesFor("how do I use it with express")[0]).toBe("how-to/express");
    expect(pagesFor("reconnect zzzzzzzz")[0]).toBe("how-to/reconnect");
    expect(pagesFor("zzzzzzzz")).toEqual([]);
  });

  test("but not by a short word that is spelled like another", () => {
    expect(pagesFor("cors").length).toBeGreaterThan(0);
    expect(pagesFor("corz")).toEqual([]);
    // The control: in a longer word a mistake is corrected.
    expect(pagesFor("reconect")).toContain("how-to/reconnect");
  });

  test("before a generated one", () => {
    const isGenerated = (page: string) => /^reference\/(?:packages|graphql)\//.test(page);
    const pages = pagesFor("launchPage");
    expect(pages.some(isGenerated)).toBe(true);
    expect(isGenerated(pages[0] ?? "")).toBe(false);
  });
});
