/** @module-tag nightly */
import { once } from "node:events";
import { createServer } from "node:http";
import {
  type Browser,
  type BrowserContext,
  eventually,
  type Frame,
  launchBrowser,
  type Page,
  sampled,
} from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestPage } from "../testing/pages.ts";
import { type Site, startSite } from "../testing/site.ts";
import { SITUATIONS, type Situation } from "../testing/situations.ts";

let browser: Browser;
let site: Site;
let context: BrowserContext;
/** Serves pages with the application in a frame. */
const embedding = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://embedding.invalid");
  const sandbox = searchParams.get("sandbox");
  const attribute = sandbox === null ? "" : ` sandbox="${sandbox}"`;
  response
    .setHeader("content-type", "text/html")
    .end(`<!doctype html><iframe src="${searchParams.get("src")}"${attribute} width="600" height="400"></iframe>`);
});

beforeAll(async () => {
  embedding.listen(0, "127.0.0.1");
  [browser, site] = await Promise.all([launchBrowser(), startSite(), once(embedding, "listening")]);
});
beforeEach(async () => {
  site.mock.reset();
  site.setHeaders({});
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  embedding.close();
  embedding.closeAllConnections();
  await browser?.close();
  await site?.close();
});

function blockPopups(): void {
  window.open = () => null;
}

function openWithoutOpener(): void {
  const open = window.open.bind(window);
  window.open = (url, name, features) => open(url, name, `${features},noopener`);
}

/** As with the setting of a browser that blocks all cookies and site data, also for the windows that a page opens. */
function blockStorage(): void {
  const refuse = () => {
    throw new DOMException("Access is denied.", "SecurityError");
  };
  Object.defineProperty(window, "sessionStorage", { get: refuse });
  Object.defineProperty(window, "localStorage", { get: refuse });
  globalThis.BroadcastChannel = class {
    constructor() {
      refuse();
    }
  } as unknown as typeof BroadcastChannel;
}

const CHANGES = {
  "blocks popups": blockPopups,
  "blocks storage": blockStorage,
  "opens without an opener": openWithoutOpener,
};

/** Opens the page with the button in its situation. */
async function openPage(
  { headers = {}, frame, browser: change }: Situation,
  query = "",
): Promise<{ page: Page; own: Frame }> {
  site.setHeaders(headers);
  if (change !== undefined) await context.addInitScript(CHANGES[change]);
  const page = await context.newPage();
  const url = `${site.origin}/${query}`;
  if (frame === undefined) {
    await page.goto(url);
    return { page, own: page.mainFrame() };
  }
  const address = embedding.address();
  const port = typeof address === "object" ? address?.port : 0;
  const host = frame.site === "same" ? "127.0.0.1" : "localhost";
  const parameters = new URLSearchParams({ src: url, ...(frame.sandbox !== undefined && { sandbox: frame.sandbox }) });
  await page.goto(`http://${host}:${port}/?${parameters}`);
  const own = page.frames().find((one) => one.url() === url);
  if (own === undefined) throw new Error("The frame has another page.");
  return { page, own };
}

async function openPopup({ page, own }: { page: Page; own: Frame }): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press(own)]);
  return popup;
}

const press = (own: Frame) => own.getByRole("button", { name: "Connect", exact: true }).click();
const outcomesOf = (own: Frame) => own.evaluate(() => (window as unknown as TestPage).outcomes ?? []);

async function allow(popup: Page): Promise<void> {
  await popup.locator('input[name="other"]').fill("slow-trains");
  await popup.getByRole("button", { name: "Allow" }).click();
}

async function goToTheEnd(situation: Situation, expected: Situation["outcomes"], query: string): Promise<void> {
  const { page, own } = await openPage(situation, query);
  if (expected.includes("redirecting")) {
    await press(own);
    await page.waitForURL("**/__mock/providers/**");
    await allow(page);
    await page.getByText(`result of ${site.lastAttempt().sessionId} here`).waitFor();
    return;
  }
  if (expected.includes("blocked")) {
    await press(own);
    await eventually(async () => expect(await outcomesOf(own)).toEqual(["blocked"]));
    expect(context.pages()).toHaveLength(1);
    return;
  }
  const popup = await openPopup({ page, own });
  await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
  // While the window is open, the outcome is `unknown` or none. The window returns after that.
  const open = expected[0] === "unknown" ? ["unknown"] : [];
  await eventually(async () => expect(await outcomesOf(own)).toEqual(open));
  expect(popup.isClosed()).toBe(false);
  await allow(popup);
  if (!expected.includes("returned")) await popup.getByText(`result of ${site.lastAttempt().sessionId} here`).waitFor();
  await eventually(async () => expect(await outcomesOf(own)).toEqual(expected));
}

describe("a window that goes to the end", () => {
  const complete = SITUATIONS.filter(({ obstacle }) => obstacle === undefined);

  test.each(complete)("$name: the outcome is as documented", async (situation) => {
    await goToTheEnd(situation, situation.outcomes, "");
  });

  test.each(
    sampled(
      complete.filter(({ outcomes }) => outcomes.includes("unknown")),
      0,
      3,
    ),
  )("$name: the application finds the result by asking its backend", async (situation) => {
    await goToTheEnd(situation, situation.found ?? situation.outcomes, "?ask");
  });
});

describe("a window that the person closes", () => {
  const opening = SITUATIONS.filter(({ outcomes: [first] }) => first === "returned" || first === "unknown");

  test.each(sampled(opening, 0, 4))("$name: the outcome is unknown", async (situation) => {
    const opened = await openPage(situation);
    const popup = await openPopup(opened);
    if (situation.obstacle === "the service rejects the launch")
      await popup.getByText("403").or(popup.locator("main h1")).first().waitFor();
    else if (situation.obstacle === undefined)
      await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
    await popup.close();
    await eventually(async () => expect(await outcomesOf(opened.own)).toEqual(["unknown"]));
  });
});
