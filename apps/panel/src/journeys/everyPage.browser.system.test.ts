/** @module-tag nightly */
import { expect } from "vitest";
import { expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { createRecords, pathOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";

/** Each page is checked six times, and a busy machine needs seconds for each. */
const TIMEOUT_MS = 1_200_000;

test("every page is accessible at every width, in light and dark mode, and zoomed", { timeout: TIMEOUT_MS }, async ({
  panel,
  user,
  page,
}) => {
  await user.open("");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "sign-in");
  await user.signIn();
  const records = await createRecords(panel);
  for (const [path, title] of Object.entries(TITLES)) {
    await user.open(pathOf(path, records));
    await user.heading(title);
    await user.loaded();
    expect([path, await page.getByRole("alert").allTextContents()]).toEqual([path, []]);
    await expectAccessibleInEveryAppearance(user, path);
  }
});
