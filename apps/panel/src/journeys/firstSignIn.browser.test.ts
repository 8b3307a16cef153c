import { expect } from "vitest";
import { expectAccessible, expectNoViolations } from "./testing/accessibility.ts";
import { APPEARANCES } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";

test("signs in for the first time, opens the requested page, and signs out", async ({ user }) => {
  await user.open("/clients?find=acme");
  await user.heading("Social Connect admin");
  await user.page.getByRole("link", { name: "Sign in" }).click();
  await user.passIssuer("admin");
  await user.heading("Clients");
  expect(new URL(user.page.url()).search).toBe("?find=acme");
  await user.goTo("Clients");
  await expect.poll(() => user.page.evaluate("document.activeElement.textContent")).toBe("Clients");
  await user.page.getByText("No clients yet").waitFor();
  await expectAccessible(user, "no clients");
  await user.page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await user.page.getByRole("menuitem", { name: "Sign out" }).click();
  await user.heading("Social Connect admin");
  await user.page.goBack();
  await user.page.goForward();
  await user.heading("Social Connect admin");
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
