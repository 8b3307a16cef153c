import { expect, test } from "vitest";
import { markDocument } from "../testing/browserExample.ts";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();

test("the first scan shows the shape of posts, and then the posts, without a reload", async () => {
  const { app } = example();
  const id = await app.link();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  await page.getByText("Reading your posts for the first time").waitFor();
  expect(await page.getByText("Nothing here").count()).toBe(0);
  const isSameDocument = await markDocument(page);
  await app.mock.settle();
  await example().shows(page.locator(".post:not(.skeleton)"));
  await page.locator("button:enabled", { hasText: "Refresh" }).waitFor();
  expect(await page.locator("[data-announcer]").textContent()).toMatch(/^Posts were last read /);
  expect(await isSameDocument()).toBe(true);
});

test("an outage keeps the accounts, and its end is noticed without a reload", async () => {
  const { app } = example();
  await app.link();
  const page = await example().signedIn();
  const account = page.getByRole("link", { name: "Slow trains" });
  await account.waitFor();
  const isSameDocument = await markDocument(page);
  const outage = app.mock.faults.always("*", { status: 503 });
  await example().shows(page.getByText("Your accounts are still linked."));
  expect(await account.isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: "Not available now" }).count()).toBe(3);
  await account.click();
  await page.getByRole("heading", { name: "Slow trains" }).waitFor();
  await page.getByText("Your accounts are still linked.").waitFor();
  await page.goBack();
  await page.getByText("Your accounts are still linked.").waitFor();
  outage.remove();
  await example().shows(page.getByRole("button", { name: "Connect another" }));
  expect(await page.getByText("Your accounts are still linked.").count()).toBe(0);
  expect(await isSameDocument()).toBe(false);
});

test("a disabled client keeps the accounts, with another message", async () => {
  const { app } = example();
  await app.link();
  const page = await example().signedIn();
  app.mock.application.disable();
  await example().shows(page.getByText("does not accept requests of this application"));
  expect(await page.getByRole("link", { name: "Slow trains" }).isVisible()).toBe(true);
  app.mock.application.enable();
  await example().shows(page.getByRole("button", { name: "Connect another" }));
});

test("a lost grant keeps the name and the last read, and the account is connected again", async () => {
  const { app } = example();
  const id = await app.link();
  await app.mock.settle();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  const lastRead = await page.getByText(/^Last read /).textContent();
  app.mock.connection(id).loseGrant();
  await example().shows(page.getByRole("heading", { name: "This account needs you" }));
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Slow trains");
  expect(await page.getByText(/^Last read /).textContent()).toBe(lastRead);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.locator('input[name="other"]').fill("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`**/accounts/${id}`);
  expect(await page.getByRole("heading", { name: "This account needs you" }).count()).toBe(0);
});

test("a page whose stream broke reconnects and shows what it missed", async () => {
  const { app } = example();
  await app.link();
  const page = await example().signedIn();
  await expect.poll(() => app.streams.count).toBe(1);
  await page.context().setOffline(true);
  await expect
    .poll(() => {
      app.timer.tick();
      return app.streams.count;
    })
    .toBe(0);
  await app.link("another-channel");
  await page.context().setOffline(false);
  await example().shows(page.getByText("2 accounts linked."));
});

test("keyboard focus stays on the same control when its part of the page is replaced", async () => {
  const { app } = example();
  await app.link();
  const page = await example().signedIn();
  const account = page.getByRole("link", { name: "Slow trains" });
  await account.focus();
  await app.link("another-channel");
  await example().shows(page.getByText("2 accounts linked."));
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Slow trains");
});

test("without scripts the page reloads itself while posts are read, and does not offer what it would lose", async () => {
  const { app } = example();
  const id = await app.link();
  const page = await example().signedIn({ javaScriptEnabled: false });
  await page.goto(`/accounts/${id}`);
  expect(await page.getByLabel("Find a post by its address").isVisible()).toBe(false);
  await app.mock.settle();
  await page.locator(".post:not(.skeleton)").first().waitFor();
  expect(await page.getByLabel("Find a post by its address").isVisible()).toBe(true);
});

test("a page that is in progress stays in place until it is done", async () => {
  const { app } = example();
  const id = await app.link();
  await app.mock.settle();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}/disconnect`);
  await page.getByRole("button", { name: "Disconnect and erase" }).click();
  await page.getByText("In progress").first().waitFor();
  const isSameDocument = await markDocument(page);
  await app.mock.settle();
  await page.getByText("Posts, numbers and profile are deleted.").waitFor();
  expect(await isSameDocument()).toBe(true);
});
