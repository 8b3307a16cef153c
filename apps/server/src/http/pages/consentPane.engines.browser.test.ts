import { type EngineBrowser, launchEngine } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { server, showLaunchForm, site, useLaunchSite } from "./testing/launchSite.ts";

useLaunchSite();

let browser: EngineBrowser;

beforeAll(async () => {
  browser = await launchEngine();
});
afterAll(() => browser?.close());

test("the pane leads to the provider by keyboard, and Back does not start it again", async () => {
  await showLaunchForm({ consent_pane: "true" });
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.getByRole("button", { name: "Connect" }).click();
  await page.waitForURL(({ origin }) => origin === server.url);
  await page.getByRole("button", { name: "Continue to" }).press("Enter");
  await page.getByRole("heading", { name: "Provider" }).waitFor();
  await page.goBack();
  // Without https, WebKit shows the pane that it has in memory.
  const used = page.getByRole("heading", { name: "This link has already been used" });
  const pane = page.getByRole("button", { name: "Continue to" });
  await pane.or(used).waitFor();
  if (await pane.isVisible()) await pane.click();
  await used.waitFor();
  const back = page.getByRole("link", { name: "Back to Atelier Nordlicht" });
  expect(await back.getAttribute("href")).toContain("https://");
});
