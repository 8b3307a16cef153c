/** @module-tag nightly */
import { writeFileSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  overflowOf,
  type Page,
  sampled,
  violationsOf,
} from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serveBuiltSite, serveWorkingCopy } from "../testing/builtSite.ts";

/** One page of each kind, by its path in the site. */
const SAMPLES = [
  "",
  "contents.html",
  "tutorials/your-own-app.html",
  "how-to/connect-an-account.html",
  "how-to/go-live.html",
  "reference/errors/RATE_LIMITED.html",
  "reference/codes-and-limits.html",
  "reference/packages/sizes.html",
  "operations/runbooks/slow-database.html",
  "explanation/shared-grants.html",
  "packages/sdk.html",
  "no-such-page.html",
];

let site: Awaited<ReturnType<typeof serveBuiltSite>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const requested: string[] = [];
const scriptErrors: string[] = [];

/** Ends a hang. A busy machine takes several times as long. */
const BUILD_TIMEOUT_MS = 600_000;

beforeAll(async () => {
  [site, browser] = await Promise.all([serveBuiltSite(), launchBrowser()]);
  context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  context.on("request", (request) => requested.push(request.url()));
  context.on("weberror", (error) => scriptErrors.push(String(error.error())));
  page = await context.newPage();
}, BUILD_TIMEOUT_MS);
afterEach(() => {
  const origin = new URL(site.url).origin;
  const elsewhere = requested.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"));
  expect({ elsewhere, scriptErrors }).toEqual({ elsewhere: [], scriptErrors: [] });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(path: string): Promise<void> {
  await page.goto(site.url + path, { waitUntil: "networkidle" });
}

test("has no broken link", () => {
  expect(site.summary).toMatch(/^\d{3,} pages in .*, \d{4,} links checked, 0 problems$/);
});

describe("search", () => {
  async function search(query: string): Promise<void> {
    const box = page.getByRole("searchbox");
    if (!(await box.isVisible())) {
      await page
        .getByRole("button", { name: /Search/ })
        .first()
        .click();
      await box.waitFor();
    }
    await box.fill(query);
  }

  /** Waits until one of the first results leads to the page. */
  async function finds(href: string, first: number): Promise<void> {
    const link = `[href^="${site.base}${href}"]`;
    await page.locator(`.results > li:nth-child(-n+${first}) a${link}`).first().waitFor();
  }

  beforeAll(() => open(""));

  test.each([
    { query: "RATE_LIMITED", href: "reference/errors/RATE_LIMITED.html", first: 1 },
    { query: "requestRefresh", href: "reference/graphql/consumer.html#requestrefresh", first: 1 },
    { query: "Show posts", href: "how-to/show-posts.html", first: 3 },
    {
      query: "Error: A request must contain exactly one operation. 0197a5a0-1111-7222-8333-444444444444",
      href: "reference/errors/BAD_USER_INPUT.html#message-",
      first: 1,
    },
  ])("finds $query", async ({ query, href, first }) => {
    await search(query);
    await finds(href, first);
  });

  test("works offline once it was opened", async () => {
    await search("pollers");
    await page.locator(".results a").first().waitFor();
    await context.setOffline(true);
    try {
      await search("EXCHANGE_FAILED");
      await finds("reference/codes-and-limits.html", 3);
    } finally {
      await context.setOffline(false);
    }
  });

  test("has no accessibility violations", async () => {
    await search("reconnect");
    await page.locator(".results a").first().waitFor();
    expect(await violationsOf(page, { bestPractice: false })).toEqual([]);
    await page.keyboard.press("Escape");
  });
});

test.each(SAMPLES)("/%s has no accessibility violations in light and dark colors, and fits a phone", async (path) => {
  const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await open(path);
  expect(await isDark()).toBe(false);
  const examined = sampled(["light", "dark", "phone"], path, 3);
  if (examined.includes("light")) expect(await violationsOf(page, { bestPractice: false })).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(isDark).toBe(true);
  if (examined.includes("dark")) expect(await violationsOf(page, { rules: ["color-contrast"] })).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflowOf(page)).toBe(0);
  if (examined.includes("phone")) expect(await violationsOf(page, { bestPractice: false })).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("the bar fits windows of every width, and its search button has a name", async () => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await open("how-to/go-live.html");
  const widths = [320, 390, 600, 767, 768, 800, 860, 930, 959, 960, 1_100];
  const examined = sampled(widths, 0, 5);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
    const parts = page.locator(".VPNavBar").locator("a, button, select");
    const boxes = (await Promise.all((await parts.all()).map((part) => part.boundingBox()))).filter(
      (box) => box !== null,
    );
    const isIn = boxes.every(({ x, width: own }) => x >= 0 && x + own <= width);
    expect([width, boxes.length > 2, isIn]).toEqual([width, true, true]);
    await page.getByRole("button", { name: "Search" }).first().waitFor();
    if (examined.includes(width))
      expect([width, await violationsOf(page, { bestPractice: false })]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

describe("versions", () => {
  const select = () => page.locator("select.in-bar");
  /** The page loads the list of versions after it is shown. */
  const listsVersions = () =>
    expect.poll(() => select().locator("option").allTextContents()).toEqual(["0.2.0", "0.1.0"]);

  test("the switch opens the same page of another version, and returns", async () => {
    await open("how-to/show-posts.html");
    await listsVersions();
    await select().selectOption("0.1.0");
    await page.waitForURL(`${site.url}0.1.0/how-to/show-posts.html`);
    await page.getByText("The text of the earlier release.").waitFor();
    await listsVersions();
    await select().selectOption("0.2.0");
    await page.waitForURL(`${site.url}how-to/show-posts.html`);
  });

  test("the switch opens the first page of a version that does not have the page", async () => {
    await open("how-to/go-live.html");
    await listsVersions();
    await select().selectOption("0.1.0");
    await page.waitForURL(`${site.url}0.1.0/`);
    await page.getByText("The earlier release.").waitFor();
  });
});

test("a color scheme that was selected is used on the next visit", async () => {
  await page.emulateMedia({ colorScheme: "light" });
  await open("");
  await page.getByRole("switch", { name: /theme/ }).first().click();
  await open("how-to/show-posts.html");
  expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
  await page.evaluate("localStorage.clear()");
});

test("a button copies the code of a snippet, also of a shell command", async () => {
  for (const [path, start] of [
    ["how-to/replace-polling.html", "const result = await user.connectResult("],
    ["tutorials/quick-start.html", "n"],
  ] as const) {
    await open(path);
    const code = page.locator('div[class*="language-"]').first();
    await code.hover();
    await code.getByRole("button", { name: /copy/i }).click();
    await code.locator("button.copied").waitFor();
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(copied.trim()).toBe((await code.locator("code").textContent())?.trim());
    expect(copied.startsWith(start)).toBe(true);
  }
});

test("diagrams are drawn without scripts", async () => {
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false });
  const plain = await withoutScripts.newPage();
  await plain.goto(site.url);
  expect(await plain.locator("figure.diagram svg text").count()).toBeGreaterThan(5);
  expect(await plain.getByRole("heading", { level: 1 }).textContent()).toContain("Social Connect");
  await withoutScripts.close();
});

test("a framework that is chosen at one place is shown at the others, also by keyboard", async () => {
  await open("tutorials/your-own-app.html");
  const shown = async () => (await page.locator(".tab:visible code").allTextContents()).join("\n");
  expect(await shown()).toContain("--template next");
  await page.getByRole("radio", { name: "Hono" }).last().check({ force: true });
  expect(await shown()).toContain("--template hono");
  expect(await shown()).toContain("setCookie(context");
  expect(await shown()).not.toContain("--template next");
  await page.keyboard.press("ArrowLeft");
  expect(await shown()).toContain("--template nest");
});

test("links within the site stay below its base path", async () => {
  await open("");
  await page.getByRole("link", { name: "Guides", exact: true }).first().click();
  await page.waitForURL(`${site.url}how-to/**`);
  await page.locator(".vp-doc").getByRole("link", { name: "Show posts" }).first().click();
  await page.waitForURL(`${site.url}how-to/show-posts.html`);
  await page.getByRole("heading", { level: 1, name: "Show posts" }).waitFor();
});

test("serves every page as Markdown, and a list of all pages, for language models", async () => {
  const fetchText = async (path: string) => {
    const response = await context.request.get(site.url + path);
    expect(response.status()).toBe(200);
    return response.text();
  };
  expect(await fetchText("how-to/show-posts.md")).toContain("# Show posts\n");
  const list = await fetchText("llms.txt");
  expect(list).toContain(`- [Show posts](${site.base}how-to/show-posts.md)`);
  expect(await fetchText("llms-full.txt")).toContain("\n# Show posts\n");
});

test("shows a change of a page while it is written", async () => {
  const copy = await serveWorkingCopy();
  const tab = await browser.newPage();
  try {
    await tab.goto(`${copy.url}how-to/show-posts`);
    await tab.getByText("The text of the earlier release.").waitFor();
    writeFileSync(`${copy.folder}/docs/how-to/show-posts.md`, "# Show posts\n\nA new text.\n");
    await tab.getByText("A new text.").waitFor();
  } finally {
    await tab.close();
    await copy.close();
  }
});
