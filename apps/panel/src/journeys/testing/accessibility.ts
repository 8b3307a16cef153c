import { overflowOf, type Page, sampled, violationsOf } from "@social-connect/testkit";
import { expect } from "vitest";
import { APPEARANCES, type Appearance, type BrowserUser } from "./browserUser.ts";

/** Expects no accessibility violations and no horizontal overflow. `where` identifies the page in a failure. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  expect([where, await violationsOf(page)]).toEqual([where, []]);
  await expectNoOverflow(page, where);
}

async function expectNoOverflow(page: Page, where: string): Promise<void> {
  expect([where, await overflowOf(page)]).toEqual([where, 0]);
}

const EVERY_APPEARANCE: readonly Appearance[] = [390, 1_024, 1_440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({
    name: `${width} pixels, ${colorScheme}`,
    colorScheme,
    viewport: { width, height: 860 },
  })),
);
/** A window of 1280 pixels at a zoom of 200 % and of 400 % (WCAG 2.2, 1.4.4 and 1.4.10). */
const ZOOMED_WIDTHS = [640, 320];

/**
 * Checks the page at one of three widths in light or dark mode (in each of them in a sweep), and zoomed, and restores the first
 * appearance.
 */
export async function expectAccessibleInEveryAppearance({ page }: BrowserUser, where: string): Promise<void> {
  for (const appearance of sampled(EVERY_APPEARANCE, where, EVERY_APPEARANCE.length)) {
    await applyAppearance(page, appearance);
    await expectNoViolations(page, `${where}, ${appearance.name}`);
  }
  for (const width of ZOOMED_WIDTHS) {
    await page.setViewportSize({ width, height: 450 });
    await expectNoOverflow(page, `${where}, zoomed to ${width} pixels`);
  }
  await applyAppearance(page, APPEARANCES[0]);
}

/** Checks the page on desktop in light mode or on a phone in dark mode (in both in a sweep). For intermediate states. */
export async function expectAccessible({ page }: BrowserUser, where: string): Promise<void> {
  for (const appearance of sampled([APPEARANCES[0], APPEARANCES[3]], where, 2)) {
    await applyAppearance(page, appearance);
    await expectNoViolations(page, `${where}, ${appearance.name}`);
  }
  await applyAppearance(page, APPEARANCES[0]);
}

async function applyAppearance(page: Page, { viewport, colorScheme }: Appearance): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}
