import type { Locator, Page } from "@social-connect/testkit";
import type { DevFile } from "../devFile.ts";

export type ShownProvider = "Provider A" | "Provider B" | "Provider C";

/**
 * A person in front of a browser, at the example application and at the simulated providers. Each step clicks what a
 * person would click and ends when the page that follows is there.
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

  /** From the example's Connect button over the launch page to the provider's consent page. */
  async goToConsent(provider: ShownProvider): Promise<void> {
    await this.page.goto(this.#dev.exampleUrl);
    await this.connectButton(provider).click();
    await this.page.getByRole("heading", { name: "to read your account?" }).waitFor();
  }

  /** On the example's home page: what is linked at a provider, and a button to link more. */
  card(provider: ShownProvider): Locator {
    return this.page.getByRole("article").filter({ has: this.page.getByRole("heading", { name: provider }) });
  }

  /** On the example's home page. */
  connectButton(provider: ShownProvider): Locator {
    return this.card(provider).getByRole("button", { name: "Connect" });
  }

  /** The addresses that the tab's Back and Forward buttons lead to. */
  async history(): Promise<string[]> {
    const session = await this.page.context().newCDPSession(this.page);
    const { entries } = await session.send("Page.getNavigationHistory");
    await session.detach();
    return entries.map(({ url }) => url);
  }

  /** Picks the test account of that name and agrees, or does not. */
  async decide(decision: "Allow" | "Deny", account?: string): Promise<void> {
    if (account !== undefined) {
      const choice = this.page.locator(`input[name="account"][value="${account}"]`);
      if (!(await choice.isVisible())) await this.page.getByText("Scripted accounts").first().click();
      await choice.check();
    }
    await this.page.getByRole("button", { name: decision, exact: true }).click();
  }

  /** Agrees at the consent page, and gives the address that the provider answers with in place of going there. */
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

  /** The whole way to the account's own page; gives the connection's id. */
  async connect(provider: ShownProvider, account: string): Promise<string> {
    await this.goToConsent(provider);
    await this.decide("Allow", account);
    await this.page.waitForURL(/\/accounts\/[0-9a-f-]{36}/);
    return new URL(this.page.url()).pathname.split("/")[2] ?? "";
  }

  /** Has the account's posts of so many days read again, and waits until the page says that all of them are there. */
  async refresh(days: 7 | 30 | 90): Promise<void> {
    const { page } = this;
    // The first reading, which a new connection brings with it, has to be over: the button waits for it too.
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
