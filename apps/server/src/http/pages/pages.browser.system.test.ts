import { LANGUAGES } from "@social-connect/domain";
import {
  type Browser,
  type BrowserContext,
  launchBrowser,
  overflowOf,
  type Page,
  sampled,
  violationsOf,
} from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { application, server, service, showForm, showLaunchForm, site, useLaunchSite } from "./testing/launchSite.ts";

useLaunchSite();

const WIDTHS = [390, 1_024, 1_440];

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

beforeEach(() => setColor("#0a5c36"));

async function setColor(brandColor: string | null): Promise<void> {
  await service.prisma.application.update({ where: { id: application.id }, data: { brandColor } });
}

interface Visit {
  readonly page: Page;
  readonly complaints: string[];
}

async function setEnabled(enabled: boolean): Promise<void> {
  await service.prisma.application.update({ where: { id: application.id }, data: { enabled } });
}

/** Opens the application's site and presses its launch button; without a consent pane, for the page of a disabled application. */
async function launch(context: BrowserContext, fields: Record<string, string>): Promise<Visit> {
  const isEnabled = "consent_pane" in fields;
  await showLaunchForm(fields);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(site.url);
  await setEnabled(isEnabled);
  await page.getByRole("button").click();
  await page.waitForURL(`${server.url}/**`);
  await setEnabled(true);
  return { page, complaints };
}

describe.each([
  ["the consent pane", { consent_pane: "true" }],
  ["an error page", {}],
] as const)("%s", (name, fields) => {
  test.each(["light", "dark"] as const)("is accessible at every width, in %s", async (colorScheme) => {
    for (const [at, color] of ["#0a5c36", "#ffe14d", null].entries()) {
      await setColor(color);
      const context = await browser.newContext({ colorScheme, locale: "de-DE" });
      const { page } = await launch(context, fields);
      for (const width of sampled(WIDTHS, at, 3)) {
        await page.setViewportSize({ width, height: 800 });
        const where = `${name}, ${color}, ${width}`;
        expect([where, await violationsOf(page)]).toEqual([where, []]);
        expect([where, await overflowOf(page)]).toEqual([where, 0]);
      }
      await context.close();
    }
  });

  test("needs no scrolling sideways in any language at a zoom of 200 % of the narrowest width", async () => {
    for (const language of LANGUAGES) {
      const context = await browser.newContext({ locale: language, viewport: { width: 195, height: 400 } });
      const { page } = await launch(context, fields);
      expect(await page.evaluate("document.documentElement.lang")).toBe(language);
      expect([language, await overflowOf(page)]).toEqual([language, 0]);
      await context.close();
    }
  });

  test("shows the logo, runs no script and violates no policy", async () => {
    const context = await browser.newContext();
    const { page, complaints } = await launch(context, fields);
    expect(await page.evaluate("document.images[0].naturalWidth")).toBe(1);
    const refusal = /^Failed to load resource: the server responded with a status of 403/;
    expect(complaints.filter((text) => !refusal.test(text))).toEqual([]);
    await context.close();
  });
});

test("the pane leads to the provider by keyboard without scripts, and again after Back", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const { page, complaints } = await launch(context, { consent_pane: "true" });
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
  expect(complaints).toEqual([]);
  await page.goBack();
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
  await context.close();
});

test("another site cannot press the button of the pane in the visitor's browser", async () => {
  const context = await browser.newContext();
  const { page } = await launch(context, { consent_pane: "true" });
  const attempt = await page.locator("input[name=attempt]").getAttribute("value");
  const action = await page.locator("form").getAttribute("action");
  showForm(
    `<form method="post" action="${action}"><input type="hidden" name="attempt" value="${attempt}"><button>Win</button></form>`,
  );
  const evil = await context.newPage();
  await evil.goto(site.url);
  await evil.getByRole("button").click();
  await evil.getByRole("heading", { name: "This page cannot start the connection" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await context.close();
});
