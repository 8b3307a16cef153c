import type { Locator, Page } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

/** More stops than any page has before what is looked for. */
const MOST_STOPS = 60;
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
beforeEach(() => panel.clear());
afterAll(() => panel?.close());

/** Goes on with Tab until the thing has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, thing: Locator): Promise<void> {
  await thing.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, thing)) return;
  }
  throw new Error(`Tab does not lead to ${thing}`);
}

async function hasFocus(page: Page, thing: Locator): Promise<boolean> {
  return (await thing.and(page.locator(":focus")).count()) === 1;
}

test("a key is minted and revoked without a mouse, and the focus is never lost", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn();
  // The first stop leads past the menu.
  await page.locator("body").focus();
  await tabTo(page, page.getByRole("link", { name: "Skip to the page" }));
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();

  await page.reload();
  await user.heading("Overview");
  await tabTo(page, page.getByRole("link", { name: "API keys" }));
  await page.keyboard.press("Enter");
  // The new page's heading says where one is.
  await page.locator("h1:focus").filter({ hasText: "API keys" }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Mint a key" }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: "Mint a key" }).waitFor();
  await tabTo(page, page.getByLabel("Label"));
  await page.keyboard.type("by keyboard");
  await tabTo(page, page.getByRole("radio", { name: "Read", exact: true }));
  await page.keyboard.press("ArrowDown");
  await page.getByRole("radio", { name: "Read and write", checked: true }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Mint the key" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Copy Admin key" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied Admin key" }).waitFor();
  expect(await user.clipboard()).toMatch(/^scadm_/);
  await tabTo(page, page.getByRole("button", { name: "I have kept it" }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: "API keys" }).waitFor();

  // A dialog takes the focus, keeps it, and gives it back when it is left.
  const revoke = page.getByRole("button", { name: "Revoke the key by keyboard" });
  await tabTo(page, revoke);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator(":focus").waitFor();
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press("Tab");
    expect(await page.locator("main :focus").and(page.locator(":not([role=dialog] *, dialog *)")).count()).toBe(0);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await revoke.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Type by keyboard to go on").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await page.getByRole("row").filter({ hasText: "by keyboard" }).getByText("Revoked").waitFor();
  expect(user.complaints).toEqual([]);
  await user.leave();
});
