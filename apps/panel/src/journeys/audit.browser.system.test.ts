/** @module-tag nightly */
import { readFile } from "node:fs/promises";
import { changesOf } from "@social-connect/domain";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const DAY = 86_400_000;
const TARGET = "0197a5a0-1111-7222-8333-444444444444";

/** Stores entries, the newest first in the list. */
async function createEntries(panel: TestPanel): Promise<void> {
  const entry = (
    summary: string,
    daysAgo: number,
    more: { actor?: string; targetType?: string; targetId?: string } = {},
  ) => ({
    id: crypto.randomUUID(),
    at: new Date(Date.now() - daysAgo * DAY - 60_000),
    actor: "System",
    action: "Client created",
    targetType: "CLIENT",
    targetId: crypto.randomUUID(),
    summary,
    ...more,
  });
  // Without the entry about the session of the test.
  await panel.service.prisma.auditEntry.deleteMany();
  await panel.service.prisma.auditEntry.createMany({
    data: [
      entry('=HYPERLINK("http://evil.example")', 1, { actor: "admin@example.test" }),
      entry("about the target", 2, { targetType: "REGISTRATION", targetId: TARGET }),
      entry("of a former admin", 5, { actor: "former@example.test" }),
      entry("long ago", 20),
    ],
  });
}

const log = (page: Page) => page.getByRole("table", { name: "Audit entries, newest first" });

async function expectSummaries(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(() => log(page).getByRole("rowheader").locator("p:last-child").allTextContents()).toEqual(expected);
}

test("filters by actor, target and days, in the URL", async ({ panel, admin: user, page }) => {
  await createEntries(panel);
  await user.open("/audit");
  await log(page).getByText("long ago").waitFor();
  await page.getByRole("combobox", { name: "Actor" }).click();
  await page.getByRole("option", { name: "admin@example.test" }).click();
  await expectSummaries(page, ['=HYPERLINK("http://evil.example")']);
  // An admin who is no longer on the list is found by the typed address.
  await page.getByRole("combobox", { name: "Actor" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("former@example.test");
  await page.getByRole("option", { name: "former@example.test" }).click();
  await expectSummaries(page, ["of a former admin"]);
  expect(new URL(page.url()).searchParams.get("actor")).toBe("former@example.test");
  await page.reload();
  await expectSummaries(page, ["of a former admin"]);
  await page.getByRole("button", { name: "Clear filters" }).click();

  await page.getByLabel("Target id").fill(TARGET);
  await expectSummaries(page, ["about the target"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => page.getByLabel("Target id").inputValue()).toBe("");
  await page.getByRole("combobox", { name: "Target" }).click();
  await page.getByRole("option", { name: "Registration" }).click();
  await expectSummaries(page, ["about the target"]);
  await page.getByRole("button", { name: "Clear filters" }).click();

  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY - 60_000).toISOString().slice(0, 10);
  await page.getByLabel("From (UTC)").fill(day(5));
  await page.getByLabel("To (UTC)").fill(day(2));
  await expectSummaries(page, ["about the target", "of a former admin"]);
  await expectAccessible(user, "the audit log with all filters");
  const shared = page.url();
  await page.goto("about:blank");
  await page.goto(shared);
  await expectSummaries(page, ["about the target", "of a former admin"]);
  expect(await page.getByLabel("To (UTC)").inputValue()).toBe(day(2));
  // An entry leads to the other changes of its target.
  await log(page).getByRole("row").nth(1).getByRole("link").last().click();
  await page.getByRole("link", { name: "All changes" }).click();
  await expectSummaries(page, ["about the target"]);
});

test("an entry shows its fields before and after, or that they were not recorded", async ({
  panel,
  admin: user,
  page,
}) => {
  await createEntries(panel);
  const { prisma } = panel.service;
  const [changed, older] = await prisma.auditEntry.findMany({ orderBy: { at: "desc" } });
  const tenants = Array.from({ length: 11 }, (_, index) => `tenant-${index}`);
  const before = { enabled: true, returnUrls: ["https://shop.example/a"], tenantKeys: tenants, providers: null };
  const after = {
    enabled: false,
    returnUrls: ["https://shop.example/b"],
    tenantKeys: [...tenants, "new"],
    providers: ["PROVIDER_A"],
  };
  const changes = changesOf(before, after) as object[];
  await prisma.auditEntry.update({ where: { id: changed?.id ?? "" }, data: { changes } });
  await user.open(`/audit/${changed?.id}`);
  const table = page.getByRole("table", { name: "Changed fields, before and after" });
  await table.waitFor();
  const rows = await table.getByRole("row").allTextContents();
  expect(rows).toEqual([
    "FieldBeforeAfter",
    "Enabledyesno",
    "Return URLshttps://shop.example/ahttps://shop.example/b",
    "Tenant keysRemoved: noneAdded:new11 unchanged",
    expect.stringMatching(/^Providers–PROVIDER_A · YouTube/),
  ]);
  await expectAccessible(user, "an audit entry with its changes");
  await user.open(`/audit/${older?.id}`);
  await page.getByText("Not recorded").waitFor();
});

test("states that the last day is before the first, and exports a file without entries", async ({
  panel,
  admin: user,
  page,
}) => {
  await createEntries(panel);
  await user.open("/audit?from=2026-11-20&to=2026-11-10");
  await page.getByText("This day is before the first one.").waitFor();
  await page.getByText("No entry matches all filters.").waitFor();
  await expectAccessible(user, "an audit log with inverted days");
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  expect(lines).toEqual([expect.stringMatching(/^"at",/)]);
  await page.getByText("0 entries exported.").waitFor();
  await page.getByLabel("To (UTC)").fill("9999-12-31");
  await log(page).waitFor();
  expect(await page.getByText("This day is before the first one.").count()).toBe(0);
});

test("states which filter of a URL is invalid, in the list and when it is exported", async ({ admin: user, page }) => {
  user.expectsErrors = true;
  await user.open(`/audit?actor=${"a".repeat(257)}`);
  const message = "The filter “Actor” is invalid. The search string must have at most 256 characters.";
  await page.getByRole("alert").getByText(message).waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await expectAccessible(user, "an audit log with an invalid filter");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await page.getByRole("region", { name: "Notices" }).getByText(message).waitFor();
});

test("exports what the filters show as CSV and JSON lines, and records it", async ({ panel, admin: user, page }) => {
  await createEntries(panel);
  const from = new Date(Date.now() - 10 * DAY).toISOString().slice(0, 10);
  await user.open(`/audit?from=${from}`);
  await log(page).getByText("of a former admin").waitFor();
  const download = async (format: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: format }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: format }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const csv = await download("CSV");
  expect(csv.name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByText("3 entries exported.").waitFor();
  const lines = csv.text.split("\r\n").slice(0, -1);
  expect(lines).toHaveLength(4);
  // A spreadsheet does not run it as a formula.
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  expect(csv.text).not.toContain("long ago");

  const jsonl = await download("JSON lines");
  const entries = jsonl.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries).toMatchObject([
    {
      action: "Audit log exported",
      actor: "admin@example.test",
      summary: expect.stringContaining("exported 3 entries"),
    },
    { summary: '=HYPERLINK("http://evil.example")' },
    { targetId: TARGET, targetType: "REGISTRATION" },
    { actor: "former@example.test" },
  ]);
  await page.reload();
  await log(page)
    .getByText(/exported 4 entries of the audit log as JSON lines/)
    .waitFor();
});

test("reports an interrupted export and saves no part of it", async ({ panel, admin: user, page }) => {
  user.expectsErrors = true;
  await createEntries(panel);
  await user.open("/audit");
  await log(page).getByText("long ago").waitFor();
  await page.route("**/panel/audit-export*", (route) => route.abort());
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await page.getByText("The export failed. Try again.").waitFor();
});
