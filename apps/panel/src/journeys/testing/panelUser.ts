import type { EnginePage } from "@social-connect/testkit";
import { expect } from "vitest";

export type PanelUser<Page extends EnginePage = EnginePage> = ReturnType<typeof panelUser<Page>>;

/** An admin with a browser of any engine. Each method acts like a user and waits for the result. */
export function panelUser<Page extends EnginePage = EnginePage>(page: Page, url: string) {
  const menu = page.getByRole("navigation", { name: "Pages", exact: true });
  const open = async (path: string): Promise<void> => void (await page.goto(`${url}/panel${path}`));
  const passIssuer = async (person = "admin"): Promise<void> => {
    await page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
    await page.locator(`input[name="person"][value="${person}"]`).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(({ origin, pathname }) => origin === url && pathname.startsWith("/panel"));
  };
  /** Waits for the page with this title; the frame that is shown before the code has loaded does not count. */
  const heading = (name: string | RegExp): Promise<void> =>
    page.getByRole("heading", { name }).and(page.locator("h1:not(.frame *)")).waitFor();
  return {
    page,
    open,
    passIssuer,
    heading,
    signIn: async ({ as = "admin", path = "" }: { readonly as?: string; readonly path?: string } = {}) => {
      await open(path);
      await page.getByRole("link", { name: "Sign in" }).click();
      await passIssuer(as);
      // On a narrow screen the menu is hidden.
      await page.locator('nav[aria-label="Pages"]').waitFor({ state: "attached" });
    },
    confirmIdentity: async () => {
      const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
      await dialog.getByRole("button", { name: "Sign in again" }).click();
      await passIssuer();
    },
    goTo: async (title: string) => {
      const opener = page.getByRole("button", { name: "Open the menu" });
      await opener.or(menu).first().waitFor();
      if (await opener.isVisible()) await opener.click();
      await menu.getByRole("link", { name: title, exact: true }).click();
      await heading(title);
    },
    loaded: () => expect.poll(() => page.locator(".mantine-Skeleton-root").count()).toBe(0),
  };
}
