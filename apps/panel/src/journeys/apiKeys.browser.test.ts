import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { adminQuery } from "../../../server/src/http/testing/adminServer.ts";
import type { BrowserUser } from "./testing/browserUser.ts";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

const MINUTE = 60_000;
const KEY = /scadm_[0-9a-f-]{36}\.[0-9a-f]{64}/;
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
beforeEach(() => panel.clear());
afterAll(() => panel?.close());

function call(key: string, query: string) {
  return adminQuery(panel, key, query);
}

async function fillIn(user: BrowserUser, label: string, may: "Read" | "Read and write"): Promise<void> {
  const { page } = user;
  await page.getByLabel("Label").fill(label);
  await page.getByRole("radio", { name: may, exact: true }).check();
  await page.getByLabel("Days until it ends").fill("7");
}

/** The key that the page shows, once it does. */
async function shownKey({ page }: BrowserUser): Promise<string> {
  const shown = page.getByText(KEY).first();
  await shown.waitFor();
  return KEY.exec((await shown.textContent()) ?? "")?.[0] ?? "";
}

test("an admin mints a key after a confirmation, uses it, watches it in the audit log and revokes it", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn();
  await panel.advance(6 * MINUTE);
  await user.open("/api-keys");
  await page.getByRole("link", { name: "Mint a key" }).click();
  await fillIn(user, "deploy script", "Read and write");
  await page.getByText("You will be asked to sign in again first").waitFor();
  await page.getByRole("button", { name: "Mint the key" }).click();

  // The sign-in is too old: over the issuer, and back to the form as it was.
  await page
    .getByRole("dialog", { name: "Confirm that it is you" })
    .getByRole("button", { name: "Sign in again" })
    .click();
  await user.passIssuer("admin");
  await user.heading("Mint a key");
  await page.getByText("Your entries are still here.").waitFor();
  expect(await page.getByLabel("Label").inputValue()).toBe("deploy script");
  expect(await page.getByRole("radio", { name: "Read and write" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Mint the key" }).click();
  const key = await shownKey(user);
  await page.getByRole("button", { name: "Copy Lines for an .env file" }).click();
  await page.getByRole("button", { name: "Copied Lines for an .env file" }).waitFor();
  const lines = [`SOCIAL_CONNECT_ADMIN_KEY=${key}`, `SOCIAL_CONNECT_ADMIN_HOST=${panel.url}`];
  expect(await user.clipboard()).toBe(lines.join("\n"));

  // It works, for what its scope says.
  const created = await call(
    key,
    `mutation { createClient(input: { slug: "made-by-key", displayName: "Made by a key", webOrigins: ["https://made.example"],
       returnUrls: ["https://made.example/back"], tenantKeys: ["t"], providers: [PROVIDER_A], capabilities: [PROFILE],
       confirmedNoOnwardRedirect: true }) { slug } }`,
  );
  expect(created.errors).toEqual([]);

  await page.getByRole("button", { name: "I have kept it" }).click();
  await user.heading("API keys");
  await page.getByRole("link", { name: "deploy script" }).click();
  await user.heading("deploy script");
  await page.getByRole("link", { name: "What it did" }).click();
  await user.heading("Audit log");
  const shortId = key.slice("scadm_".length, "scadm_".length + 8);
  const log = page.getByRole("table", { name: "Audit entries, the newest first" });
  await log.getByText("Client created", { exact: true }).waitFor();
  await expect.poll(() => log.getByRole("row").count()).toBe(3);
  await log.getByText("API key first used", { exact: true }).waitFor();
  await expect.poll(() => log.getByRole("link", { name: `Via API key ${shortId}` }).count()).toBe(2);

  // Narrowed to one action; the address says so, and opens the same again.
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Client created" }).click();
  await expect.poll(() => log.getByRole("row").count()).toBe(2);
  await page.reload();
  await expect.poll(() => log.getByRole("row").count()).toBe(2);
  // Each entry has an address of its own.
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
  await dialog.getByText("is refused from its next call on").waitFor();
  expect(await dialog.getByRole("button", { name: "Revoke the key" }).isDisabled()).toBe(true);
  expect((await call(key, "{ adminMembers { id } }")).errors).toEqual([]);
  await dialog.getByLabel("Type deploy script to go on").fill("deploy script");
  await dialog.getByRole("button", { name: "Revoke the key" }).click();
  await page.getByRole("heading", { level: 1 }).locator("..").getByText("Revoked").waitFor();
  expect((await call(key, "{ adminMembers { id } }")).code).toBe("UNAUTHENTICATED");
  expect(user.complaints).toEqual([]);
  await user.leave();
});

test("a key that was shown is never shown again, by going on, by Back, by a reload or from what the browser keeps", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: "/api-keys" });
  await page.getByRole("link", { name: "Mint a key" }).click();
  await fillIn(user, "shown once", "Read");
  await page.getByRole("button", { name: "Mint the key" }).click();
  const key = await shownKey(user);
  const [, secret = ""] = key.split(".");
  const isThere = async () => (await page.content()).includes(secret);
  // The control: it is there to be found.
  expect(await isThere()).toBe(true);

  await page.getByRole("button", { name: "I have kept it" }).click();
  await user.heading("API keys");
  expect(await isThere()).toBe(false);
  await page.goBack();
  await expect.poll(isThere).toBe(false);
  await page.goForward();
  await expect.poll(isThere).toBe(false);

  await user.open("/api-keys/new");
  await fillIn(user, "reloaded", "Read");
  await page.getByRole("button", { name: "Mint the key" }).click();
  const second = (await shownKey(user)).split(".")[1] ?? "";
  // To another site and back: not even a page that the browser put away whole shows it.
  await page.goto("about:blank");
  await page.goBack();
  await user.heading("Mint a key");
  expect(await page.content()).not.toContain(second);
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])");
  for (const text of [secret, second]) expect(kept).not.toContain(text);
  expect(user.complaints).toEqual([]);
  await user.leave();
});

test("a sixth key is refused, in words above the form", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: "/api-keys" });
  await user.heading("API keys");
  const refusal = page.getByRole("alert").getByText("You have 5 active keys already.");
  let minted = 0;
  for (; minted <= 5; minted++) {
    await user.open("/api-keys/new");
    await fillIn(user, `one of many ${minted}`, "Read");
    await page.getByRole("button", { name: "Mint the key" }).click();
    await page.getByText(KEY).or(refusal).first().waitFor();
    if (await refusal.isVisible()) break;
  }
  expect(minted).toBe(5);
  expect(await panel.service.prisma.adminApiKey.count({ where: { revokedAt: null } })).toBe(5);
  await page.getByLabel("Days until it ends").fill("91");
  await page.getByRole("button", { name: "Mint the key" }).click();
  await page.locator("input[aria-invalid=true]").and(page.getByLabel("Days until it ends")).waitFor();
  await user.leave();
});
