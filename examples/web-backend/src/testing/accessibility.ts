import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [390, 1024, 1440];
const COLOR_SCHEMES = ["light", "dark"] as const;
/** A window of 1280 pixels at a zoom of 200 %, and of 400 %. */
const ZOOMED_WIDTHS = [640, 320];

/** Expects no accessibility violations at three widths in light and dark, and no horizontal scrolling, zoomed or not. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([where, colorScheme, width, await violationsOf(page)]).toEqual([where, colorScheme, width, []]);
      expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
    }
  }
  for (const width of ZOOMED_WIDTHS) {
    await page.setViewportSize({ width, height: 450 });
    expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
  }
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  // Legacy mode runs in the page itself instead of opening a second one; the pages have no frames.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .withTags(RULES);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.replace(/\s+/g, " ")}`),
  );
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
