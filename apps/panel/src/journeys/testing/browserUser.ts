import type { Browser, Locator, Page } from "@social-connect/testkit";
import { panelUser } from "./panelUser.ts";

export interface Appearance {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 780 };

export const APPEARANCES = [
  { name: "desktop, light", colorScheme: "light", viewport: DESKTOP },
  { name: "desktop, dark", colorScheme: "dark", viewport: DESKTOP },
  { name: "phone, light", colorScheme: "light", viewport: PHONE },
  { name: "phone, dark", colorScheme: "dark", viewport: PHONE },
] as const satisfies readonly Appearance[];

export type BrowserUser = Awaited<ReturnType<typeof openBrowser>>;

/** An admin with a Chromium. Each method acts like a user and waits for the result. */
export async function openBrowser(browser: Browser, url: string, appearance: Appearance = APPEARANCES[0]) {
  const { colorScheme, viewport } = appearance;
  // Without a locale, the browser may report the machine's, such as en-US@posix, which is an invalid language tag.
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce", locale: "en-US" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on("pageerror", (error) => browserErrors.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    // The browser logs the 401 of /panel/session, which is an expected response.
    const isRefusal = /^Failed to load resource: the server responded with a status of 401/.test(message.text());
    const isOwn = message.location().url.startsWith(url) || message.location().url === "";
    if (message.type() === "error" && isOwn && !isRefusal) browserErrors.push(message.text());
  });
  const user = panelUser(page, url);
  return {
    ...user,
    /** Script errors and violations of the Content Security Policy. */
    browserErrors,
    expectsErrors: false,
    /** Runs an action; if it needs a confirmation, confirms and runs it again. */
    confirmed: async (act: () => Promise<void>, outcome: Locator) => {
      const again = page.getByRole("button", { name: "Sign in again" });
      await act();
      await again.or(outcome).waitFor();
      if (!(await again.isVisible())) return;
      await user.confirmIdentity();
      await act();
      await outcome.waitFor();
    },
    add: async (label: string, value: string, within: Page | Locator = page) => {
      await within.getByLabel(label).fill(value);
      await within.getByRole("button", { name: "Add", exact: true }).click();
    },
    typeToConfirm: async (name: string, button: string) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
      await dialog.getByRole("button", { name: button }).click();
    },
    clipboard: () => page.evaluate<string>("navigator.clipboard.readText()"),
    close: () => context.close(),
  };
}
