import { expect, test } from "vitest";
import { useBrowserExample } from "../testing/useBrowserExample.ts";

const example = useBrowserExample();

test("a user who cancels is not signed in, and can try again", async () => {
  const page = await example().visitor();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a company account" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("the return address of another browser's sign-in shows a clear page", async () => {
  const page = await example().visitor();
  const response = await page.goto("/identity-return?ss_session_id=another&ss_status=COMPLETED");
  expect(response?.status()).toBe(404);
  await page.getByRole("heading", { name: "No sign-in to finish" }).waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Mara Lindqvist" }).waitFor();
});
