/** @module-tag nightly */
import type { Locator, Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";

/** More tab stops than any page has. */
const MAX_TAB_STOPS = 60;
/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  if (await hasFocus(page, element)) return;
  for (let stop = 0; stop < MAX_TAB_STOPS; stop++) {
    await page.keyboard.press("Tab");
    if (await hasFocus(page, element)) return;
  }
  throw new Error(`Cannot reach ${element} with Tab.`);
}

async function hasFocus(page: Page, element: Locator): Promise<boolean> {
  return (await element.and(page.locator(":focus")).count()) === 1;
}

test("mints and revokes a key by keyboard without losing the focus", async ({ admin: user, page }) => {
  await user.open("");
  // The first tab stop skips the menu.
  await page.locator("body").focus();
  await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();

  await page.reload();
  await user.heading("Overview");
  await tabTo(page, page.getByRole("link", { name: "API keys" }));
  await page.keyboard.press("Enter");
  // The new page's heading receives the focus.
  await page.locator("h1:focus").filter({ hasText: "API keys" }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Mint a key" }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: "Mint a key" }).waitFor();
  await tabTo(page, page.getByLabel("Label"));
  await page.keyboard.type("by keyboard");
  await tabTo(page, page.getByRole("radio", { name: "Read", exact: true }));
  await page.keyboard.press("ArrowDown");
  await page.getByRole("radio", { name: "Read and write", checked: true }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Mint key" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Copy Admin key" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied Admin key" }).waitFor();
  expect(await user.clipboard()).toMatch(/^scadm_/);
  await tabTo(page, page.getByRole("button", { name: "I have saved it" }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: "API keys" }).waitFor();

  // A dialog traps the focus and restores it when it closes.
  const revoke = page.getByRole("button", { name: "Revoke key by keyboard" });
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
  await dialog.getByLabel("Type by keyboard to confirm").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await page.getByRole("row").filter({ hasText: "by keyboard" }).getByText("Revoked", { exact: true }).waitFor();
});

test("finds a client, changes it and searches the support pages by keyboard", async ({ panel, admin, page }) => {
  const { displayName } = await panel.client("typed");
  await admin.open("/clients");
  await tabTo(page, page.getByRole("searchbox", { name: "Search clients by name, slug or id" }));
  await page.keyboard.type("typed");
  await page.waitForURL(/find=typed/);
  await tabTo(page, page.getByRole("link", { name: displayName }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: displayName }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Tenants" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("textbox", { name: "New tenant key" }));
  await page.keyboard.type("by-keyboard");
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").filter({ hasText: "by-keyboard" }).waitFor();
  await admin.open("/support");
  await tabTo(page, page.getByRole("combobox", { name: "Client" }));
  await page.keyboard.type("typed");
  await tabTo(page, page.getByRole("combobox", { name: "Tenant" }));
  await page.keyboard.type("main");
  await tabTo(page, page.getByRole("combobox", { name: "User", exact: true }));
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("This user has no connection").waitFor();
});

test("creates a client by keyboard", async ({ admin, page }) => {
  await admin.open("/clients");
  await tabTo(page, page.getByRole("link", { name: "Create a client" }));
  await page.keyboard.press("Enter");
  await page.locator("h1:focus").filter({ hasText: "Create a client" }).waitFor();
  const field = (name: string) => page.getByRole("textbox", { name });
  const next = async () => {
    await tabTo(page, page.getByRole("button", { name: "Continue" }));
    await page.keyboard.press("Enter");
  };
  await tabTo(page, field("Name"));
  await page.keyboard.type("Typed shop");
  await next();
  await tabTo(page, field("Origins"));
  await page.keyboard.type("https://typed-shop.example");
  await next();
  await tabTo(page, field("Return URLs"));
  await page.keyboard.type("https://typed-shop.example/return");
  await tabTo(page, page.getByRole("checkbox", { name: /^None of these routes/ }));
  await page.keyboard.press("Space");
  await next();
  await tabTo(page, field("Tenant keys"));
  await page.keyboard.type("main");
  await next();
  await page.getByRole("checkbox", { name: /PROVIDER_A/ }).waitFor();
  await next();
  await tabTo(page, page.getByRole("button", { name: "Create client" }));
  await page.keyboard.press("Enter");
  await admin.heading("Typed shop");
});

test("a button keeps the focus while its action runs, and the last page of a list receives it", async ({
  panel,
  admin,
  page,
}) => {
  for (let each = 100; each < 160; each += 1) await panel.client(`numbered-${each}`);
  await admin.open("/clients");
  await page.getByRole("button", { name: "Show more" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("60 in total").waitFor();
  await page.locator("a:focus").filter({ hasText: "The numbered-150 app" }).waitFor();

  const { id } = await panel.client("removed");
  await admin.open(`/clients/${id}`);
  await page.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("removed");
  await panel.service.prisma.application.delete({ where: { id } });
  const disable = dialog.getByRole("button", { name: /^Disable/ });
  await disable.focus();
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  expect(await disable.evaluate((button) => button === document.activeElement)).toBe(true);
});
