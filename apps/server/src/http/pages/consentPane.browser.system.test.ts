import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { LANGUAGES, PROVIDER_TRAITS, platformName } from "@social-connect/domain";
import { type Browser, type LocalServer, launchBrowser, type Page, violationsOf } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LONG_BRAND, panePath, servePanes } from "./testing/samplePane.ts";

/** A phone, and the popup of `@social-connect/browser`. */
const SIZES = [
  [390, 844],
  [560, 760],
] as const;

let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([servePanes(LONG_BRAND), launchBrowser()]);
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Whether each button is in the window and nothing covers them, before any scrolling. */
const BUTTONS_IN_VIEW = `[...document.querySelectorAll("button")].map((button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isWithin = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return isWithin && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button;
})`;

test.each(LANGUAGES)("names the network, and has its buttons in view without scrolling, in %s", async (language) => {
  for (const provider of SOCIAL_PROVIDERS) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.goto(server.url + panePath(language, provider));
      const where = [language, provider, width];
      const buttons = PROVIDER_TRAITS[provider].accountChoice === "on-request" ? [true, true, true] : [true, true];
      expect([...where, await page.evaluate(BUTTONS_IN_VIEW)]).toEqual([...where, buttons]);
      for (const named of [page.getByRole("heading", { level: 1 }), page.locator("button.button")]) {
        expect(await named.textContent()).toContain(platformName(provider));
      }
    }
  }
});

test.each(LANGUAGES)("is accessible in %s, in light, dark and forced colors", async (language) => {
  await page.goto(server.url + panePath(language, "PROVIDER_C"));
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const look of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }] as const) {
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none", ...look });
      expect([language, width, look, await violationsOf(page)]).toEqual([language, width, look, []]);
    }
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
});
