import type { Locator, Page } from "playwright-core";
import type { DevFile } from "./devFile.ts";

export type ShownProvider = "YouTube" | "TikTok" | "Instagram";

export type Visitor = ReturnType<typeof visitorOf>;

/**
 * A user of the example application and of the simulated providers in a browser. Each step clicks what a user would
 * click and ends when the next page is loaded.
 */
export function visitorOf(page: Page, { exampleUrl }: DevFile) {
  /** On the example's home page: a provider's linked accounts, and a button to link more. */
  const card = (provider: ShownProvider): Locator =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name: provider }) });
  /** On the example's home page. */
  const connectButton = (provider: ShownProvider) => card(provider).getByRole("button", { name: "Connect" });
  /** From the example's Connect button through the launch page to the provider's consent page. */
  const goToConsent = async (provider: ShownProvider) => {
    await page.goto(exampleUrl);
    await connectButton(provider).click();
    await page.getByRole("heading", { name: "to read your account?" }).waitFor();
  };
  /** Picks the test account of that name and agrees or declines. */
  const decide = async (decision: "Allow" | "Deny", account?: string) => {
    if (account !== undefined) {
      const choice = page.locator(`input[name="account"][value="${account}"]`);
      if (!(await choice.isVisible())) await page.getByText("Scripted accounts").first().click();
      await choice.check();
    }
    await page.getByRole("button", { name: decision, exact: true }).click();
  };
  const refreshButton = page.locator("button:enabled", { hasText: "Refresh" });
  return {
    page,
    card,
    connectButton,
    goToConsent,
    decide,
    signIn: async (name: string) => {
      await page.goto(`${exampleUrl}/sign-in`);
      await page.getByRole("button", { name }).click();
      await page.getByRole("heading", { name: "Hello" }).waitFor();
    },
    /** The URLs of the tab's Back and Forward buttons. */
    history: async () => {
      const session = await page.context().newCDPSession(page);
      const { entries } = await session.send("Page.getNavigationHistory");
      await session.detach();
      return entries.map(({ url }) => url);
    },
    /** Agrees at the consent page and returns the redirect URL without following it. */
    answerOf: async (account: string) => {
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
    },
    /** The whole flow to the account's page; returns the connection's id. */
    connect: async (provider: ShownProvider, account: string) => {
      await goToConsent(provider);
      await decide("Allow", account);
      await page.waitForURL(/\/accounts\/[0-9a-f-]{36}/);
      return new URL(page.url()).pathname.split("/")[2] ?? "";
    },
    /** Reads the account's posts of so many days again and waits until the page reports that all are stored. */
    refresh: async (days: 7 | 30 | 90) => {
      const link = page.getByRole("link", { name: `${days} days`, exact: true });
      // The initial read of a new connection has to be finished: the button waits for it too.
      await refreshButton.waitFor();
      await link.click();
      await link.and(page.locator("[aria-current]")).waitFor();
      await refreshButton.click();
      await page.getByText("Every post of this time span is here.").waitFor();
      await refreshButton.waitFor();
    },
  };
}
