/** @module-tag nightly */
import { SocialConnect } from "@social-connect/sdk";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const APPLICATION_KEY = /^[0-9a-f-]{36}\.[0-9a-f]{64}$/;

/** Lets the time pass after which the page reads a rotation again. */
const waitForRefresh = (page: Page) => page.clock.fastForward(10_001);
const ago = (ms: number) => new Date(Date.now() - ms);

function use(panel: TestPanel, keyId: string, agoMs: number): Promise<unknown> {
  return panel.service.prisma.applicationKey.update({ where: { id: keyId }, data: { lastUsedAt: ago(agoMs) } });
}

test("rotates an application key: both are shown with their use, and the silent one is revoked", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id } = await panel.client("rotating");
  const [oldId = ""] = (await panel.applicationKey(id)).split(".");
  await use(panel, oldId, 2 * MINUTE);
  await page.clock.install();
  await user.open(`/clients/${id}/keys`);
  await page.getByRole("link", { name: "Rotate the key" }).click();
  await page.getByRole("region", { name: "Rotate the key" }).waitFor();
  await page.getByRole("button", { name: "Issue key" }).click();
  const key = (await page.getByText(APPLICATION_KEY).textContent()) ?? "";
  await page.getByRole("button", { name: "I have saved it" }).click();

  const rotation = page.getByRole("region", { name: "Rotation" });
  await rotation.getByText("The new key was not used yet.").waitFor();
  expect(await rotation.getByRole("button").count()).toBe(0);
  await expectAccessible(user, "a rotation that begins");
  // The page notices the first use of the new key on its own.
  await new SocialConnect({ baseUrl: panel.url, key }).readiness();
  await waitForRefresh(page);
  await rotation.getByText("The new key is in use.").waitFor();
  await rotation.getByText("The old key is still in use.").waitFor();
  expect(await rotation.getByRole("button").count()).toBe(0);

  await use(panel, oldId, 61 * MINUTE);
  await waitForRefresh(page);
  await rotation.getByText("The old key has been silent for an hour: revoke it.").waitFor();
  await expectAccessible(user, "a rotation that ends");
  await rotation.getByRole("button", { name: "Revoke the old key" }).click();
  const dialog = page.getByRole("dialog", { name: `Revoke the old key ${oldId.slice(0, 8)}?` });
  // A use between the display and the confirmation prevents the revocation, however often it is confirmed.
  await use(panel, oldId, 0);
  const revoke = dialog.getByRole("button", { name: "Revoke key" });
  for (const attempt of [1, 2]) {
    await revoke.click();
    await dialog.getByText("It was not revoked.").waitFor();
    expect([
      attempt,
      await panel.service.prisma.applicationKey.count({ where: { id: oldId, revokedAt: null } }),
    ]).toEqual([attempt, 1]);
  }
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await rotation.getByText("The old key is still in use.").waitFor();

  await use(panel, oldId, 61 * MINUTE);
  await waitForRefresh(page);
  await rotation.getByRole("button", { name: "Revoke the old key" }).click();
  await revoke.click();
  await rotation.waitFor({ state: "detached" });
  const row = page.getByRole("row").filter({ hasText: oldId.slice(0, 8) });
  await row.getByText("Revoked", { exact: true }).waitFor();
  await new SocialConnect({ baseUrl: panel.url, key }).readiness();
});

test("rotates an admin key: the new one has its label and scope, and the old one's page shows the rotation", async ({
  panel,
  admin: user,
  page,
}) => {
  await page.clock.install();
  await user.open("/api-keys/new");
  await page.getByLabel("Label").fill("nightly");
  await page.getByRole("radio", { name: "Read and write" }).check();
  await page.getByLabel("Lifetime in days").fill("12");
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("link", { name: "nightly" }).click();
  await user.heading("nightly");
  await page.getByRole("link", { name: "Rotate" }).click();
  await user.heading("Rotate a key");
  await page.getByText("The new key has the label “nightly”").waitFor();
  expect(await page.getByLabel("Lifetime in days").inputValue()).toBe("12");
  await expectAccessible(user, "rotating an admin key");
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await user.heading("nightly");
  const { prisma } = panel.service;
  const [oldKey, newKey] = await prisma.adminApiKey.findMany({ orderBy: { createdAt: "asc" } });
  expect(newKey).toMatchObject({ label: "nightly", scope: "WRITE" });
  expect(new URL(page.url()).pathname).toBe(`/panel/api-keys/${oldKey?.id}`);

  const rotation = page.getByRole("region", { name: "Rotation" });
  await rotation.getByText("The new key was not used yet.").waitFor();
  const used = { firstUsedAt: ago(DAY), lastUsedAt: ago(MINUTE) };
  await prisma.adminApiKey.update({ where: { id: newKey?.id ?? "" }, data: used });
  await prisma.adminApiKey.update({
    where: { id: oldKey?.id ?? "" },
    data: { ...used, lastUsedAt: ago(2 * 60 * MINUTE) },
  });
  await waitForRefresh(page);
  await rotation.getByRole("button", { name: "Revoke the old key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await page.getByRole("heading", { level: 1 }).locator("..").getByText("Revoked").waitFor();
  expect(await prisma.adminApiKey.count({ where: { revokedAt: null } })).toBe(1);
});

test("a rotation whose new key was not saved continues after a reload", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("interrupted");
  const [oldId = ""] = (await panel.applicationKey(id)).split(".");
  await page.clock.install();
  await user.open(`/clients/${id}/keys/new`);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Issue key" }).click();
  const [lostId = ""] = ((await page.getByText(APPLICATION_KEY).textContent()) ?? "").split(".");
  await page.reload();
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  const rotation = page.getByRole("region", { name: "Rotation" });
  await rotation.getByText("If it was not saved, revoke it and rotate again.").waitFor();
  await rotation.getByText("Deploy the new key first.", { exact: true }).waitFor();
  await use(panel, oldId, MINUTE);
  await waitForRefresh(page);
  await rotation.getByText("Deploy the new key first: the old key is the only one in use.").waitFor();

  await page.getByRole("button", { name: `Revoke key ${lostId.slice(0, 8)}` }).click();
  await user.typeToConfirm(lostId.slice(0, 8), "Revoke key");
  await rotation.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Rotate the key" }).click();
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByText(APPLICATION_KEY).waitFor();
});

test("asks before a key is discarded: by a link, Back, the palette, signing out, or closing the tab", async ({
  panel,
  user,
  page,
}) => {
  const { id } = await panel.client("guarded");
  await user.signIn({ path: `/clients/${id}/keys` });
  await page.getByRole("link", { name: "Issue a key" }).click();
  await page.getByRole("button", { name: "Issue key" }).click();
  const key = page.getByText(APPLICATION_KEY);
  await key.waitFor();
  const path = `/panel/clients/${id}/keys/new`;
  const dialog = page.getByRole("dialog", { name: "Leave without saving the key?" });
  const leaveByPalette = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").waitFor();
    await page.keyboard.type("health");
    await page.getByRole("option", { name: "Health", selected: true }).waitFor();
    await page.keyboard.press("Enter");
  };
  const signOut = async () => {
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  for (const leave of [
    signOut,
    () => page.getByRole("link", { name: "Audit log" }).first().click(),
    () => page.evaluate("history.back()"),
    leaveByPalette,
  ]) {
    await leave();
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await key.count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe(path);
  }
  const asked = page.waitForEvent("dialog");
  await page.evaluate("void setTimeout(() => location.reload())");
  expect((await asked).type()).toBe("beforeunload");
  await (await asked).dismiss();
  await key.waitFor();
  await page.getByRole("link", { name: "Audit log" }).first().click();
  await dialog.waitFor();
  await expectAccessible(user, "leaving without the key");
  await dialog.getByRole("button", { name: "Stay" }).click();
  await signOut();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

test("does not ask when the key was copied, by the button or by a selection", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("copied");
  await user.open("");
  for (const copy of [
    () => page.getByRole("button", { name: "Copy Application key" }).click(),
    async () => {
      await page.getByText(APPLICATION_KEY).click();
      await page.keyboard.press("Control+c");
    },
  ]) {
    await user.open(`/clients/${id}/keys/new`);
    await page.getByRole("button", { name: "Issue key" }).click();
    await page.getByText(APPLICATION_KEY).waitFor();
    await copy();
    await expect.poll(() => user.clipboard()).toMatch(APPLICATION_KEY);
    await page.getByRole("link", { name: "Health" }).click();
    await user.heading("Health");
  }
});

test("warns about a key that expires soon, with a link to its rotation", async ({ panel, admin: user, page }) => {
  const { id, displayName } = await panel.client("expiring");
  const [keyId = ""] = (await panel.applicationKey(id)).split(".");
  const expiresAt = new Date(Date.now() + 3 * DAY + 60 * MINUTE);
  await panel.service.prisma.applicationKey.update({ where: { id: keyId }, data: { expiresAt } });
  await user.open("");
  await page.getByRole("link", { name: "An application key of expiring expires in 3 days" }).click();
  await user.heading(displayName);
  await page.getByRole("link", { name: "Rotate the key" }).waitFor();
  await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: "Overview" }).click();
  await page.getByText(`The key ${keyId.slice(0, 8)} expires in 3 days`).waitFor();
  await expectAccessible(user, "a client whose key expires soon");
  await page.getByRole("link", { name: "Rotate it before then" }).click();
  await page.getByRole("link", { name: "Rotate the key" }).waitFor();
});
