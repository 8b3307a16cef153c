import { type EngineBrowser, launchEngine, violationsOf } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { server, showLaunchForm, site, useLaunchSite } from "./testing/launchSite.ts";

useLaunchSite();

let browser: EngineBrowser;

beforeAll(async () => {
  browser = await launchEngine();
});
afterAll(() => browser?.close());

test("the pane leads to the provider by keyboard, with its button in view, and again after Back", async () => {
  await showLaunchForm({ consent_pane: "true" });
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.getByRole("button", { name: "Connect" }).click();
  await page.waitForURL(({ origin }) => origin === server.url);
  const button = page.getByRole("button", { name: "Continue to YouTube" });
  await button.waitFor();
  expect(await page.evaluate("document.querySelector('button').getBoundingClientRect().bottom <= innerHeight")).toBe(
    true,
  );
  expect(await violationsOf(page)).toEqual([]);
  await button.press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
  await page.goBack();
  await button.press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
});
