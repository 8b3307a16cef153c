import type { Page } from "@social-connect/testkit";

/** Counts clicks of the mouse from here on; the pages that follow are loaded without a reload. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    // Playwright stops a click at the window and repeats it when the target of the click moves.
    "window.clicks = 0; document.addEventListener('click', ({ isTrusted, detail }) => { if (isTrusted && detail > 0) window.clicks += 1; }, true)",
  );
  return async () => Number(await page.evaluate("window.clicks"));
}
