import { expect, test } from "vitest";
import { markDocument } from "../testing/browserExample.ts";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();

test("the first scan shows the shape of posts, and then the posts, in the same document", async () => {
  const { app } = example();
  const id = await app.link();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  await page.getByText("Reading your posts for the first time").waitFor();
  expect(await page.getByText("Nothing here").count()).toBe(0);
  const isSameDocument = await markDocument(page);
  await app.mock.settle();
  await page.locator(".post:not(.skeleton)").first().waitFor();
  await page.locator("button:enabled", { hasText: "Refresh" }).waitFor();
  expect(await isSameDocument()).toBe(true);
});

test("a lost grant keeps the name and the last read, and the account is connected again", async () => {
  const { app } = example();
  const id = await app.link();
  await app.mock.settle();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  const lastRead = await page.getByText(/^Last read /).textContent();
  app.mock.connection(id).loseGrant();
  await page.reload();
  await page.getByRole("heading", { name: "This account needs you" }).waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Slow trains");
  expect(await page.getByText(/^Last read /).textContent()).toBe(lastRead);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.locator('input[name="other"]').fill("slow-trains");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`**/accounts/${id}`);
  expect(await page.getByRole("heading", { name: "This account needs you" }).count()).toBe(0);
});

test("without scripts the page reloads itself while posts are read", async () => {
  const { app } = example();
  const id = await app.link();
  const page = await example().signedIn({ javaScriptEnabled: false });
  await page.goto(`/accounts/${id}`);
  await app.mock.settle();
  await page.locator(".post:not(.skeleton)").first().waitFor();
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
