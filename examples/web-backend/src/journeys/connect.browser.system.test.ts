import type { Page } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { markDocument } from "../testing/browserExample.ts";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();

async function allow(page: Page): Promise<void> {
  await page.locator('input[name="other"]').fill("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
}

function card(page: Page, provider = "YouTube") {
  return page.getByRole("article").filter({ has: page.getByRole("heading", { name: provider }) });
}

async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    card(page).getByRole("button", { name: "Use a popup" }).click(),
  ]);
  await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
  return popup;
}

describe("a popup", () => {
  test("passes on a refusal too", async () => {
    const page = await example().signedIn();
    const popup = await openPopup(page);
    expect(await page.getByText("Continue in the window that was opened.").isVisible()).toBe(true);
    await popup.getByRole("button", { name: "Deny" }).click();
    await page.getByText("You chose not to give access. Nothing was linked.").waitFor();
  });

  test("that is blocked falls back to the full page", async () => {
    const page = await example().signedIn();
    await page.evaluate("window.open = () => null");
    await card(page).getByRole("button", { name: "Use a popup" }).click();
    await allow(page);
    await page.getByRole("heading", { name: "Slow trains" }).waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });

  test("that the page no longer sees is noticed, and the user can try again", async () => {
    const page = await example().signedIn();
    const isSameDocument = await markDocument(page);
    const popup = await openPopup(page);
    const show = page.getByRole("button", { name: "Show the window" });
    expect(await show.isVisible()).toBe(true);
    await popup.close();
    await page.getByText("If you closed it, you can try again.").waitFor();
    // It would do nothing.
    expect(await show.isVisible()).toBe(false);
    expect(await isSameDocument()).toBe(true);
    await allow(await openPopup(page));
    await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  });

  test("that was closed can be canceled or continued", async () => {
    const page = await example().signedIn();
    await (await openPopup(page)).close();
    const offer = page.getByRole("button", { name: "Continue or cancel" });
    const [pane] = await Promise.all([page.waitForEvent("popup"), offer.click()]);
    await pane.getByRole("button", { name: "Back to the application" }).click();
    await page.getByRole("heading", { name: "The account was not linked" }).waitFor();
    expect(example().app.mock.connect(example().app.store.lastAttempt).state.status).toBe("CANCELED");
  });

  test("that is closed after the last step still shows the result", async () => {
    const page = await example().signedIn();
    const popup = await openPopup(page);
    example().app.mock.connect(example().app.store.lastAttempt).complete({ account: "slow-trains" });
    await popup.close();
    await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  });

  test("can be left for the full page", async () => {
    const page = await example().signedIn();
    const popup = await openPopup(page);
    const closed = popup.waitForEvent("close");
    await page.getByRole("button", { name: "Continue in this page" }).click();
    await closed;
    await allow(page);
    await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  });

  test("continues itself when the page that opened it was closed", async () => {
    const page = await example().signedIn();
    const popup = await openPopup(page);
    await page.close();
    await allow(popup);
    await popup.getByRole("link", { name: "Continue in this window" }).click();
    await popup.getByRole("heading", { name: "Slow trains" }).waitFor();
  });

  test("is not offered without scripts", async () => {
    const page = await example().signedIn({ javaScriptEnabled: false });
    expect(await card(page).getByRole("button", { name: "Connect" }).isVisible()).toBe(true);
    expect(await card(page).getByRole("button", { name: "Use a popup" }).isVisible()).toBe(false);
  });
});
