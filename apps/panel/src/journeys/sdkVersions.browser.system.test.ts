/** @module-tag nightly */
import { ROLLUP_SERIES } from "@social-connect/domain";
import { expect } from "vitest";
import { expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { plant } from "./testing/plant.ts";
import { createApplication } from "./testing/server.ts";

test("which clients call with an old version of the SDK: two clicks from the first page", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application } = await plant(panel);
  const old = await createApplication(service, "old-shop", { displayName: "Old shop" });
  const now = await panel.service.clock.now();
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const weekAgo = new Date(hour.getTime() - 7 * 86_400_000);
  const calls = (ownerId: string, startsAt: Date, kind: string, code: string, count: number) => ({
    ...{ series: ROLLUP_SERIES.clientVersions, seconds: 3_600, provider: "", outcome: "" },
    ...{ ownerId, startsAt, kind, code, count },
  });
  await service.prisma.rollup.createMany({
    data: [
      calls(application.id, hour, "sdk", "0.10.0", 1_200),
      calls(application.id, hour, "none", "", 3),
      calls(old.id, weekAgo, "sdk", "0.9.0", 7),
    ],
  });
  await user.open("");
  const clicks = await countClicks(page);
  await user.goTo("SDK versions");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect.poll(() => rows.count()).toBe(3);
  const shown = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  expect(await shown()).toEqual([
    expect.stringMatching(/^SDK 0\.10\.0 Newest seen 1 in the last hour$/),
    expect.stringMatching(/^SDK 0\.9\.0 Older 1 /),
    expect.stringMatching(/^Unknown library 1 in the last hour$/),
  ]);
  await page.getByRole("row", { name: "SDK 0.9.0" }).getByRole("link", { name: "1" }).click();
  await user.heading("Clients: SDK 0.9.0");
  expect(await clicks()).toBe(2);
  await expect.poll(shown).toEqual([expect.stringMatching(/^Old shop old-shop 7 /)]);
  await expectAccessibleInEveryAppearance(user, "clients of a version");
  await page.getByRole("link", { name: "Old shop" }).click();
  await user.heading("Old shop");
  await user.open("/sdk-versions");
  await expect.poll(() => rows.count()).toBe(3);
  await expectAccessibleInEveryAppearance(user, "SDK versions");
  await page
    .getByRole("row", { name: /^Unknown library/ })
    .getByRole("link", { name: "1" })
    .click();
  await user.heading("Clients: Unknown library");
  await expect.poll(shown).toEqual([expect.stringMatching(/^acme acme 3 in the last hour$/)]);
});

test("shows a note instead of versions that cannot be read", async ({ admin: user, page }) => {
  user.expectsErrors = true;
  await page.route("**/panel/graphql", async (route) => {
    if (route.request().postData()?.includes("adminSdkVersions")) await route.abort();
    else await route.continue();
  });
  await user.open("/sdk-versions");
  const retry = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await page.unroute("**/panel/graphql");
  await retry.click();
  await page.getByText("No calls yet").waitFor();
});
