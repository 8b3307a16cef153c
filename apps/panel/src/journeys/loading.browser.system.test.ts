/** @module-tag nightly */
import { expect } from "vitest";
import { createRecords, pathOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";

/** When the page has shown what it had. */
const TWO_FRAMES = "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))";
/** Below it, a page counts as stable: https://web.dev/articles/cls. */
const MOST_SHIFT = 0.1;

test("no page moves what it shows while the rest of it loads", { timeout: 600_000 }, async ({
  panel,
  admin: user,
  page,
}) => {
  const records = await createRecords(panel);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  // Responses come one after another, so that each part is shown before the next.
  let turn = Promise.resolve();
  await page.route("**/panel/graphql", async (route) => {
    const before = turn;
    turn = before.then(() => page.evaluate<void>(TWO_FRAMES)).catch(() => undefined);
    await turn;
    await route.continue();
  });
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1_440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    for (const [path, title] of Object.entries(TITLES)) {
      await user.open(pathOf(path, records));
      await user.heading(title);
      await user.loaded();
      const shift = await page.evaluate<number>("window.shifts.reduce((sum, value) => sum + value, 0)");
      expect([path, viewport.width, shift]).toEqual([
        path,
        viewport.width,
        expect.toSatisfy((one: number) => one < MOST_SHIFT),
      ]);
    }
  }
});

test("a field shows a ring when it has the focus", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("focus");
  const ring = () => page.locator(":focus").evaluate((field) => getComputedStyle(field).outline);
  await user.open("/connections");
  const select = page.getByRole("combobox", { name: "Provider" });
  await select.waitFor();
  expect(await select.evaluate((field) => getComputedStyle(field).outlineStyle)).toBe("none");
  await select.press("Tab");
  expect(await ring()).toMatch(/solid 2px/);
  await user.open(`/clients/${id}/keys/new`);
  await page.getByLabel("Lifetime").press("Shift");
  expect(await ring()).toMatch(/solid 2px/);
});
