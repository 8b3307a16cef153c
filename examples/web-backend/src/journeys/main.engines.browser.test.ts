import { type EngineBrowser, type EnginePage, launchEngine } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ServedExample, serveExample } from "../testing/servedExample.ts";

let browser: EngineBrowser;
let example: ServedExample;

beforeAll(async () => {
  browser = await launchEngine();
});
beforeEach(async () => {
  example = await serveExample();
});
afterEach(() => example.close());
afterAll(() => browser?.close());

/** Mara's page. */
async function signedIn(): Promise<EnginePage> {
  const page = await browser.newPage();
  await page.goto(`${example.origin}/sign-in`);
  await page.getByRole("button", { name: "Mara Lindqvist" }).click();
  await page.getByRole("heading", { name: "Hello, Mara." }).waitFor();
  // It is shown once the page's scripts have run.
  await card(page).getByRole("button", { name: "Use a popup" }).waitFor();
  return page;
}

function card(page: EnginePage) {
  return page.getByRole("article").filter({ hasText: "YouTube" });
}

async function allow(page: EnginePage): Promise<void> {
  await page.getByRole("heading", { name: "Allow the application" }).waitFor();
  await page.locator('input[name="other"]').pressSequentially("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
}

test("a full page goes to the provider and back to the account", async () => {
  const page = await signedIn();
  await card(page).getByRole("button", { name: "Connect" }).click();
  await allow(page);
  await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  expect(await page.context().pages()).toHaveLength(1);
});

test("a popup passes the result to the page that opened it, and closes", async () => {
  const page = await signedIn();
  const opened = page.waitForEvent("popup");
  await card(page).getByRole("button", { name: "Use a popup" }).click();
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await allow(popup);
  await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  await closed;
});

test("a user signs in at the identity provider and is signed in here", async () => {
  const page = await browser.newPage();
  await page.goto(`${example.origin}/`);
  await page.getByRole("button", { name: "Sign in with a company account" }).click();
  await page.locator('input[name="person"][value="ada"]').check();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /^Hello, / }).waitFor();
  await page.waitForURL(({ origin, pathname }) => origin === example.origin && pathname === "/");
  // Ports share cookies, so the service's own cookie is here too.
  const cookies = (await page.context().cookies()).filter(({ name }) => name.startsWith("example_"));
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([["example_session", true]]);
});
