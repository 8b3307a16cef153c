import { getRequestListener } from "@hono/node-server";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { LANGUAGES, type Language, PROVIDER_TRAITS, platformName } from "@social-connect/domain";
import { type Browser, type LocalServer, launchBrowser, type Page, serve, violationsOf } from "@social-connect/testkit";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import { answerConsentPane } from "./consentPane.ts";

/** 80 characters, as many as a name may have. */
const LONG_BRAND: PageBrand = {
  displayName: "Donaudampfschifffahrtsgesellschaftskapitänsverwaltung der Wachau, Abteilung Web!",
  logo: null,
  brandColor: "#0a5c36",
  supportAddress: "mailto:help@shop.example",
  privacyUrl: "https://shop.example/privacy",
  home: "https://shop.example/",
};

const panePath = (language: Language, provider: SocialProvider) => `/${language}/${provider}`;

/** Serves consent panes with all capabilities, without a service: `/de/PROVIDER_B`. */
function servePanes(): Promise<LocalServer> {
  const app = new Hono();
  app.get("/:language/:provider", (context) => {
    const language = context.req.param("language") as Language;
    const provider = SOCIAL_PROVIDERS.find((one) => one === context.req.param("provider")) ?? "PROVIDER_A";
    const now = new Date("2026-03-10T12:00:00Z");
    const pane = {
      provider,
      offersOtherAccount: PROVIDER_TRAITS[provider].accountChoice === "on-request",
      providerHost: "accounts.provider.example",
      isPlainHttp: false,
      capabilities: CAPABILITIES,
      expiresAt: new Date(now.getTime() + 600_000),
      now,
    };
    const action = { path: "/", field: "attempt", attemptId: "1", leaveField: "leave", otherField: "otherAccount" };
    const locale = { language, tag: language };
    return answerConsentPane(context, { locale, serviceHost: "connect.example", brand: LONG_BRAND, pane, action });
  });
  return serve(getRequestListener(app.fetch));
}

/** A phone, and the popup of `@social-connect/browser`. */
const SIZES = [
  [390, 844],
  [560, 760],
] as const;

let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([servePanes(), launchBrowser()]);
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
