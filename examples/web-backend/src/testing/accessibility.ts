import { overflowOf, type Page, violationsOf } from "@social-connect/testkit";
import { expect } from "vitest";

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
