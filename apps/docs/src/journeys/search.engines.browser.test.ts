import { type EngineBrowser, launchEngine } from "@social-connect/testkit";
import { afterAll, beforeAll, test } from "vitest";
import { serveBuiltSite } from "../testing/builtSite.ts";

let site: Awaited<ReturnType<typeof serveBuiltSite>>;
let browser: EngineBrowser;

beforeAll(async () => {
  [site, browser] = await Promise.all([serveBuiltSite({ isSmall: true }), launchEngine()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test("search opens the page that it finds", async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.getByRole("button", { name: "Search" }).first().click();
  await page.getByRole("searchbox").pressSequentially("show posts");
  await page.locator('.results a[href*="how-to/show-posts.html"]').first().click();
  await page.getByRole("heading", { name: "Show posts" }).waitFor();
  await page.getByText("The text of the earlier release.").waitFor();
});
