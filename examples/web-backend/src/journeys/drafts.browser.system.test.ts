import type { Locator, Page } from "@social-connect/testkit";
import { expect, test } from "vitest";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();
const field = (page: Page) => page.getByLabel("Find a post by its address");
const TYPED = "https://videos.example/watch?v=not-there";

async function opened() {
  const { app } = example();
  const id = await app.link();
  await app.mock.settle();
  const page = await example().signedIn();
  await page.goto(`/accounts/${id}`);
  return { app, id, page };
}

/** Waits until a form's answer is shown and its scripts have run. */
async function loaded(page: Page, answer: Locator): Promise<void> {
  await answer.waitFor();
  await page.waitForLoadState();
}

test("typed text survives a reload, another page and a change of the page", async () => {
  const { app, id, page } = await opened();
  await field(page).fill(TYPED);
  await page.reload();
  expect(await field(page).inputValue()).toBe(TYPED);
  await page.goto("/");
  await page.goto(`/accounts/${id}`);
  expect(await field(page).inputValue()).toBe(TYPED);
  const outage = app.mock.faults.always("connection", { status: 503 });
  await example().shows(page.getByText("Your accounts are still linked."));
  outage.remove();
  await example().shows(page.locator("button:enabled", { hasText: "Refresh" }));
  expect(await field(page).inputValue()).toBe(TYPED);
});

test("typed text survives an error, is not needed after success, and is removed by signing out", async () => {
  const { app, id, page } = await opened();
  app.mock.faults.next("requestContentLookup", { status: 503 });
  await field(page).fill(TYPED);
  await page.getByRole("button", { name: "Find" }).click();
  await loaded(page, page.getByRole("alert"));
  expect(await field(page).inputValue()).toBe(TYPED);
  await field(page).fill(app.mock.connection(id).account.posts()[0]?.url ?? "");
  await page.getByRole("button", { name: "Find" }).click();
  await loaded(page, page.getByText("Numbers, as the provider gives them"));
  await page.goto(`/accounts/${id}`);
  expect(await field(page).inputValue()).toBe("");

  await field(page).fill(TYPED);
  await page.getByRole("button", { name: "Sign out" }).click();
  await loaded(page, page.getByRole("button", { name: "Mara Lindqvist" }));
  await page.getByRole("button", { name: "Mara Lindqvist" }).click();
  await loaded(page, page.getByRole("heading", { name: "Hello, Mara." }));
  await page.goto(`/accounts/${id}`);
  expect(await field(page).inputValue()).toBe("");
});
