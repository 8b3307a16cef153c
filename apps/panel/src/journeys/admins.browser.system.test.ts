import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { adminQuery } from "./testing/server.ts";

const KEY = /scadm_[0-9a-f-]{36}\.[0-9a-f]{64}/;
const FIRST = "admin@example.test";
const COLLEAGUE = "admin-two@example.test";
test("removing an admin revokes their key and ends their session immediately", async ({ panel, user }) => {
  const colleague = await panel.user();
  await user.signIn({ path: "/admins" });
  await user.page.getByText("The last admin cannot be removed").waitFor();
  await expect.poll(() => user.page.getByRole("button", { name: /^Remove admin/ }).count()).toBe(0);
  await user.add("Email address", "invalid");
  await user.page.getByText("Enter a valid email address.").waitFor();
  await user.add("Email address", COLLEAGUE);
  const row = user.page.getByRole("row").filter({ hasText: COLLEAGUE });
  await row.getByText("Never signed in").waitFor();
  await user.add("Email address", COLLEAGUE.toUpperCase());
  await user.page.getByText("This address already belongs to an admin.").waitFor();

  await colleague.signIn({ as: "admin-two", path: "/api-keys/new" });
  await colleague.page.getByLabel("Label").fill("nightly report");
  await colleague.page.getByRole("button", { name: "Mint key" }).click();
  const shown = colleague.page.getByText(KEY).first();
  await shown.waitFor();
  const key = KEY.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  const ask = () => adminQuery(panel, key, "{ adminMembers { email } }");
  expect((await ask()).errors).toEqual([]);

  await user.page.reload();
  await row.getByText("Signed in").waitFor();
  await row.getByRole("button", { name: `Remove admin ${COLLEAGUE}` }).click();
  const dialog = user.page.getByRole("dialog", { name: `Remove ${COLLEAGUE} from the admins?` });
  await dialog.getByText("This key is revoked immediately: “nightly report”.").waitFor();
  await dialog.getByLabel(`Type ${COLLEAGUE} to confirm`).fill(COLLEAGUE);
  expect((await ask()).errors).toEqual([]);
  await dialog.getByRole("button", { name: "Remove admin" }).click();
  await row.waitFor({ state: "detached" });

  expect((await ask()).code).toBe("UNAUTHENTICATED");
  await colleague.page.getByRole("button", { name: "I have saved it" }).click();
  await colleague.heading("Social Connect admin");
  await colleague.page.getByRole("link", { name: "Sign in" }).waitFor();
  // They cannot sign in again: they are still signed in at the issuer, but no longer an admin.
  await colleague.page.getByRole("link", { name: "Sign in" }).click();
  await colleague.page.getByRole("heading", { name: "This account is not an admin" }).waitFor();

  await user.goTo("Audit log");
  await user.page.getByText(`Removed ${COLLEAGUE} from the admins; keys revoked: 1.`).waitFor();
  await colleague.close();
});

test("warns the only admin who has signed in before they remove themselves, and signs them out", async ({
  panel,
  user,
  page,
}) => {
  await user.signIn({ path: "/admins" });
  await user.add("Email address", COLLEAGUE);
  const remove = (email: string) => page.getByRole("button", { name: `Remove admin ${email}` });
  const dialog = page.getByRole("dialog");
  const warning = dialog.getByText("No other admin has signed in yet.");
  // Removing the other admin does not show the warning.
  await remove(COLLEAGUE).click();
  await dialog.getByText("This admin has no active API keys.").waitFor();
  expect(await warning.count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await remove(FIRST).click();
  await warning.waitFor();
  await user.typeToConfirm(FIRST, "Remove admin");
  await user.heading("Social Connect admin");
  expect((await panel.service.prisma.adminMember.findMany()).map(({ email }) => email)).toEqual([COLLEAGUE]);
});
