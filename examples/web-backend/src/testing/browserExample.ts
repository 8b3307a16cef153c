import { type Browser, launchBrowser, overflowOf, type Page, sampled, violationsOf } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { serveExample } from "./serveExample.ts";

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** A browser for the tests of a file, and an application with its own service for each test. */
export function useBrowserExample() {
  let browser: Browser;
  let served: Awaited<ReturnType<typeof serveExample>>;
  /** Uncaught errors of all pages. */
  const scriptErrors: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    served = await serveExample();
  });
  afterEach(async () => {
    await served.close();
    expect(scriptErrors).toEqual([]);
  });
  afterAll(() => browser?.close());

  /** A page of a new browser without cookies. */
  async function visitor(options: ContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: served.origin, ...options });
    context.on("weberror", (error) => scriptErrors.push(String(error.error())));
    return context.newPage();
  }

  /** The same, in which Mara has signed in. */
  async function signedIn(options: ContextOptions = {}): Promise<Page> {
    const page = await visitor(options);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Mara Lindqvist" }).click();
    await page.getByRole("heading", { name: "Hello, Mara." }).waitFor();
    return page;
  }

  return { app: () => served, visitor, signedIn };
}

const APPEARANCES = [390, 1024, 1440].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/**
 * Expects no accessibility violations and no horizontal scrolling at one of three widths in light or dark (in each of them in a
 * sweep), and no horizontal scrolling when zoomed to 200 % and 400 %.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const { width, colorScheme } of sampled(APPEARANCES, where, APPEARANCES.length)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const found = { violations: await violationsOf(page), overflow: await overflowOf(page) };
    expect({ where, colorScheme, width, ...found }).toEqual({ where, colorScheme, width, violations: [], overflow: 0 });
  }
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 450 });
    expect([where, width, await overflowOf(page)]).toEqual([where, width, 0]);
  }
}
