import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { adminQuery } from "../../../server/src/http/testing/adminServer.ts";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

const KEY = /scadm_[0-9a-f-]{36}\.[0-9a-f]{64}/;
const FIRST = "admin@example.test";
const COLLEAGUE = "admin-two@example.test";
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
beforeEach(() => panel.clear());
afterAll(() => panel?.close());

test("an admin adds a colleague, and removes them: their key and their session are dead at the next call", async () => {
  const [user, colleague] = [await panel.user(), await panel.user()];
  await user.signIn({ path: "/admins" });
  await user.page.getByText("The last admin cannot be removed").waitFor();
  await expect.poll(() => user.page.getByRole("button", { name: /^Remove the admin/ }).count()).toBe(0);
  await user.page.getByLabel("E-mail address").fill("nobody");
  await user.page.getByRole("button", { name: "Add", exact: true }).click();
  await user.page.getByText("Enter a valid email address.").waitFor();
  await user.page.getByLabel("E-mail address").fill(COLLEAGUE);
  await user.page.getByRole("button", { name: "Add", exact: true }).click();
  const row = user.page.getByRole("row").filter({ hasText: COLLEAGUE });
  await row.getByText("Not yet").waitFor();
  await user.page.getByLabel("E-mail address").fill(COLLEAGUE.toUpperCase());
  await user.page.getByRole("button", { name: "Add", exact: true }).click();
  await user.page.getByText("This address already belongs to an admin.").waitFor();

  await colleague.signIn({ as: "admin-two", path: "/api-keys/new" });
  await colleague.page.getByLabel("Label").fill("nightly report");
  await colleague.page.getByRole("button", { name: "Mint the key" }).click();
  const shown = colleague.page.getByText(KEY).first();
  await shown.waitFor();
  const key = KEY.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  const ask = () => adminQuery(panel, key, "{ adminMembers { email } }");
  expect((await ask()).errors).toEqual([]);

  await user.page.reload();
  await row.getByText("Has signed in").waitFor();
  await row.getByRole("button", { name: `Remove the admin ${COLLEAGUE}` }).click();
  const dialog = user.page.getByRole("dialog", { name: `Remove ${COLLEAGUE} from the admins?` });
  await dialog.getByText("This key is refused from the next call on: “nightly report”.").waitFor();
  await dialog.getByLabel(`Type ${COLLEAGUE} to go on`).fill(COLLEAGUE);
  expect((await ask()).errors).toEqual([]);
  await dialog.getByRole("button", { name: "Remove the admin" }).click();
  await row.waitFor({ state: "detached" });

  expect((await ask()).code).toBe("UNAUTHENTICATED");
  await colleague.page.getByRole("button", { name: "I have kept it" }).click();
  await colleague.heading("Social Connect admin");
  await colleague.page.getByRole("link", { name: "Sign in" }).waitFor();
  // Nor is the way in open to them any more: the issuer still knows them, and the service does not.
  await colleague.page.getByRole("link", { name: "Sign in" }).click();
  await colleague.page.getByRole("heading", { name: "This account does not administer this service" }).waitFor();

  await user.goTo("Audit log");
  await user.page.getByText(`Removed ${COLLEAGUE} from the admins; keys revoked: 1.`).waitFor();
  expect(user.complaints).toEqual([]);
  await Promise.all([user.leave(), colleague.leave()]);
});

test("the one admin who has signed in is told what is left when they remove themselves, and is out at once", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: "/admins" });
  await page.getByLabel("E-mail address").fill(COLLEAGUE);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const remove = (email: string) => page.getByRole("button", { name: `Remove the admin ${email}` });
  const dialog = page.getByRole("dialog");
  const warning = dialog.getByText("Nobody else on the list has signed in yet.");
  // Whoever removes the other one stays.
  await remove(COLLEAGUE).click();
  await dialog.getByText("There is no key that would die with it.").waitFor();
  expect(await warning.count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await remove(FIRST).click();
  await warning.waitFor();
  await dialog.getByLabel(`Type ${FIRST} to go on`).fill(FIRST);
  await dialog.getByRole("button", { name: "Remove the admin" }).click();
  await user.heading("Social Connect admin");
  expect((await panel.service.prisma.adminMember.findMany()).map(({ email }) => email)).toEqual([COLLEAGUE]);
  expect(user.complaints).toEqual([]);
  await user.leave();
});
