import { expect } from "vitest";
import type { BrowserUser } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";
import { adminQuery } from "./testing/server.ts";

const MINUTE = 60_000;
const KEY = /scadm_[0-9a-f-]{36}\.[0-9a-f]{64}/;
async function fillIn(user: BrowserUser, label: string, may: "Read" | "Read and write"): Promise<void> {
  const { page } = user;
  await page.getByLabel("Label").fill(label);
  await page.getByRole("radio", { name: may, exact: true }).check();
  await page.getByLabel("Lifetime in days").fill("7");
}

/** Waits for the key that the page shows. */
async function shownKey({ page }: BrowserUser): Promise<string> {
  const shown = page.getByText(KEY).first();
  await shown.waitFor();
  return KEY.exec((await shown.textContent()) ?? "")?.[0] ?? "";
}

test("mints a key after a confirmation, lists its calls in the audit log, and revokes it", async ({
  panel,
  user,
  page,
}) => {
  await user.signIn();
  await panel.advance(6 * MINUTE);
  await user.open("/api-keys");
  await page.getByRole("link", { name: "Mint a key" }).click();
  await fillIn(user, "deploy script", "Read and write");
  await page.getByText("You have to sign in again first").waitFor();
  await page.getByRole("button", { name: "Mint key" }).click();

  // The sign-in is too old. After a new one, the form is restored.
  await user.confirmIdentity();
  await user.heading("Mint a key");
  await page.getByText("Your input was restored.").waitFor();
  expect(await page.getByLabel("Label").inputValue()).toBe("deploy script");
  expect(await page.getByRole("radio", { name: "Read and write" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Mint key" }).click();
  const key = await shownKey(user);
  await page.getByRole("button", { name: "Copy Lines for an .env file" }).click();
  await page.getByRole("button", { name: "Copied Lines for an .env file" }).waitFor();
  const lines = [`SOCIAL_CONNECT_ADMIN_KEY=${key}`, `SOCIAL_CONNECT_ADMIN_HOST=${panel.url}`];
  expect(await user.clipboard()).toBe(lines.join("\n"));

  // The key works within its scope.
  const created = await adminQuery(
    panel,
    key,
    `mutation { createClient(input: { slug: "made-by-key", displayName: "Made by a key", webOrigins: ["https://made.example"],
       returnUrls: ["https://made.example/back"], tenantKeys: ["t"], providers: [PROVIDER_A], capabilities: [PROFILE],
       confirmedNoOnwardRedirect: true }) { slug } }`,
  );
  expect(created.errors).toEqual([]);

  await page.getByRole("button", { name: "I have saved it" }).click();
  await user.heading("API keys");
  await page.getByRole("link", { name: "deploy script" }).click();
  await user.heading("deploy script");
  await page.getByRole("link", { name: "View activity" }).click();
  await user.heading("Audit log");
  const shortId = key.slice("scadm_".length, "scadm_".length + 8);
  const log = page.getByRole("table", { name: "Audit entries, newest first" });
  await log.getByText("Client created", { exact: true }).waitFor();
  await expect.poll(() => log.getByRole("row").count()).toBe(3);
  await log.getByText("API key first used", { exact: true }).waitFor();
  await expect.poll(() => log.getByRole("link", { name: `Via API key ${shortId}` }).count()).toBe(2);

  // The filter is part of the URL.
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Client created" }).click();
  await expect.poll(() => log.getByRole("row").count()).toBe(2);
  await page.reload();
  await expect.poll(() => log.getByRole("row").count()).toBe(2);
  // Each entry has its own URL.
  await log.getByRole("row").nth(1).getByRole("link").last().click();
  await user.heading("Client created");
  const permalink = page.url();
  await page.goto("about:blank");
  await page.goto(permalink);
  await user.heading("Client created");
  await page
    .getByRole("main")
    .getByRole("link", { name: `Via API key ${shortId}` })
    .click();
  await user.heading("deploy script");

  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke “deploy script”?" });
  await dialog.getByText("Requests with this key are rejected immediately.").waitFor();
  expect(await dialog.getByRole("button", { name: "Revoke key" }).isDisabled()).toBe(true);
  expect((await adminQuery(panel, key, "{ adminMembers { id } }")).errors).toEqual([]);
  await user.typeToConfirm("deploy script", "Revoke key");
  await page.getByRole("heading", { level: 1 }).locator("..").getByText("Revoked").waitFor();
  expect((await adminQuery(panel, key, "{ adminMembers { id } }")).code).toBe("UNAUTHENTICATED");

  // A revoked key no longer expires.
  expect(await page.getByText(/in \d+ days/).count()).toBe(0);
  await user.open("/api-keys");
  const row = page.getByRole("row").filter({ hasText: "deploy script" });
  await row.getByText("revoked just now").waitFor();
  expect(await row.getByText(/in \d+ days/).count()).toBe(0);
});

test("never shows a key again: not on the next page, on Back, after a reload or in browser storage", async ({
  user,
  page,
}) => {
  await user.signIn({ path: "/api-keys" });
  await page.getByRole("link", { name: "Mint a key" }).click();
  await fillIn(user, "shown once", "Read");
  await page.getByRole("button", { name: "Mint key" }).click();
  const key = await shownKey(user);
  const [, secret = ""] = key.split(".");
  const isShown = async () => (await page.content()).includes(secret);
  // Control: the check finds the key while it is shown.
  expect(await isShown()).toBe(true);

  await page.getByRole("button", { name: "I have saved it" }).click();
  await user.heading("API keys");
  expect(await isShown()).toBe(false);
  await page.goBack();
  await expect.poll(isShown).toBe(false);
  await page.goForward();
  await expect.poll(isShown).toBe(false);

  await user.open("/api-keys/new");
  await fillIn(user, "reloaded", "Read");
  await page.getByRole("button", { name: "Mint key" }).click();
  const second = (await shownKey(user)).split(".")[1] ?? "";
  // The back/forward cache does not restore it either. The browser asks before it discards the key.
  page.once("dialog", (dialog) => void dialog.accept());
  await page.goto("about:blank");
  await page.goBack();
  await user.heading("Mint a key");
  expect(await page.content()).not.toContain(second);
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])");
  for (const text of [secret, second]) expect(kept).not.toContain(text);
});

test("rejects a sixth key with a message above the form", async ({ panel, user, page }) => {
  await user.signIn({ path: "/api-keys" });
  await user.heading("API keys");
  const refusal = page.getByRole("alert").getByText("You have 5 active keys already.");
  let minted = 0;
  for (; minted <= 5; minted++) {
    await user.open("/api-keys/new");
    await fillIn(user, `one of many ${minted}`, "Read");
    await page.getByRole("button", { name: "Mint key" }).click();
    await page.getByText(KEY).or(refusal).first().waitFor();
    if (await refusal.isVisible()) break;
    await page.getByRole("button", { name: "I have saved it" }).click();
    await user.heading("API keys");
  }
  expect(minted).toBe(5);
  expect(await panel.service.prisma.adminApiKey.count({ where: { revokedAt: null } })).toBe(5);
  await page.getByLabel("Lifetime in days").fill("91");
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.locator("input[aria-invalid=true]").and(page.getByLabel("Lifetime in days")).waitFor();
});
