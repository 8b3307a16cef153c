import { expect, test } from "@playwright/test";
import { service } from "./playwright.config.ts";

test.beforeEach(async ({ page, request }) => {
  await request.post(`${service}/__mock/reset`);
  await page.goto("/");
  await page.getByRole("button", { name: "Connect" }).click();
});

test("welcomes a user who allows access by name", async ({ page }) => {
  await page.getByRole("radio", { name: "harbor-workshop" }).check();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading")).toHaveText("Welcome, Harbor workshop!");
});

test("respects a user who denies access", async ({ page }) => {
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading")).toContainText("You declined");
});

test("a test can decide how the provider is today", async ({ page, request }) => {
  const [attempt] = await (await request.get(`${service}/__mock/calls?operation=createConnectSession`)).json();
  expect(attempt.outcome).toBe("OK");
  await page.getByRole("radio", { name: "exchange-5xx" }).check();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading")).toHaveText("That did not work. Please try again.");
});
