import { launchEngine, overflowOf, violationsOf } from "@social-connect/testkit";
import { expect } from "vitest";
import { createRecords, pathOf, routesOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";
import { panelUser } from "./testing/panelUser.ts";

// everyPage.browser.system.test.ts does it in every appearance.
test("every page is accessible, also with a menu, a dialog, the palette and an error", { timeout: 600_000 }, async ({
  panel,
  onTestFinished,
}) => {
  const browser = await launchEngine();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const user = panelUser(page, panel.url);
  const expectAccessible = async (where: string) =>
    expect([where, await violationsOf(page), await overflowOf(page)]).toEqual([where, [], 0]);
  await user.open("");
  await user.heading("Social Connect admin");
  await expectAccessible("sign-in");
  await user.signIn();
  const records = await createRecords(panel);
  expect(await routesOf(page)).toEqual(Object.keys(TITLES).toSorted());
  for (const [path, title] of Object.entries(TITLES)) {
    await user.open(pathOf(path, records));
    await user.heading(title);
    await user.loaded();
    await expectAccessible(path);
  }

  await user.open(pathOf("/clients/$clientId", records));
  await page.getByRole("button", { name: "Disable" }).click();
  await page.locator("dialog[open]").waitFor();
  await expectAccessible("a dialog");
  await user.open("/admins");
  await page.getByRole("button", { name: "Jump to" }).click();
  await page.locator("dialog[open]").waitFor();
  await expectAccessible("the palette");
  await user.open("/admins");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Enter an email address.").waitFor();
  await expectAccessible("a mistake in a form");
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await expectAccessible("a menu");
});
