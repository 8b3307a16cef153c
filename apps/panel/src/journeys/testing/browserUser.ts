import type { Browser, Locator, Page } from "@social-connect/testkit";
import { PanelUser } from "./panelUser.ts";

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

/** An admin with a Chromium. Each method acts like a user and waits for the result. */
export class BrowserUser extends PanelUser<Page> {
  /** Script errors and violations of the Content Security Policy. */
  readonly browserErrors: string[] = [];
  expectsErrors = false;

  private constructor(page: Page, url: string) {
    super(page, url);
    page.on("pageerror", (error) => this.browserErrors.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      // The browser logs the 401 of /panel/session, which is an expected response.
      const isRefusal = /^Failed to load resource: the server responded with a status of 401/.test(message.text());
      const isOwn = message.location().url.startsWith(url) || message.location().url === "";
      if (message.type() === "error" && isOwn && !isRefusal) this.browserErrors.push(message.text());
    });
  }

  static async at(browser: Browser, url: string, appearance: Appearance = APPEARANCES[0]): Promise<BrowserUser> {
    const { colorScheme, viewport } = appearance;
    // Without a locale, the browser may report the machine's, such as en-US@posix, which is an invalid language tag.
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce", locale: "en-US" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    return new BrowserUser(await context.newPage(), url);
  }

  /** Runs an action; if it needs a confirmation, confirms and runs it again. */
  async confirmed(act: () => Promise<void>, outcome: Locator): Promise<void> {
    const again = this.page.getByRole("button", { name: "Sign in again" });
    await act();
    await again.or(outcome).waitFor();
    if (!(await again.isVisible())) return;
    await this.confirmIdentity();
    await act();
    await outcome.waitFor();
  }

  async add(label: string, value: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label).fill(value);
    await within.getByRole("button", { name: "Add", exact: true }).click();
  }

  async typeToConfirm(name: string, button: string): Promise<void> {
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole("button", { name: button }).click();
  }

  clipboard(): Promise<string> {
    return this.page.evaluate("navigator.clipboard.readText()");
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
