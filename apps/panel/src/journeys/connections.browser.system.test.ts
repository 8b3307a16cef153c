import { expect } from "vitest";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { plant } from "./testing/plant.ts";
import { createConnection } from "./testing/server.ts";

test("which connections of PROVIDER_B need a reconnect: two clicks from the first page", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations } = await plant(panel);
  const link = (accountId: string, data: object) =>
    createConnection(service, application, registrations, { provider: "PROVIDER_B", accountId, data });
  const failed = { syncStatus: "FAILED", scanErrorCode: "RECONNECT_REQUIRED" } as const;
  const ended = { status: "RECONNECT_REQUIRED", cause: "GRANT_ENDED", causeSince: new Date() } as const;
  await link("account-0001", { ...failed, ...ended, displayName: "A secret name" });
  await link("account-0002", { status: "CONNECTED" });
  await user.open("");
  const clicks = await countClicks(page);
  await user.goTo("Health");
  await page
    .getByRole("table", { name: "Connections by provider and status" })
    .getByRole("link", { name: "1" })
    .nth(1)
    .waitFor();
  const row = page.getByRole("row", { name: /TikTok/ });
  await row.getByRole("cell").nth(2).getByRole("link", { name: "1" }).click();
  await user.heading("Connections");
  expect(await clicks()).toBe(2);
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByText("Consent ended at the provider").waitFor();
  await rows.getByText("…0001").waitFor();
  expect(await page.getByText("A secret name").count()).toBe(0);
  expect(new URL(page.url()).search).toBe("?provider=PROVIDER_B&status=RECONNECT_REQUIRED");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows.count()).toBe(3);
  await rows.first().getByText("Reconnect required").waitFor();
});

test("a connection that moves while its list is paged has one row", async ({ panel, admin: user, page }) => {
  const { service, application, registrations } = await plant(panel);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
  const link = (index: number, data: object = {}) =>
    createConnection(service, application, registrations, {
      accountId: `account-${1_000 + index}`,
      data: { createdAt: day(index), ...data },
    });
  const { id } = await link(99, { status: "RECONNECT_REQUIRED" });
  for (let index = 1; index <= 60; index += 1) await link(index);
  await user.open("/connections");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect.poll(() => rows.count()).toBe(50);
  // It was the first of all, and is the last of the others now.
  await service.prisma.connection.updateMany({ where: { id }, data: { status: "CONNECTED" } });
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("62 in total").waitFor();
  expect(await rows.filter({ hasText: "…1099" }).count()).toBe(1);
});

test("a list by age is audited once, in any order, and shows what cannot be seen of a user's id", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations } = await plant(panel);
  const ended = { status: "RECONNECT_REQUIRED", cause: "GRANT_ENDED", causeSince: new Date() } as const;
  for (const [index, externalSubjectId] of ["\u202Elive", "\t=1", "=1"].entries()) {
    const accountId = `account-000${index}`;
    await createConnection(service, application, registrations, { externalSubjectId, accountId, data: ended });
  }
  await user.open("/connections?since=day");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect.poll(() => rows.count()).toBe(3);
  for (const shown of ["\\u{202e}live", "\\u{9}=1", "=1"]) {
    await page.getByRole("link", { name: shown, exact: true }).waitFor();
  }
  const audited = () => service.prisma.auditEntry.count({ where: { action: "Connections listed" } });
  const before = await audited();
  expect(before).toBeGreaterThan(0);
  const users = () => rows.getByRole("rowheader").allTextContents();
  for (const first of ["\\u{9}=1", "\\u{202e}live", "\\u{9}=1"]) {
    await page.getByRole("button", { name: "User" }).click();
    await expect.poll(async () => (await users())[0]).toBe(first);
  }
  expect(await audited()).toBe(before);
});
