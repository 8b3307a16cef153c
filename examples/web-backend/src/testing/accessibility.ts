import { overflowOf, type Page, sampled, violationsOf } from "@social-connect/testkit";
import { expect } from "vitest";

const APPEARANCES = [390, 1024, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);
/** A window of 1280 pixels at a zoom of 200 %, and of 400 %. */
const ZOOMED_WIDTHS = [640, 320];

/**
 * Expects no accessibility violations and no horizontal scrolling at one of three widths in light or dark (in each of them in a
 * sweep), and no horizontal scrolling when zoomed.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const { width, colorScheme } of sampled(APPEARANCES, where, APPEARANCES.length)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    expect([where, colorScheme, width, await violationsOf(page)]).toEqual([where, colorScheme, width, []]);
    expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
  }
  for (const width of ZOOMED_WIDTHS) {
    await page.setViewportSize({ width, height: 450 });
    expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
  }
}
