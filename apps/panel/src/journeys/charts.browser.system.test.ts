/** @module-tag nightly */
import { expect } from "vitest";
import { expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { createOutage, plant } from "./testing/plant.ts";

test.for(["en-US@posix", "C", "ar-EG"])(
  "draws charts in a browser with the language %s",
  async (language, { admin, panel, page }) => {
    await plant(panel);
    await createOutage(panel.service, 0, 5);
    await page.addInitScript(
      (reported) => Object.defineProperty(Navigator.prototype, "language", { configurable: true, get: () => reported }),
      language,
    );
    await admin.open("/health");
    const charts = page.getByRole("region", { name: "Activity", exact: true });
    await charts.getByRole("img", { name: /^Chart: Calls to providers/ }).waitFor();
    expect(await charts.locator("canvas").count()).toBeGreaterThan(0);
    expect(await charts.getByText("could not be loaded").count()).toBe(0);
  },
);

test("charts are refreshed with the page, and by its button", async ({ admin, panel, page }) => {
  await page.clock.install();
  await admin.open("/health");
  const nothing = page.getByText("Nothing was counted in this range.");
  const chart = page.getByRole("img", { name: /^Chart: Calls to providers/ });
  await expect.poll(() => nothing.count()).toBe(6);
  await plant(panel);
  await createOutage(panel.service, 0, 5);
  await page.clock.fastForward(31_000);
  await chart.waitFor();
  await panel.service.prisma.rollup.deleteMany();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => nothing.count()).toBe(6);
});

test("without the chart library shows a note and the tables", async ({ admin, panel, page }) => {
  admin.expectsErrors = true;
  await plant(panel);
  await createOutage(panel.service, 0, 5);
  await page.route(/\/assets\/TimeChart-[^/]*\.js$/, (route) => route.abort());
  await admin.open("/health");
  const charts = page.getByRole("region", { name: "Activity", exact: true });
  await charts.getByRole("alert").getByText("The charts could not be loaded.").waitFor();
  const table = charts.getByRole("table", { name: "Calls to providers by time" });
  await expect.poll(() => table.getByRole("row").count()).toBeGreaterThan(1);
  expect(await charts.locator("canvas").count()).toBe(0);
  // The note has the section's padding around it.
  const [section, note] = [await charts.boundingBox(), await charts.getByRole("alert").boundingBox()];
  expect((note?.x ?? 0) - (section?.x ?? 0)).toBeGreaterThanOrEqual(16);
  await expectAccessibleInEveryAppearance(admin, "health without charts");
  await page.unroute(/\/assets\/TimeChart-[^/]*\.js$/);
  await charts.getByRole("button", { name: "Reload" }).click();
  await charts.getByRole("img", { name: /^Chart: Calls to providers/ }).waitFor();
});

test("shows a note instead of activity that cannot be loaded", async ({ admin, page }) => {
  admin.expectsErrors = true;
  await page.route(/\/assets\/Activity-[^/]*\.js$/, (route) => route.abort());
  await admin.open("/health");
  const activity = page.getByRole("region", { name: "Activity", exact: true });
  await activity.getByRole("alert").getByText("The charts and their numbers could not be loaded.").waitFor();
  await page.getByRole("region", { name: "Connections" }).waitFor();
  await expectAccessibleInEveryAppearance(admin, "health without activity");
});

test("has each chart in one place, below the tables, and a sentence instead of a chart without data", async ({
  admin,
  panel,
  page,
}) => {
  await plant(panel);
  await createOutage(panel.service, 0, 5);
  await admin.open("/health");
  const calls = page.getByRole("img", { name: /^Chart: Calls to providers/ });
  await calls.waitFor();
  const activity = page.getByRole("region", { name: "Activity", exact: true });
  expect(await activity.getByRole("img").count()).toBe(1);
  expect(await activity.getByText("Nothing was counted in this range.").count()).toBe(5);
  const top = async (name: string) => (await page.getByRole("region", { name, exact: true }).boundingBox())?.y ?? 0;
  expect(await top("Jobs")).toBeLessThan(await top("Activity"));
  // Small charts are side by side, and the numbers of one have the whole width.
  const [chart, section] = [await calls.boundingBox(), await activity.boundingBox()];
  expect(chart?.width).toBeLessThan((section?.width ?? 0) / 2);
  await activity.getByText("Calls to providers: numbers").click();
  await expect.poll(async () => (await calls.boundingBox())?.width).toBeGreaterThan((section?.width ?? 0) / 2);

  await admin.open("");
  await page.getByRole("region", { name: "Recent activity" }).waitFor();
  expect(await page.getByRole("region", { name: "Activity", exact: true }).count()).toBe(0);
  await page.getByText("Times are in UTC.").waitFor();
});
