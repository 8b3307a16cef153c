import { launchEngine } from "@social-connect/testkit";
import { test as base } from "./journey.ts";
import { panelUser } from "./panelUser.ts";

/** A test with a panel and a new browser, of the engine that BROWSER_ENGINE names, of a visitor who is not signed in. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest finds out from the pattern which fixtures it needs
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await launchEngine();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("visitor", async ({ browser, panel }) => {
    await panel.clear();
    return panelUser(await browser.newPage(), panel.url);
  });
