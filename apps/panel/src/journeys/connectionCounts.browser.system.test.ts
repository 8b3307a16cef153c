/** @module-tag nightly */
import { type Page, sampled } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { plant } from "./testing/plant.ts";
import {
  type ConnectionOptions,
  createApplication,
  createConnection,
  createJob,
  createRegistrations,
} from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const DAY_MS = 86_400_000;
const failed = (scanErrorCode: string) => ({ syncStatus: "FAILED", scanErrorCode }) as const;

/** Two registrations at each provider, two clients, and counts that another filter would change. */
async function plantMany(panel: TestPanel) {
  const planted = await plant(panel, { provider: "PROVIDER_A" });
  const { service, application, registrations } = planted;
  const second = await createRegistrations(service);
  const blog = await createApplication(service, "blog");
  const now = await service.clock.now();
  const endsIn = (days: number) => ({
    tokens: { refreshTokenExpiresAt: new Date(now.getTime() + days * DAY_MS) },
  });
  const ended = { status: "RECONNECT_REQUIRED", ...failed("RECONNECT_REQUIRED") } as const;
  const unavailable = failed("UPSTREAM_UNAVAILABLE");
  let number = 0;
  const link = (of: typeof application, through: typeof registrations, options: ConnectionOptions) => {
    number += 1;
    const accountId = `account-${number}`;
    return createConnection(service, of, through, { provider: "PROVIDER_B", accountId, ...options });
  };
  await link(application, registrations, { ...endsIn(2) });
  await link(application, second, { ...endsIn(6), data: { status: "SUSPENDED" } });
  await link(blog, second, { ...endsIn(8) });
  await link(blog, second, { ...endsIn(2), data: ended });
  await link(blog, registrations, { ...endsIn(2), data: { ...ended, status: "DISCONNECTED" } });
  await link(application, second, { data: ended });
  await link(blog, second, { data: unavailable });
  await link(blog, registrations, { provider: "PROVIDER_C", data: unavailable });
  const scanned = await link(application, registrations, { data: unavailable });
  // Two failed jobs of one connection, and one of a connection whose latest scan succeeded.
  await createJob(service, scanned, { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
  await createJob(service, scanned, { status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
  await createJob(service, planted.connection, { status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED" });
  return { ...planted, second };
}

interface Counted {
  readonly of: string;
  readonly count: number;
}

/** The counts of a page that lead to the list of connections, by the link's filter. */
async function countsOn(page: Page): Promise<readonly Counted[]> {
  const links = page.getByRole("main").locator('a[href*="/panel/connections?"]');
  await links.first().waitFor();
  return Promise.all(
    (await links.all()).map(async (link) => ({
      of: new URL((await link.getAttribute("href")) ?? "", page.url()).search,
      count: Number(/(\d+)(?: connections?|$)/.exec((await link.textContent()) ?? "")?.[1]),
    })),
  );
}

async function rowsOf(page: Page): Promise<number> {
  const rows = page
    .getByRole("table")
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
  await rows.first().waitFor();
  return rows.count();
}

test("each count on Overview, Health, client and registration pages lists exactly what it counts", async ({
  panel,
  admin: user,
  page,
}) => {
  const { application, registrations, second } = await plantMany(panel);
  const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    "": { "?provider=PROVIDER_B&consent=ending": 2 },
    "/health": {
      "?provider=PROVIDER_A&status=CONNECTED": 1,
      "?provider=PROVIDER_B&status=CONNECTED": 4,
      "?provider=PROVIDER_B&status=SUSPENDED": 1,
      "?provider=PROVIDER_B&status=RECONNECT_REQUIRED": 2,
      "?provider=PROVIDER_B&status=DISCONNECTED": 1,
      "?provider=PROVIDER_C&status=CONNECTED": 1,
      "?provider=PROVIDER_B&code=RECONNECT_REQUIRED": 3,
      "?provider=PROVIDER_B&code=UPSTREAM_UNAVAILABLE": 2,
      "?provider=PROVIDER_C&code=UPSTREAM_UNAVAILABLE": 1,
    },
    [`/clients/${application.id}`]: {
      "?client=acme&provider=PROVIDER_A&status=CONNECTED": 1,
      "?client=acme&provider=PROVIDER_B&status=CONNECTED": 2,
      "?client=acme&provider=PROVIDER_B&status=SUSPENDED": 1,
      "?client=acme&provider=PROVIDER_B&status=RECONNECT_REQUIRED": 1,
    },
    [`/registrations/${registrations.PROVIDER_B}`]: { [`?registration=${registrations.PROVIDER_B}`]: 3 },
    [`/registrations/${second.PROVIDER_B}`]: { [`?registration=${second.PROVIDER_B}`]: 5 },
  };
  for (const [path, counts] of Object.entries(expected)) {
    await user.open(path);
    const shown = await countsOn(page);
    expect(Object.fromEntries(shown.map(({ of, count }) => [of, count])), path).toEqual(counts);
    await expectAccessible(user, `${path} with counts`);
    for (const { of, count } of sampled(shown, 0, 3)) {
      await user.open(`/connections${of}`);
      expect(await rowsOf(page), `${path} ${of}`).toBe(count);
    }
  }
  await user.open(`/registrations/${second.PROVIDER_B}?open=pause`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^It affects 5 connections\b/).waitFor();
  await dialog.getByRole("link", { name: "connections" }).click();
  expect(await rowsOf(page)).toBe(5);
});

test("in a window of 768 pixels no table of connections or jobs is scrolled", async ({ panel, admin: user, page }) => {
  const { service, application, connection, registrations } = await plantMany(panel);
  const slug = "harbor-commerce-staging-environment-of-the-eastern-region";
  await service.prisma.application.update({ where: { id: application.id }, data: { slug } });
  await createJob(service, connection, { status: "QUEUED", waitReason: "QUOTA", nextRetryAt: new Date() });
  const accountId = "account-0001";
  const data = { ...failed("AUTHORIZATION_SUSPENDED"), status: "RECONNECT_REQUIRED" } as const;
  await createConnection(service, application, registrations, { provider: "PROVIDER_C", accountId, data });
  await page.setViewportSize({ width: 768, height: 900 });
  for (const path of ["/health", "/connections", `/clients/${application.id}`]) {
    await user.open(path);
    await page.getByRole("table").getByRole("row").nth(1).waitFor();
    await user.loaded();
    const hidden = await page
      .getByRole("table")
      .evaluateAll((tables) =>
        tables.map(({ parentElement: frame }) => frame && frame.scrollWidth - frame.clientWidth),
      );
    expect([path, hidden]).toEqual([path, hidden.map(() => 0)]);
  }
});

test("the list names the registration of its filter", async ({ panel, admin: user, page }) => {
  const { second } = await plantMany(panel);
  await user.open(`/connections?registration=${second.PROVIDER_B}`);
  const filter = page.getByRole("combobox", { name: "Registration" });
  await expect.poll(() => filter.inputValue()).toMatch(/TikTok/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rowsOf(page)).toBe(10);
});
