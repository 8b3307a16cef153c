import { type EngineBrowser, type EnginePage, launchEngine } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { serveExample } from "../testing/serveExample.ts";

let browser: EngineBrowser;
let example: Awaited<ReturnType<typeof serveExample>>;

beforeAll(async () => {
  browser = await launchEngine();
});
beforeEach(async () => {
  example = await serveExample();
});
afterEach(() => example.close());
afterAll(() => browser?.close());

async function allow(page: EnginePage): Promise<void> {
  await page.getByRole("heading", { name: "Allow the application" }).waitFor();
  await page.locator('input[name="other"]').pressSequentially("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Slow trains" }).waitFor();
}

test("a user links an account, sees its posts, connects it again after its grant ended, and disconnects it", async () => {
  const page = await browser.newPage();
  await page.goto(`${example.origin}/sign-in`);
  await page.getByRole("button", { name: "Mara Lindqvist" }).click();
  await page.getByRole("heading", { name: "Hello, Mara." }).waitFor();
  await page.getByRole("article").filter({ hasText: "YouTube" }).getByRole("button", { name: "Connect" }).click();
  await allow(page);
  expect(await page.context().pages()).toHaveLength(1);
  await example.mock.settle();
  await page.locator(".post .known").first().waitFor();

  const [linked] = example.store.accounts.of("user-mara", new Date());
  const lastRead = await page.getByText(/^Last read /).textContent();
  example.mock.connection(linked?.connection.id ?? "").loseGrant();
  await page.reload();
  await page.getByRole("heading", { name: "This account needs you" }).waitFor();
  expect(await page.getByText(/^Last read /).textContent()).toBe(lastRead);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await allow(page);
  await page.locator(".post").first().waitFor();

  await page.getByRole("link", { name: "Disconnect…" }).click();
  await page.getByRole("button", { name: "Disconnect and erase" }).click();
  await page.getByText("In progress").first().waitFor();
  await example.mock.settle();
  await page.getByText("The provider has ended the consent.").waitFor();
  await page.getByText("Posts, numbers and profile are deleted.").waitFor();
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
