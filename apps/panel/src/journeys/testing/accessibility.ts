import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import type { Look, Person } from "./person.ts";
import { LOOKS } from "./person.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects that axe finds nothing on the page as it stands, and that nothing reaches out of it to the side. `where` is said
 * when it does.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // In the page itself, which has no frames: the other mode opens a second page each time.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .withTags(RULES);
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.replace(/\s+/g, " ")}`),
  );
  expect([where, found]).toEqual([where, []]);
  const overhang = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect([where, overhang]).toEqual([where, 0]);
}

/** The same at a desk and on a phone, in light and in dark. The page stays as it is; at the end it has its first look again. */
export function expectGoodInEveryLook(person: Person, where: string): Promise<void> {
  return expectGoodIn(LOOKS, person, where);
}

/** The same at a desk in light and on a phone in dark: for what a page comes through on the way. */
export function expectGood(person: Person, where: string): Promise<void> {
  return expectGoodIn([LOOKS[0], LOOKS[3]], person, where);
}

async function expectGoodIn(looks: readonly Look[], { page }: Person, where: string): Promise<void> {
  for (const look of looks) {
    await wear(page, look);
    await expectAccessible(page, `${where}, ${look.name}`);
  }
  await wear(page, LOOKS[0]);
}

async function wear(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}
