import { expect, test } from "vitest";
import { expectAccessible } from "../testing/accessibility.ts";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();

test("the sign-in, home and message pages are accessible", async () => {
  const { app } = example();
  const visitor = await example().visitor();
  await visitor.goto("/sign-in");
  await expectAccessible(visitor, "sign-in");
  await visitor.goto("/identity-return");
  await expectAccessible(visitor, "no sign-in to finish");

  const page = await example().signedIn();
  await expectAccessible(page, "home without accounts");
  const lost = await app.link();
  await app.link("another-channel");
  await page.reload();
  app.mock.connection(lost).loseGrant();
  await page.reload();
  await page.getByRole("button", { name: "Reconnect" }).waitFor();
  await expectAccessible(page, "home with a lost grant");
  app.mock.faults.always("*", { status: 503 });
  await page.reload();
  await expectAccessible(page, "home during an outage");
  await page.goto("/accounts/unknown");
  await expectAccessible(page, "an error");
});

test("the account and its posts are accessible", async () => {
  const { app } = example();
  const id = await app.link();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  await expectAccessible(page, "account during its first scan");
  await app.mock.settle();
  const post = app.mock.connection(id).publish({ metrics: { VIEWS: "100" } });
  await page.goto(`/accounts/${id}?days=90`);
  await page.locator(".post:not(.skeleton)").first().waitFor();
  await expectAccessible(page, "account with posts");

  await page.goto(`/accounts/${id}/posts/${post.id}`);
  await page.getByText("Numbers, as the provider gives them").waitFor();
  await expectAccessible(page, "post");

  await page.goto(`/accounts/${id}/lookup`);
  await page.getByLabel("Find a post by its address").fill("https://videos.example/watch?v=not-there");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("alert").waitFor();
  await expectAccessible(page, "lookup with a problem");

  app.mock.connection(id).loseGrant();
  await page.goto(`/accounts/${id}`);
  await expectAccessible(page, "account with a lost grant");
  await page.getByRole("link", { name: "Disconnect…" }).click();
  await expectAccessible(page, "disconnect");
  await page.getByRole("button", { name: "Disconnect and erase" }).click();
  await page.getByRole("heading", { name: "is disconnected" }).waitFor();
  await expectAccessible(page, "receipts");
});

test("the popup's notice and its last page are accessible", async () => {
  const page = await example().signedIn();
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Use a popup for YouTube" }).click();
  const popup = await opened;
  await popup.getByRole("heading", { name: "Allow the application" }).waitFor();
  await expectAccessible(page, "popup's notice");
  await page.goto("about:blank");
  await popup.getByRole("button", { name: "Deny" }).click();
  await popup.getByRole("link", { name: "Continue in this window" }).waitFor();
  await expectAccessible(popup, "popup's last page");
});

test("a user without a mouse signs in, connects, opens a post, disconnects and sees where the focus is", async () => {
  const page = await example().visitor();
  /** Tabs to the control with this name, and activates it. */
  const activate = async (name: string) => {
    for (let steps = 0; steps < 80; steps++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate<{ text: string; outline: string }>(
        "({ text: document.activeElement.innerText.trim().replace(/\\s+/g, ' '), outline: getComputedStyle(document.activeElement).outlineStyle })",
      );
      if (!focused.text.includes(name)) continue;
      expect([name, focused.outline]).not.toEqual([name, "none"]);
      await page.keyboard.press("Enter");
      return;
    }
    throw new Error(`no control ${name} was reached`);
  };
  await page.goto("/sign-in");
  await activate("Mara Lindqvist");
  await page.getByRole("heading", { name: "Hello, Mara." }).waitFor();
  await activate("Connect");
  await page.getByRole("heading", { name: "Allow the application" }).waitFor();
  await activate("Allow");
  await page.getByText("Reading your posts for the first time").waitFor();
  await example().app.mock.settle();
  await page.locator(".post:not(.skeleton)").first().waitFor();
  const title = (await page.locator(".post h3").first().textContent())?.trim() ?? "";
  await activate(title.slice(0, 20));
  await page.getByText("Numbers, as the provider gives them").waitFor();
  await page.goBack();
  await activate("Disconnect…");
  await page.getByRole("heading", { name: /^Disconnect / }).waitFor();
  await activate("Disconnect and erase");
  await page.getByRole("heading", { name: "is disconnected" }).waitFor();
});
