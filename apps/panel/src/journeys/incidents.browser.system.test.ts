/** @module-tag nightly */
import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { createOutage } from "./testing/plant.ts";

const MINUTE = 60_000;
/** The service finds incidents at most once in this time. */
const FRESH = 10_000;

test("an admin sees a provider's outage, follows it and sees it end", async ({ user, panel }) => {
  await user.signIn();
  const { page } = user;
  const attention = page.getByRole("region", { name: "Needs attention" });
  await page.getByText("Nothing needs your attention").waitFor();

  await panel.advance(FRESH);
  await createOutage(panel.service, 0, 5);
  await user.open("");
  await attention
    .getByRole("link", { name: /^PROVIDER_B · TikTok Display API v2: 40 % of calls fail since \d\d:\d\d UTC$/ })
    .waitFor();
  await attention.getByText(/^20 of 50 calls\. Last seen just now\./).waitFor();

  await panel.advance(5 * MINUTE);
  await createOutage(panel.service, 0, 5, 9);
  await user.open("");
  await attention.getByRole("link", { name: /^PROVIDER_B · TikTok Display API v2: 65 % of calls fail since/ }).click();
  await user.heading("Health");

  const charts = page.getByRole("region", { name: "Activity" });
  await charts.getByRole("img", { name: /^Chart: Calls to providers/ }).waitFor();
  await charts.getByText("35 % of 100 succeeded").waitFor();
  await charts.getByText("1 h", { exact: true }).click();
  await charts.getByText("Calls to providers: numbers").click();
  const table = charts.getByRole("table", { name: "Calls to providers by time" });
  await expect.poll(() => table.getByRole("row").count()).toBe(11);
  for (const width of [390, 1024, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await expectNoViolations(page, `an outage, ${width} px, ${colorScheme}`);
    }
  }

  await panel.advance(11 * MINUTE);
  await createOutage(panel.service, 0, 10, 0);
  await user.open("");
  await page.getByText("Nothing needs your attention").waitFor();
  const ended = page.getByRole("region", { name: "Ended incidents" });
  await ended
    .getByText(/^PROVIDER_B · TikTok Display API v2: 65 % of calls fail from \d\d:\d\d UTC until \d\d:\d\d UTC$/)
    .waitFor();
  // The Content Security Policy allows the charts.
  expect(user.browserErrors).toEqual([]);
});
