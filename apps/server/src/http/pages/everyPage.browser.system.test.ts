/** @module-tag nightly */
import { getRequestListener } from "@hono/node-server";
import { BROWSER_ERROR_PAGES, type ErrorName, LANGUAGES, type Language, TEXTS } from "@social-connect/domain";
import {
  type Browser,
  type LocalServer,
  launchBrowser,
  overflowOf,
  type Page,
  SWEEPS_ALL,
  sampled,
  serve,
  violationsOf,
} from "@social-connect/testkit";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import type { DeletionStatus } from "../../modules/data-deletion/readDeletion.ts";
import { PANEL_PAGES } from "../panelPages.ts";
import { answerDeletionStatus } from "./deletionStatus.ts";
import { answerAdmin, answerError } from "./errorPage.ts";

const WIDTHS = [390, 1_024, 1_440];
/** A window of 1280 pixels at a zoom of 200 % and of 400 %. */
const ZOOMED_WIDTHS = [640, 320];
const NAMES = Object.keys(BROWSER_ERROR_PAGES) as ErrorName[];
const BRAND: PageBrand = {
  displayName: "Donaudampfschifffahrtsgesellschaftskapitänsverwaltung",
  logo: null,
  brandColor: "#0a5c36",
  supportAddress: "mailto:help@shop.example",
  privacyUrl: "https://shop.example/privacy",
  home: "https://shop.example/",
};

const DELETION = {
  requestedAt: new Date("2026-03-10T12:00:00Z"),
  erasedAt: new Date("2026-03-11T12:00:00Z"),
  connections: 1_234,
  remaining: 0,
  posts: 56_789,
  appMayRemain: true,
};
const DELETIONS: Readonly<Record<string, DeletionStatus>> = {
  erased: { ...DELETION, state: "ERASED" },
  inProgress: { ...DELETION, state: "IN_PROGRESS", remaining: 21 },
  nothingHeld: { ...DELETION, state: "NOTHING_HELD", erasedAt: null, connections: 0, posts: 0, appMayRemain: false },
};

let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const app = new Hono();
  app.get("/error/:language/:name", (context) => {
    const language = context.req.param("language") as Language;
    const values = { origin: "https://a.example" };
    const options = { locale: { language, tag: language }, serviceHost: "connect.example", brand: BRAND, values };
    return answerError(context, context.req.param("name") as ErrorName, options);
  });
  app.get("/deletion/:state", (context) =>
    answerDeletionStatus(
      context,
      { connectHost: "https://connect.example" },
      DELETIONS[context.req.param("state")] ?? null,
    ),
  );
  app.get("/admin/:name", (context) => {
    const admin = PANEL_PAGES[context.req.param("name") as keyof typeof PANEL_PAGES];
    return answerAdmin(context, { ...admin, about: "Social Connect admin panel, LIVE mode, at admin.example." });
  });
  [server, browser] = await Promise.all([serve(getRequestListener(app.fetch)), launchBrowser()]);
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function violationsAt(width: number, colorScheme: "light" | "dark"): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  return violationsOf(page);
}

async function expectNoSidewaysScroll(where: string): Promise<void> {
  for (const width of ZOOMED_WIDTHS) {
    await page.setViewportSize({ width, height: 450 });
    expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
  }
}

test.each(LANGUAGES)("every error page is accessible in %s", async (language) => {
  for (const [at, name] of NAMES.entries()) {
    const { title } = TEXTS[language].errors[name];
    await page.goto(`${server.url}/error/${language}/${name}`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
    expect(await page.evaluate("document.documentElement.lang")).toBe(language);
    // Every page in one language, every language with several pages, and all widths in turn.
    const turn = at + LANGUAGES.indexOf(language);
    const width = WIDTHS[turn % WIDTHS.length] ?? 390;
    for (const colorScheme of ["light", "dark"] as const) {
      if (!SWEEPS_ALL && turn % LANGUAGES.length !== 0) continue;
      const where = `${name} in ${language}, ${width}, ${colorScheme}`;
      expect([where, await violationsAt(width, colorScheme)]).toEqual([where, []]);
    }
    await expectNoSidewaysScroll(`${name} in ${language}`);
  }
});

test.each(LANGUAGES)("every state of a data deletion request has an accessible page in %s", async (language) => {
  await page.setExtraHTTPHeaders({ "accept-language": language });
  for (const [at, state] of [...Object.keys(DELETIONS), "unknown"].entries()) {
    await page.goto(`${server.url}/deletion/${state}`);
    const { title, unknownTitle } = TEXTS[language].deletion;
    const heading = page.getByRole("heading", { level: 1 });
    expect(await heading.textContent()).toBe(state === "unknown" ? unknownTitle : title);
    const colorScheme = at % 2 === 0 ? "light" : "dark";
    const where = `${state} in ${language}, ${colorScheme}`;
    expect([where, await violationsAt(WIDTHS[at % WIDTHS.length] ?? 390, colorScheme)]).toEqual([where, []]);
    await expectNoSidewaysScroll(where);
  }
  await page.setExtraHTTPHeaders({});
});

test.each(Object.keys(PANEL_PAGES))("the panel's page %s is accessible", async (name) => {
  await page.goto(`${server.url}/admin/${name}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const width of WIDTHS) {
    for (const colorScheme of sampled(["light", "dark"] as const, `${name} ${width}`, 2)) {
      expect([width, colorScheme, await violationsAt(width, colorScheme)]).toEqual([width, colorScheme, []]);
    }
  }
  await expectNoSidewaysScroll(name);
});
