import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import type { Appearance, BrowserUser } from "./browserUser.ts";
import { APPEARANCES } from "./browserUser.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Expects no accessibility violations and no horizontal overflow. `where` identifies the page in a failure. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  // Legacy mode runs in the page itself instead of opening a second one; the panel has no frames.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .withTags(RULES);
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.replace(/\s+/g, " ")}`),
  );
  expect([where, found]).toEqual([where, []]);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect([where, overflow]).toEqual([where, 0]);
}

/** Checks the page on desktop and phone, in light and dark mode, and restores the first appearance. */
export function expectAccessibleInEveryAppearance(user: BrowserUser, where: string): Promise<void> {
  return expectAccessibleIn(APPEARANCES, user, where);
}

/** Checks the page on desktop in light mode and on a phone in dark mode. For intermediate states. */
export function expectAccessible(user: BrowserUser, where: string): Promise<void> {
  return expectAccessibleIn([APPEARANCES[0], APPEARANCES[3]], user, where);
}

async function expectAccessibleIn(
  appearances: readonly Appearance[],
  { page }: BrowserUser,
  where: string,
): Promise<void> {
  for (const appearance of appearances) {
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

/** Checks the page at these widths, in light and dark mode, and restores the first appearance. */
export async function expectAccessibleAtWidths(
  { page }: BrowserUser,
  where: string,
  widths: readonly number[],
): Promise<void> {
  for (const width of widths) {
    for (const colorScheme of ["light", "dark"] as const) {
      const name = `${width} pixels, ${colorScheme}`;
      await applyAppearance(page, { name, colorScheme, viewport: { width, height: 860 } });
      await expectNoViolations(page, `${where}, ${name}`);
    }
  }
  await applyAppearance(page, APPEARANCES[0]);
}
