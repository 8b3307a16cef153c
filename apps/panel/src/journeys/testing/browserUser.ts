import type { Browser, BrowserContext, Locator, Page } from "@social-connect/testkit";

/** How the browser is set: a phone is 360 wide. */
export interface Appearance {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

/** How long a step may take on a machine that has much else to do. */
const PATIENCE_MS = 60_000;
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 780 };

export const APPEARANCES = [
  { name: "desk, light", colorScheme: "light", viewport: DESK },
  { name: "desk, dark", colorScheme: "dark", viewport: DESK },
  { name: "phone, light", colorScheme: "light", viewport: PHONE },
  { name: "phone, dark", colorScheme: "dark", viewport: PHONE },
] as const satisfies readonly Appearance[];

/** An admin in front of a browser. Each step does what a user would do, and ends when what follows is there. */
export class BrowserUser {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #url: string;
  /** What the browser complained of: broken scripts, and what the content policy kept out. */
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context;
    this.page = page;
    this.#url = url;
    page.on("pageerror", (error) => this.complaints.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      // The browser's own line for a 401 of /panel/session, which is an answer like another.
      const isRefusal = /^Failed to load resource: the server responded with a status of 401/.test(message.text());
      const isOwn = message.location().url.startsWith(url) || message.location().url === "";
      if (message.type() === "error" && isOwn && !isRefusal) this.complaints.push(message.text());
    });
  }

  static async at(browser: Browser, url: string, look: Appearance = APPEARANCES[0]): Promise<BrowserUser> {
    const { colorScheme, viewport } = look;
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    context.setDefaultTimeout(PATIENCE_MS);
    return new BrowserUser(context, await context.newPage(), url);
  }

  /** Opens a page of the panel by its address, e.g. `/clients`. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#url}/panel${path}`);
  }

  /** Opens a page and, as nobody is signed in, signs in at the issuer; ends at that page. */
  async signIn({ as = "admin", path = "" }: { readonly as?: string; readonly path?: string } = {}): Promise<void> {
    await this.open(path);
    await this.page.getByRole("link", { name: "Sign in" }).click();
    await this.passIssuer(as);
    // Where there is no room for it, the menu is hidden.
    await this.#menu({ includeHidden: true }).waitFor({ state: "attached" });
  }

  /** At the issuer's page: says who one is, and goes on. */
  async passIssuer(user = "admin"): Promise<void> {
    await this.page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
    await this.page.locator(`input[name="person"][value="${user}"]`).check();
    await this.page.getByRole("button", { name: "Continue" }).click();
    await this.page.waitForURL((url) => url.origin === this.#url && url.pathname.startsWith("/panel"));
  }

  /** Does something that may need a confirmation; where it does, gives one and does it again on the page that comes back. */
  async confirmed(act: () => Promise<void>, outcome: Locator): Promise<void> {
    const again = this.page.getByRole("button", { name: "Sign in again" });
    await act();
    await again.or(outcome).waitFor();
    if (!(await again.isVisible())) return;
    await again.click();
    await this.passIssuer();
    await act();
    await outcome.waitFor();
  }

  /** By the menu, as far as there is room for one. */
  async goTo(page: string): Promise<void> {
    const menu = this.page.getByRole("button", { name: "Open the menu" });
    await menu.or(this.#menu()).first().waitFor();
    if (await menu.isVisible()) await menu.click();
    await this.#menu().getByRole("link", { name: page, exact: true }).click();
    await this.heading(page);
  }

  /** Waits until the page of that title is there. */
  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name }).waitFor();
  }

  #menu(options: { readonly includeHidden?: boolean } = {}) {
    return this.page.getByRole("navigation", { name: "Pages", exact: true, ...options });
  }

  /** What the browser's clipboard holds. */
  async clipboard(): Promise<string> {
    return this.page.evaluate("navigator.clipboard.readText()");
  }

  /** What this browser knows of being signed in, for another that is to be as well. */
  async cookies(): Promise<Awaited<ReturnType<BrowserContext["cookies"]>>> {
    return this.#context.cookies();
  }

  /** Is signed in from now on, by what another browser knew. */
  async take(cookies: Awaited<ReturnType<BrowserContext["cookies"]>>): Promise<void> {
    await this.#context.addCookies(cookies);
  }

  async leave(): Promise<void> {
    await this.#context.close();
  }
}
