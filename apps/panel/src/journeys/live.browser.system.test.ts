/** @module-tag nightly */
import { type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createOutage, plant } from "./testing/plant.ts";
import {
  createApplication,
  createConnection,
  createJob,
  createRegistrations,
  type TestService,
} from "./testing/server.ts";

const MINUTE = 60_000;
/** Longer than the time between two refreshes. */
const REFRESHED_MS = 31_000;

/** Lets the browser's timers run without waiting. */
async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms);
}

test("the overview shows a new incident without a reload, and keeps an open menu", async ({
  panel,
  admin: user,
  page,
}) => {
  await page.clock.install();
  await user.open("");
  await page.getByText("Nothing needs your attention").waitFor();
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
  await plant(panel);
  await createOutage({ prisma: panel.service.prisma, clock: { now: async () => new Date() } }, 0, 10);
  await pass(page, REFRESHED_MS);
  await page.getByRole("link", { name: /^PROVIDER_B.*: 40 % of calls fail/ }).waitFor();
  expect(await page.getByRole("menuitemradio", { name: "Dark" }).isVisible()).toBe(true);
  await panel.service.prisma.rollup.deleteMany();
});

test("a list shows a new row and keeps the focus, the scroll position and what was typed", async ({
  panel,
  admin: user,
  page,
}) => {
  for (const slug of ["b-first", "c-second", "d-third"]) await panel.client(slug);
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 400 });
  await user.open("/clients");
  const row = page.getByRole("row").filter({ hasText: "d-third" });
  await row.waitFor();
  await page.getByRole("searchbox").fill("-");
  await expect.poll(() => new URL(page.url()).searchParams.get("find")).toBe("-");
  await row.waitFor();
  await page.evaluate("scrollTo(0, 120)");
  const before = await page.evaluate("scrollY");
  expect(before).toBeGreaterThan(0);
  await panel.client("e-fourth");
  await pass(page, REFRESHED_MS);
  await page.getByRole("row").filter({ hasText: "e-fourth" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("-");
  expect(await page.evaluate("document.activeElement.type")).toBe("search");
  expect(await page.evaluate("scrollY")).toBe(before);
});

test("a hidden page is not refreshed until it is visible again", async ({ panel, admin: user, page }) => {
  await page.clock.install();
  await user.open("/clients");
  await page.getByText("No clients yet").waitFor();
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/panel/graphql")) requests += 1;
  });
  const show = (state: "hidden" | "visible") =>
    page.evaluate(
      `Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true }); document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`,
    );
  await show("hidden");
  await panel.client("made-while-hidden");
  for (const _ of [1, 2, 3]) await pass(page, REFRESHED_MS);
  expect(requests).toBe(0);
  // No interval ends while the clock is paused.
  await page.clock.pauseAt(await page.evaluate<number>("Date.now() + 1_000"));
  await show("visible");
  await expect.poll(() => requests).toBe(1);
  await page.clock.resume();
  await page.getByRole("row").filter({ hasText: "made-while-hidden" }).waitFor();
  // Control: a visible page is refreshed.
  await panel.client("made-later");
  await pass(page, REFRESHED_MS);
  await page.getByRole("row").filter({ hasText: "made-later" }).waitFor();
});

test("an opened connection is refreshed for 15 minutes, and then opened again with another entry", async ({
  panel,
  user,
  page,
}) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const connection = await createConnection(service, await createApplication(service, "acme"), registrations);
  const views = () => service.prisma.auditEntry.count({ where: { action: "Connection viewed" } });
  await page.clock.install();
  await user.signIn({ path: `/support/connections/${connection.id}` });
  await page.getByLabel("Reason").fill("ticket 9");
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
  const nextRetryAt = service.clock.fromNow(30 * MINUTE);
  await createJob(service, connection, {
    status: "QUEUED",
    finishedAt: null,
    nextRetryAt,
    waitReason: "PROVIDER_UNAVAILABLE",
  });
  await pass(page, REFRESHED_MS);
  await page.getByRole("region", { name: "The provider does not respond" }).waitFor();
  expect(await views()).toBe(1);

  // The dialog of an action stays open while the page is refreshed.
  await page.getByRole("button", { name: "Retry scan" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry the job now?" });
  await dialog.waitFor();
  const at = new Date(Date.now() - 16 * MINUTE);
  await service.prisma.auditEntry.updateMany({ where: { action: "Connection viewed" }, data: { at } });
  await pass(page, REFRESHED_MS);
  await page.getByText("This page is no longer refreshed").waitFor({ state: "attached" });
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open it again" }).click();
  await page.getByText("This page is no longer refreshed").waitFor({ state: "detached" });
  expect(await views()).toBe(2);
});
