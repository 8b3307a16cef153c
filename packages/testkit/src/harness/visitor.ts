import type { Locator, Page } from "playwright-core";
import type { DevFile } from "./devFile.ts";

export type ShownProvider = "YouTube" | "TikTok" | "Instagram";

/**
 * A user of the example application and of the simulated providers in a browser. Each step clicks what a user would
 * click and ends when the next page is loaded.
 */
export class Visitor {
  readonly page: Page;
  readonly #dev: DevFile;

  constructor(page: Page, dev: DevFile) {
    this.page = page;
    this.#dev = dev;
  }

  async signIn(name: string): Promise<void> {
    await this.page.goto(`${this.#dev.exampleUrl}/sign-in`);
    await this.page.getByRole("button", { name }).click();
    await this.page.getByRole("heading", { name: "Hello" }).waitFor();
  }

  /** From the example's Connect button through the launch page to the provider's consent page. */
  async goToConsent(provider: ShownProvider): Promise<void> {
    await this.page.goto(this.#dev.exampleUrl);
    await this.connectButton(provider).click();
    await this.page.getByRole("heading", { name: "to read your account?" }).waitFor();
  }

  /** On the example's home page: a provider's linked accounts, and a button to link more. */
  card(provider: ShownProvider): Locator {
    return this.page.getByRole("article").filter({ has: this.page.getByRole("heading", { name: provider }) });
  }

  /** On the example's home page. */
  connectButton(provider: ShownProvider): Locator {
    return this.card(provider).getByRole("button", { name: "Connect" });
  }

  /** The URLs of the tab's Back and Forward buttons. */
  async history(): Promise<string[]> {
    const session = await this.page.context().newCDPSession(this.page);
    const { entries } = await session.send("Page.getNavigationHistory");
    await session.detach();
    return entries.map(({ url }) => url);
  }

  /** Picks the test account of that name and agrees or declines. */
  async decide(decision: "Allow" | "Deny", account?: string): Promise<void> {
    if (account !== undefined) {
      const choice = this.page.locator(`input[name="account"][value="${account}"]`);
      if (!(await choice.isVisible())) await this.page.getByText("Scripted accounts").first().click();
      await choice.check();
    }
    await this.page.getByRole("button", { name: decision, exact: true }).click();
  }

  /** Agrees at the consent page and returns the redirect URL without following it. */
  async answerOf(account: string): Promise<string> {
    const { page } = this;
    const form = new URLSearchParams({ account, decision: "allow" });
    form.append("request", await page.locator('input[name="request"]').inputValue());
    for (const scope of await page.locator('input[name="scope"]:checked').all())
      form.append("scope", await scope.inputValue());
    const action = (await page.locator("form").getAttribute("action")) ?? "";
    const answer = await page.request.post(new URL(action, page.url()).href, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      data: form.toString(),
      maxRedirects: 0,
    });
    return answer.headers()["location"] ?? "";
  }

  /** The whole flow to the account's page; returns the connection's id. */
  async connect(provider: ShownProvider, account: string): Promise<string> {
    await this.goToConsent(provider);
    await this.decide("Allow", account);
    await this.page.waitForURL(/\/accounts\/[0-9a-f-]{36}/);
    return new URL(this.page.url()).pathname.split("/")[2] ?? "";
  }

  /** Reads the account's posts of so many days again and waits until the page reports that all are stored. */
  async refresh(days: 7 | 30 | 90): Promise<void> {
    const { page } = this;
    // The initial read of a new connection has to be finished: the button waits for it too.
    await page.locator("button:enabled", { hasText: "Refresh" }).waitFor();
    await page.getByRole("link", { name: `${days} days` }).click();
    await page
      .getByRole("link", { name: `${days} days`, exact: true })
      .and(page.locator("[aria-current]"))
      .waitFor();
    await page.locator("button:enabled", { hasText: "Refresh" }).click();
    await page.getByText("Every post of this time span is here.").waitFor();
    await page.locator("button:enabled", { hasText: "Refresh" }).waitFor();
  }
}
