import type { EngineLocator, EnginePage } from "@social-connect/testkit";
import { expect } from "vitest";

/** An admin with a browser of any engine. Each method acts like a user and waits for the result. */
export class PanelUser<Page extends EnginePage = EnginePage> {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#url}/panel${path}`);
  }

  async signIn({ as = "admin", path = "" }: { readonly as?: string; readonly path?: string } = {}): Promise<void> {
    await this.open(path);
    await this.page.getByRole("link", { name: "Sign in" }).click();
    await this.passIssuer(as);
    // On a narrow screen the menu is hidden.
    await this.page.locator('nav[aria-label="Pages"]').waitFor({ state: "attached" });
  }

  async passIssuer(user = "admin"): Promise<void> {
    await this.page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
    await this.page.locator(`input[name="person"][value="${user}"]`).check();
    await this.page.getByRole("button", { name: "Continue" }).click();
    await this.page.waitForURL((url) => url.origin === this.#url && url.pathname.startsWith("/panel"));
  }

  async confirmIdentity(): Promise<void> {
    const dialog = this.page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByRole("button", { name: "Sign in again" }).click();
    await this.passIssuer();
  }

  async goTo(page: string): Promise<void> {
    const menu = this.page.getByRole("button", { name: "Open the menu" });
    await menu.or(this.#menu()).first().waitFor();
    if (await menu.isVisible()) await menu.click();
    await this.#menu().getByRole("link", { name: page, exact: true }).click();
    await this.heading(page);
  }

  /** Waits for the page with this title; the frame that is shown before the code has loaded does not count. */
  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { name }).and(this.page.locator("h1:not(.frame *)")).waitFor();
  }

  async loaded(): Promise<void> {
    await expect.poll(() => this.page.locator(".mantine-Skeleton-root").count()).toBe(0);
  }

  #menu(): EngineLocator {
    return this.page.getByRole("navigation", { name: "Pages", exact: true });
  }
}
