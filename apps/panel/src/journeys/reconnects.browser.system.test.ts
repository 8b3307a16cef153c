/** @module-tag nightly */
import { readFile } from "node:fs/promises";
import { type ConnectionCause, platformName } from "@social-connect/domain";
import { type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { CAUSE_LABELS } from "../pages/connections/labels.ts";
import { expectAccessible } from "./testing/accessibility.ts";
import type { BrowserUser } from "./testing/browserUser.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import {
  createApplication,
  createRegistrations,
  newId,
  type TestApplication,
  type TestService,
} from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const CONNECTIONS = 2_000;
const CLIENTS = 40;
const HOUR_MS = 3_600_000;
const LONG = "-0197a5a0-1111-7222-8333-444444444444";
const RECONNECTS = [
  "AUTHORIZATION_REMOVED",
  "GRANT_ENDED",
  "ACCOUNT_UNREADABLE",
  "CALLS_REFUSED",
  "CHECK_FAILED",
] as const satisfies readonly ConnectionCause[];
const CAUSES = [...RECONNECTS, "PROVIDER_UNAVAILABLE", "PERMISSION_MISSING"] as const;

interface Planted {
  readonly externalSubjectId: string;
  readonly slug: string;
  readonly cause: (typeof CAUSES)[number] | null;
}

/** 2,000 connections of 40 clients, seven of ten with a cause each; the first clients have most. */
async function plantMany(panel: TestPanel): Promise<readonly Planted[]> {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const now = Date.now();
  const clients: TestApplication[] = [];
  for (let index = 0; index < CLIENTS; index += 1)
    clients.push(await createApplication(service, `client-${String(index).padStart(2, "0")}`));
  const rows = Array.from({ length: CONNECTIONS }, (_, index) => {
    const client = Math.floor(CLIENTS * (index / CONNECTIONS) ** 2);
    const cause = CAUSES[index % 10] ?? null;
    const provider = (["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const)[Math.floor(index / 10) % 3] ?? "PROVIDER_A";
    const accountId = `account-${10_000 + index}`;
    const at = new Date(now - index * 60_000);
    return {
      id: newId(),
      applicationId: clients[client]?.id ?? "",
      tenantKey: `tenant-1${index % 10 === 3 ? LONG : ""}`,
      // One in ten is as long as many applications' ids.
      externalSubjectId: `user-${String(index).padStart(4, "0")}${index % 10 === 3 ? LONG : ""}`,
      provider,
      registrationId: registrations[provider],
      providerAccountId: accountId,
      liveAccountId: accountId,
      status: index % 10 < RECONNECTS.length ? ("RECONNECT_REQUIRED" as const) : ("CONNECTED" as const),
      syncStatus: cause === null ? ("READY" as const) : ("FAILED" as const),
      capabilities: ["PROFILE" as const, "CONTENT_LIST" as const],
      cause,
      causeSince: cause === null ? null : new Date(now - (index + 1) * HOUR_MS),
      createdAt: at,
      updatedAt: at,
    };
  });
  await service.prisma.connection.createMany({ data: rows });
  const slugs = new Map(clients.map(({ id }, index) => [id, `client-${String(index).padStart(2, "0")}`]));
  return rows.map(({ externalSubjectId, applicationId, cause }) => ({
    ...{ externalSubjectId, cause },
    slug: slugs.get(applicationId) ?? "",
  }));
}

const rowsOf = (page: Page) =>
  page
    .getByRole("table")
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: filter }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** From the first page to the list with one filter: a click for the page, and two for the filter. */
async function filtered(user: BrowserUser, page: Page, filter: string, option: string) {
  await user.open("");
  await user.heading("Overview");
  const clicks = await countClicks(page);
  await user.goTo("Connections");
  await choose(page, filter, option);
  await expect.poll(() => new URL(page.url()).searchParams.has(filter.toLowerCase())).toBe(true);
  await user.loaded();
  return clicks;
}

/** By slug. */
function countsOf(planted: readonly Planted[]) {
  const slugs = [...new Set(planted.map(({ slug }) => slug))].toSorted();
  return slugs.map((slug) => ({ slug, count: planted.filter((one) => one.slug === slug).length }));
}

/** The rows that are in view as a whole. */
function rowsInView(page: Page): Promise<number> {
  return page.evaluate(
    "[...document.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length",
  );
}

test("who must reconnect and why, whom an outage concerns, which client has most: two clicks and a filter", {
  timeout: 300_000,
}, async ({ panel, admin: user, page }) => {
  const planted = await plantMany(panel);
  const labels = new Map(
    planted.map(({ externalSubjectId, cause }) => [externalSubjectId, cause && CAUSE_LABELS[cause]]),
  );
  const isReconnect = ({ cause }: Planted) => RECONNECTS.some((one) => one === cause);

  const whoClicks = await filtered(user, page, "Status", "Reconnect required");
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  expect(await whoClicks()).toBe(3);
  for (const row of await rowsOf(page).all()) {
    const user = (await row.getByRole("rowheader").textContent()) ?? "";
    const [, cause] = await row.getByRole("cell").allTextContents();
    expect([user, cause]).toEqual([user, labels.get(user)]);
  }
  await expectAccessible(user, "connections that need a reconnect");

  // The same list leads to its clients with one click more.
  await page.getByRole("link", { name: "By client" }).click();
  await page.getByText(/connections of 40 clients/).waitFor();
  expect(await whoClicks()).toBe(4);
  const most = countsOf(planted.filter(isReconnect)).toSorted((one, other) => other.count - one.count)[0];
  const first = rowsOf(page).first();
  expect([await first.getByRole("rowheader").textContent(), await first.getByRole("cell").textContent()]).toEqual([
    most?.slug,
    most?.count.toLocaleString("en"),
  ]);
  await page
    .getByText(`${planted.filter(isReconnect).length.toLocaleString("en")} connections of 40 clients`)
    .waitFor();
  await expectAccessible(user, "connections by client");
  await first.getByRole("cell").getByRole("link").click();
  await expect.poll(() => new URL(page.url()).search).toBe(`?client=${most?.slug}&status=RECONNECT_REQUIRED`);

  const outageClicks = await filtered(user, page, "Cause", CAUSE_LABELS.PROVIDER_UNAVAILABLE);
  await expect.poll(() => rowsOf(page).count()).toBe(50);
  await page.getByRole("link", { name: "By client" }).click();
  const concerned = countsOf(planted.filter(({ cause }) => cause === "PROVIDER_UNAVAILABLE"));
  await page.getByText(`200 connections of ${concerned.length} clients`).waitFor();
  expect(await outageClicks()).toBe(4);
  const shown = await Promise.all(
    (await rowsOf(page).all()).map(async (row) => ({
      slug: await row.getByRole("rowheader").textContent(),
      count: Number(await row.getByRole("cell").textContent()),
    })),
  );
  expect(shown.toSorted((one, other) => (one.slug ?? "").localeCompare(other.slug ?? ""))).toEqual(concerned);

  await user.open("/connections?by=cause");
  await page.getByText("2,000 connections", { exact: true }).waitFor();
  expect(await rowsOf(page).count()).toBe(CAUSES.length + 1);
});

test("fits 15 rows on a desktop and 6 on a phone, sorts, exports and finds a user", { timeout: 300_000 }, async ({
  panel,
  admin: user,
  page,
}) => {
  const planted = await plantMany(panel);
  for (const [width, height, rows] of [
    [1440, 900, 15],
    [390, 844, 6],
  ] as const) {
    await page.setViewportSize({ width, height });
    await user.open("/connections");
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    expect([width, await rowsInView(page)]).toEqual([width, expect.toSatisfy((count: number) => count >= rows)]);
    const account = rowsOf(page).getByText(platformName("PROVIDER_A")).first();
    expect((await account.boundingBox())?.height).toBeLessThan(30);
    const hidden =
      "[...document.querySelectorAll('[role=table]')].map(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth - clientWidth)";
    expect([width, await page.evaluate(hidden)]).toEqual([width, [0]]);
    await expectAccessible(user, `the list at ${width} pixels`);
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  const users = () => rowsOf(page).getByRole("rowheader").allTextContents();
  await page.getByRole("button", { name: "Since" }).click();
  await expect.poll(async () => (await users())[0]).toBe("user-1996");
  await page.getByRole("button", { name: "Since" }).click();
  await expect.poll(async () => (await users())[0]).toBe("user-0000");
  expect(new URL(page.url()).search).toBe("?sort=since&descending=true");
  await page.reload();
  await expect.poll(async () => (await users()).slice(0, 2)).toEqual(["user-0000", "user-0001"]);

  await choose(page, "Cause", CAUSE_LABELS.PERMISSION_MISSING);
  await expect.poll(async () => (await users())[0]).toBe("user-0006");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n").slice(1, -1);
  expect(lines).toHaveLength(planted.filter(({ cause }) => cause === "PERMISSION_MISSING").length);
  expect(lines[0]).toMatch(/^"user-0006","client-00","tenant-1",.*"PERMISSION_MISSING"/);

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "All filters" }).click();
  await page.getByLabel("User", { exact: true }).fill("user-0042");
  await page.keyboard.press("Enter");
  await expect.poll(users).toEqual(["user-0042"]);
  expect(page.url()).not.toContain("user-0042");
  await rowsOf(page).getByRole("link", { name: "user-0042" }).click();
  await page.getByLabel(/Reason/).waitFor();
  await page.goBack();
  await expect.poll(users).toEqual(["user-0042"]);
});
