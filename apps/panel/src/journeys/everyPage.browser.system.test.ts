/** @module-tag nightly */
import type { Page } from "@social-connect/testkit";
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
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await expectReadable(page, `${path} at ${width} pixels`);
    }
  }
});

/** From a zoom of 400 % to a desktop. */
const WIDTHS = [320, 390, 768, 1_024, 1_440];

/** Expects that no word is broken and no text is cut off. */
async function expectReadable(page: Page, where: string): Promise<void> {
  expect([where, await brokenWords(page), await clippedTexts(page)]).toEqual([where, [], []]);
}

/** Where long words are expected, such as addresses and ids: a cell or value that has them, and the names of rows. */
const LONG_WORDS = "[data-long], tbody th, code, [translate=no], dd";

/** The words that are laid out on more than one line. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate((selectors) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.parentElement?.closest(selectors) !== null) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  }, LONG_WORDS);
}

/** The texts that are wider than what shows of them. A table may show the start of a long value, with all of it as its title. */
function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *, dialog[open] *")]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        const isClipping = overflowX === "hidden" || overflowX === "clip";
        // One pixel wide: for screen readers.
        return isClipping && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
      })
      .filter((element) => !element.matches("input, select, textarea, [title], [data-dense] *"))
      .map((element) => (element.textContent ?? "").trim().slice(0, 60))
      .filter((text) => text !== ""),
  );
}
