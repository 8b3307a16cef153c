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
