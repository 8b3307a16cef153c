import { readFile } from "node:fs/promises";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { finishErasure, type Planted, plant } from "./testing/plant.ts";
import { createConnectAttempt, createConnection, createPost } from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const MOST_CLICKS_TO_EXPORT = 5;
const MOST_CLICKS_TO_ERASE = 6;
const MINUTE = 60_000;

async function plantPerson(panel: TestPanel): Promise<Planted> {
  const planted = await plant(panel, { data: { displayName: "Mara", profileObservedAt: new Date() } });
  const { service, application, registrations, connection } = planted;
  for (const title of ["A dress", "A coat"]) await createPost(service, connection, { title });
  await createConnectAttempt(service, application, registrations, { connectionId: connection.id });
  return planted;
}

async function openPerson(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Support" }).click();
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "What is stored about this user" }).click();
}

/** On the page of the user 42. */
async function eraseEverything(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Erase everything" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("ticket 7");
  await dialog.getByText(/It affects 1 connection, 2 posts, 1 attempt to connect or sign in and 1 tester\.$/).waitFor();
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("42");
  await dialog.getByRole("button", { name: "Erase everything" }).click();
}

async function exportAs(page: Page, reason: string): Promise<string> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Export" }).click(),
  ]);
  return readFile(await file.path(), "utf8");
}

test(`exports a user in ${MOST_CLICKS_TO_EXPORT} clicks`, async ({ panel, admin: user, page }) => {
  const { service } = await plantPerson(panel);
  await user.open("");
  const clicks = await countClicks(page);
  await openPerson(page);
  await page.getByRole("region", { name: "Linked accounts" }).waitFor();
  const text = await exportAs(page, "ticket 42");
  expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS_TO_EXPORT);
  expect(await clicks()).toBeGreaterThan(0);
  expect(JSON.parse(text)).toMatchObject({ about: { externalSubjectId: "42", isStored: true }, signature: {} });
  for (const value of ["Mara", "A dress", "A coat"]) expect(text).toContain(value);
  expect(text).not.toMatch(/access-1|refresh-1/);
  // The page has counts only.
  expect(await page.locator("main").textContent()).not.toMatch(/Mara|A dress/);
  const entries = await service.prisma.auditEntry.findMany({ where: { action: "Person exported" } });
  expect(entries).toMatchObject([{ actor: "admin@example.test", summary: expect.stringContaining("ticket 42") }]);
});

test(`erases a user with receipts in ${MOST_CLICKS_TO_ERASE} clicks`, async ({ panel, admin: user, page }) => {
  const { service, connection } = await plantPerson(panel);
  await user.open("");
  const clicks = await countClicks(page);
  await openPerson(page);
  await eraseEverything(page);
  const receipts = page.getByRole("region", { name: "Receipts" });
  await receipts.getByText("Erased until now: 1 connect attempt, 1 tester.").waitFor();
  await receipts.getByText("Planned: workers erase 1 connection and 2 posts.").waitFor();
  await receipts.getByText("Being erased").waitFor();

  await finishErasure(service, connection.id);
  // The page refreshes itself.
  await receipts.getByText("Revoked at the provider").waitFor();
  await receipts
    .getByText(/^Erased until now: 1 account, 2 posts, 1 consent, 1 connect attempt, 1 tester\.$/)
    .waitFor();
  await page.getByText("Nothing is stored about this user now.").waitFor();
  expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS_TO_ERASE);
  expect(JSON.parse(await exportAs(page, "ticket 7"))).toMatchObject({
    about: { isStored: false },
    receipts: [{ connectionId: connection.id, erase: { status: "SUCCEEDED" } }],
  });
  await expectAccessibleInEveryAppearance(user, "an erased user");
});

test("a receipt says why the consent was not revoked", async ({ panel, admin: user, page }) => {
  const { service, connection } = await plantPerson(panel);
  await user.open("");
  await openPerson(page);
  await eraseEverything(page);
  const receipts = page.getByRole("region", { name: "Receipts" });
  await receipts.getByText("Being revoked").waitFor();
  const where = { connectionId: connection.id, kind: "REVOKE" } as const;
  for (const [errorCode, cause] of [
    ["REVOKE_REJECTED", "The provider rejected the revocation."],
    ["REVOKE_UNSUPPORTED", "This provider has no way to revoke it."],
  ] as const) {
    const data = { status: "FAILED", errorCode, creatorAction: "REMOVE_APP_AT_PROVIDER" } as const;
    await service.prisma.job.updateMany({ where, data });
    await receipts.getByText(`${cause} Ask the user to remove the app there.`).waitFor();
    await receipts.getByText("Not revoked").waitFor();
  }
});

test("the dialog of an erasure counts what was linked since the page was read, also by others", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations, connection } = await plantPerson(panel);
  await user.open("");
  await openPerson(page);
  await page.getByRole("region", { name: "Stored records" }).waitFor();
  await createConnection(service, application, registrations, { externalSubjectId: "42", accountId: "account-0002" });
  const other = { externalSubjectId: "43", accountId: connection.providerAccountId };
  await createConnection(service, application, registrations, other);
  await page.getByRole("button", { name: "Erase everything" }).click();
  const dialog = page.getByRole("dialog");
  const shared = "1 other connection to the same account or of the same user, which is suspended";
  await dialog.getByText(`It affects 2 connections, 2 posts, ${shared}, 1 attempt`).waitFor();
  await dialog.getByLabel("Reason").fill("ticket 9");
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("42");
  await dialog.getByRole("button", { name: "Erase everything" }).click();
  await page.getByRole("region", { name: "Receipts" }).waitFor();
  expect(await service.prisma.connection.count({ where: { status: "SUSPENDED" } })).toBe(1);
});

test("an erasure continues after a confirmation, with its input", async ({ panel, admin: user, page }) => {
  await plantPerson(panel);
  await user.open("");
  await openPerson(page);
  await page.getByRole("region", { name: "Stored records" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "a user");
  await page.getByRole("button", { name: "Erase everything" }).click();
  await expectAccessibleInEveryAppearance(user, "the dialog of an erasure");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("ticket 8");
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("42");
  await panel.advance(6 * MINUTE);
  await dialog.getByRole("button", { name: "Erase everything" }).click();
  await user.confirmIdentity();
  await expect.poll(() => page.getByRole("dialog").getByLabel("Reason").inputValue()).toBe("ticket 8");
  await page.getByRole("dialog").getByRole("button", { name: "Erase everything" }).click();
  await page.getByRole("region", { name: "Receipts" }).waitFor();
});

test("a user whose id a field cannot take is found by a suggestion and erased", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations } = await plant(panel);
  const externalSubjectId = " e\u0301cole\n42 ";
  await createConnection(service, application, registrations, { externalSubjectId, accountId: "account-0001" });
  await user.open("/support");
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).pressSequentially(" ");
  await page.getByRole("option", { name: "42" }).click();
  await page.getByRole("link", { name: "What is stored about this user" }).click();
  await page.getByRole("button", { name: "Erase everything" }).click();
  const dialog = page.getByRole("dialog");
  const erase = dialog.getByRole("button", { name: "Erase everything" });
  await dialog.getByLabel("Reason").fill("ticket 9");
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("\u00e9cole 43");
  expect(await erase.isEnabled()).toBe(false);
  await dialog.getByRole("textbox", { name: /^Type/ }).fill("\u00e9cole 42");
  await erase.click();
  await page.getByRole("region", { name: "Receipts" }).getByText("Being erased").waitFor();
  expect(await service.prisma.connection.count({ where: { externalSubjectId, status: "DISCONNECTED" } })).toBe(1);
});

test("a user's page names the tenant, because another tenant can have a user with the same id", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations } = await plantPerson(panel);
  await service.prisma.application.updateMany({ data: { tenantKeys: ["tenant-1", "tenant-2"] } });
  const scope = { tenantKey: "tenant-2", externalSubjectId: "42" };
  await createConnection(service, { ...application, scope }, registrations, { accountId: "account-0002" });
  await user.open("/support");
  await page.getByRole("combobox", { name: "Client" }).fill("acme");
  await page.getByRole("combobox", { name: "Tenant" }).fill("tenant-2");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("42");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "What is stored about this user" }).click();
  await page.getByText("42 of client acme, tenant tenant-2").waitFor();
  const accounts = page.getByRole("region", { name: "Linked accounts" });
  await accounts.getByText("…0002").waitFor();
  expect(await accounts.getByRole("rowheader").count()).toBe(1);
});

test("a user's page without a user leads to the search", async ({ admin: user, page }) => {
  await user.open("/support/person");
  await page.getByText("No user is selected").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Support" }).last().click();
  await page.getByRole("region", { name: "By user" }).waitFor();
});
