import { expect } from "vitest";
import { expectAccessible, expectNoViolations } from "./testing/accessibility.ts";
import { APPEARANCES } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";

test("the empty list of clients has no accessibility violations", async ({ admin }) => {
  await admin.open("/clients");
  await admin.page.getByText("No clients yet").waitFor();
  await expectAccessible(admin, "no clients");
});

test.for(APPEARANCES)("the sign-in page has no accessibility violations: $name", async (appearance, { panel }) => {
  const user = await panel.user(appearance);
  await user.open("");
  await user.heading("Social Connect admin");
  await user.page.getByText(`SANDBOX mode at ${new URL(user.page.url()).host}`).waitFor();
  await expectNoViolations(user.page, appearance.name);
  expect(user.browserErrors).toEqual([]);
  await user.close();
});

test("someone whose account is not an admin can use a different account", async ({ user, page }) => {
  // The browser logs the status 403.
  user.expectsErrors = true;
  await user.open("/clients");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator('input[name="person"][value="ada"]').check();
  await page.getByRole("button", { name: "Continue" }).click();
  await user.heading("This account is not an admin");
  await page.getByRole("link", { name: "Back to the panel" }).click();
  // The issuer remembers the account.
  await page.getByRole("link", { name: "Sign in" }).click();
  await user.heading("This account is not an admin");
  await expectNoViolations(page, "not an admin");
  await page.getByRole("link", { name: "Use another account" }).click();
  await user.passIssuer();
  await user.heading("Clients");
});
