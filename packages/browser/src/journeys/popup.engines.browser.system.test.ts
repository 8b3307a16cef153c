import { type EngineBrowser, launchEngine } from "@social-connect/testkit";
import { afterAll, beforeAll, test } from "vitest";
import { type Site, startSite } from "../testing/site.ts";

let browser: EngineBrowser;
let site: Site;

beforeAll(async () => {
  [browser, site] = await Promise.all([launchEngine(), startSite()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

test("a popup passes the result to the page that opened it, and closes", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/`);
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
  await popup.locator('input[name="other"]').pressSequentially("slow-trains");
  await popup.getByRole("button", { name: "Allow" }).click();
  await page.getByText(/^returned .+ COMPLETED$/).waitFor();
  await closed;
});
