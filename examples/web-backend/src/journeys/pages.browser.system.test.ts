import { expect, test } from "vitest";
import { expectAccessible, useBrowserExample } from "../testing/browserExample.ts";

const { app: example, visitor: newVisitor, signedIn } = useBrowserExample();

test("the sign-in, home and message pages are accessible", async () => {
  const app = example();
  const visitor = await newVisitor();
  await visitor.goto("/sign-in");
  await expectAccessible(visitor, "sign-in");
  await visitor.goto("/identity-return");
  await expectAccessible(visitor, "no sign-in to finish");

  const page = await signedIn();
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
  const app = example();
  const id = await app.link();
  const page = await signedIn();
  await page.goto(`/accounts/${id}`);
  await expectAccessible(page, "account during its first scan");
  await app.mock.settle();
  const post = app.mock.connection(id).publish({ metrics: { VIEWS: "100" } });
  await page.goto(`/accounts/${id}?days=90`);
  await page.locator(".post").first().waitFor();
  await expectAccessible(page, "account with posts");

  await page.goto(`/accounts/${id}/posts/${post.id}`);
  await page.getByText("Numbers, as the provider gives them").waitFor();
  await expectAccessible(page, "post");

  app.mock.connection(id).loseGrant();
  await page.goto(`/accounts/${id}`);
  await expectAccessible(page, "account with a lost grant");
  await page.getByRole("link", { name: "Disconnect…" }).click();
  await expectAccessible(page, "disconnect");
  await page.getByRole("button", { name: "Disconnect and erase" }).click();
  await page.getByRole("heading", { name: "is disconnected" }).waitFor();
  await expectAccessible(page, "receipts");
});

test("a user without a mouse signs in, connects, opens a post, disconnects and sees where the focus is", async () => {
  const page = await newVisitor();
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
  await example().mock.settle();
  await page.locator(".post").first().waitFor();
  const title = (await page.locator(".post h2").first().textContent())?.trim() ?? "";
  await activate(title.slice(0, 20));
  await page.getByText("Numbers, as the provider gives them").waitFor();
  await page.goBack();
  await activate("Disconnect…");
  await page.getByRole("heading", { name: /^Disconnect / }).waitFor();
  await activate("Disconnect and erase");
  await page.getByRole("heading", { name: "is disconnected" }).waitFor();
});

test("a page that is in progress stays in place until it is done", async () => {
  const app = example();
  const id = await app.link();
  const page = await signedIn();
  await page.goto(`/accounts/${id}`);
  await page.getByText("Reading your posts for the first time").waitFor();
  await page.evaluate("document.documentElement.dataset.marked = 'yes'");
  await app.mock.settle();
  await page.locator(".post").first().waitFor();
  await page.locator("button:enabled", { hasText: "Refresh" }).waitFor();
  expect(await page.evaluate("document.documentElement.dataset.marked")).toBe("yes");
});

test("without scripts the page reloads itself while posts are read", async () => {
  const app = example();
  const id = await app.link();
  const page = await signedIn({ javaScriptEnabled: false });
  await page.goto(`/accounts/${id}`);
  await app.mock.settle();
  await page.locator(".post").first().waitFor();
});
