import { engineName, launchEngine, overflowOf, violationsOf } from "@social-connect/testkit";
import { expect } from "vitest";
import { createRecords, pathOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";
import { PanelUser } from "./testing/panelUser.ts";

// everyPage.browser.test.ts does it in Chromium, in every appearance.
test.skipIf(engineName() === "chromium")(
  "every page is accessible",
  { timeout: 600_000 },
  async ({ panel, onTestFinished }) => {
    const browser = await launchEngine();
    onTestFinished(() => browser.close());
    const user = new PanelUser(await browser.newPage(), panel.url);
    await user.open("");
    await user.heading("Social Connect admin");
    expect(await violationsOf(user.page)).toEqual([]);
    await user.signIn();
    const records = await createRecords(panel);
    for (const [path, title] of Object.entries(TITLES)) {
      await user.open(pathOf(path, records));
      await user.heading(title);
      await user.loaded();
      expect([path, await violationsOf(user.page), await overflowOf(user.page)]).toEqual([path, [], 0]);
    }
  },
);
