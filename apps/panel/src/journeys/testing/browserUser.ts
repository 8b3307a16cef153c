import type { Browser, BrowserContext, Locator, Page } from "@social-connect/testkit";

export interface Appearance {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

/** Generous, for slow machines. */
const STEP_TIMEOUT_MS = 60_000;
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 780 };

export const APPEARANCES = [
  { name: "desktop, light", colorScheme: "light", viewport: DESKTOP },
  { name: "desktop, dark", colorScheme: "dark", viewport: DESKTOP },
  { name: "phone, light", colorScheme: "light", viewport: PHONE },
  { name: "phone, dark", colorScheme: "dark", viewport: PHONE },
] as const satisfies readonly Appearance[];

/** An admin with a browser. Each method acts like a user and waits for the result. */
export class BrowserUser {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** Script errors and violations of the Content Security Policy. */
  readonly browserErrors: string[] = [];
  /** Set by a test that causes such errors. */
  expectsErrors = false;

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context;
    this.page = page;
    this.#url = url;
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
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    return new BrowserUser(context, await context.newPage(), url);
  }

  /** Opens a page of the panel by its path, e.g. `/clients`. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#url}/panel${path}`);
  }

  /** Opens a page, signs in at the issuer and returns to the page. */
  async signIn({ as = "admin", path = "" }: { readonly as?: string; readonly path?: string } = {}): Promise<void> {
    await this.open(path);
    await this.page.getByRole("link", { name: "Sign in" }).click();
    await this.passIssuer(as);
    // On a narrow screen the menu is hidden.
    await this.#menu({ includeHidden: true }).waitFor({ state: "attached" });
  }

  /** Selects a user on the issuer's page and continues. */
  async passIssuer(user = "admin"): Promise<void> {
    await this.page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
    await this.page.locator(`input[name="person"][value="${user}"]`).check();
    await this.page.getByRole("button", { name: "Continue" }).click();
    await this.page.waitForURL((url) => url.origin === this.#url && url.pathname.startsWith("/panel"));
  }

  /** Signs in again, as a dialog prompts. */
  async confirmIdentity(): Promise<void> {
    const dialog = this.page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByRole("button", { name: "Sign in again" }).click();
    await this.passIssuer();
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

  /** Adds a value to a list by the form below it. */
  async add(label: string, value: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label).fill(value);
    await within.getByRole("button", { name: "Add", exact: true }).click();
  }

  /** Types the name that the open dialog requires, and confirms it. */
  async typeToConfirm(name: string, button: string): Promise<void> {
    const dialog = this.page.getByRole("dialog");
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole("button", { name: button }).click();
  }

  /** Opens a page from the menu. */
  async goTo(page: string): Promise<void> {
    const menu = this.page.getByRole("button", { name: "Open the menu" });
    await menu.or(this.#menu()).first().waitFor();
    if (await menu.isVisible()) await menu.click();
    await this.#menu().getByRole("link", { name: page, exact: true }).click();
    await this.heading(page);
  }

  /** Waits for the page with this title; the frame that is shown before the code has loaded does not count. */
  async heading(name: string | RegExp): Promise<void> {
    const heading = this.page.getByRole("heading", { level: 1, name });
    await heading.and(this.page.locator(":not(.frame *)")).waitFor();
  }

  #menu(options: { readonly includeHidden?: boolean } = {}) {
    return this.page.getByRole("navigation", { name: "Pages", exact: true, ...options });
  }

  async clipboard(): Promise<string> {
    return this.page.evaluate("navigator.clipboard.readText()");
  }

  /** The session, for another browser's `restoreSession`. */
  async cookies(): Promise<Awaited<ReturnType<BrowserContext["cookies"]>>> {
    return this.#context.cookies();
  }

  async restoreSession(cookies: Awaited<ReturnType<BrowserContext["cookies"]>>): Promise<void> {
    await this.#context.addCookies(cookies);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
