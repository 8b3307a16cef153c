import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createRegistration, SYSTEM } from "./testing/server.ts";

const SIX_MINUTES = 6 * 60_000;
const COLLEAGUE = "admin-two@example.test";
test("adding and removing an admin requires a confirmation that restores the input", async ({ panel, user, page }) => {
  await user.signIn({ path: "/admins" });
  await panel.advance(SIX_MINUTES);
  await user.add("Email address", COLLEAGUE);
  await user.confirmIdentity();
  await user.heading("Admins");
  await expect.poll(() => page.getByLabel("Email address").inputValue()).toBe(COLLEAGUE);
  expect(await panel.service.prisma.adminMember.count()).toBe(1);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: COLLEAGUE });
  await row.getByText("Never signed in").waitFor();

  await panel.advance(SIX_MINUTES);
  await row.getByRole("button", { name: `Remove admin ${COLLEAGUE}` }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${COLLEAGUE} from the admins?` });
  await user.typeToConfirm(COLLEAGUE, "Remove admin");
  await user.confirmIdentity();
  await dialog.waitFor();
  expect(await dialog.getByLabel(`Type ${COLLEAGUE} to confirm`).inputValue()).toBe(COLLEAGUE);
  expect(await panel.service.prisma.adminMember.count()).toBe(2);
  await dialog.getByRole("button", { name: "Remove admin" }).click();
  await row.waitFor({ state: "detached" });
  expect(await panel.service.prisma.adminMember.count()).toBe(1);
});

test("Back closes the prompt for a confirmation with the page that needs it", async ({ panel, user, page }) => {
  await user.signIn({ path: "/clients" });
  await user.goTo("Admins");
  await panel.advance(SIX_MINUTES);
  await user.add("Email address", COLLEAGUE);
  const prompt = page.getByRole("dialog", { name: "Confirm your identity" });
  await prompt.waitFor();
  await page.goBack();
  await user.heading("Clients");
  await prompt.waitFor({ state: "detached" });
});

test("adding an identity return URL requires a confirmation that restores the input", async ({ panel, user, page }) => {
  const { id, slug } = await panel.client("shop");
  await user.signIn({ path: `/clients/${id}/identity` });
  await panel.advance(SIX_MINUTES);
  const url = `https://${slug}.example/signed-in`;
  await user.add("New identity return URL", url);
  await user.confirmIdentity();
  await expect.poll(() => page.getByLabel("New identity return URL").inputValue()).toBe(url);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("The identity return URL was added.").waitFor();
});

test("moving an address to another origin requires the secret, also after a confirmation", async ({
  panel,
  user,
  page,
}) => {
  const { clientId, clientSecret, addresses } = panel.registration("PROVIDER_B");
  const { id } = await createRegistration(panel.service, SYSTEM, "PROVIDER_B", {
    clientId,
    clientSecret,
    addresses,
    scopes: [{ capability: "PROFILE", scopes: ["user.info.basic"] }],
    capabilities: ["PROFILE"],
    clientIds: null,
  });
  const stored = () => panel.service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
  const secret = page.getByRole("textbox", { name: "Client secret" });
  const api = page.getByLabel("API base URL");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await user.signIn({ path: `/registrations/${id}` });
  await api.fill("https://elsewhere.example/v2");
  await save.click();
  await page.getByText("An address moves to another origin. Enter the client secret again.").waitFor();
  await page.locator("input:focus").and(secret).waitFor();
  await secret.fill("typed-secret");
  await panel.advance(SIX_MINUTES);
  await save.click();
  await page.getByRole("dialog").getByText("Secrets are not saved").waitFor();
  await user.confirmIdentity();
  await expect.poll(() => api.inputValue()).toBe("https://elsewhere.example/v2");
  await page.getByText("Secrets are not saved: enter the secret again.").waitFor();
  expect(await secret.inputValue()).toBe("");
  expect((await stored()).addresses).toMatchObject({ api: addresses.api });
  // With its original origin the address needs no secret, but the discarded input is reported.
  await api.fill(addresses.api);
  await page.getByLabel("Client id").fill("changed-id");
  await save.click();
  await page.getByText("Enter the secret again: it was not saved while you signed in.").waitFor();
  await api.fill("https://elsewhere.example/v2");
  await secret.fill("typed-secret");
  await save.click();
  await page.getByText("The registration was saved.").waitFor();
  expect((await stored()).addresses).toMatchObject({ api: "https://elsewhere.example/v2" });
  const entry = await panel.service.prisma.auditEntry.findFirstOrThrow({ where: { action: "Registration changed" } });
  expect(entry.summary).toContain(`api moved from ${new URL(addresses.api).origin} to https://elsewhere.example`);
  expect(await page.content()).not.toContain("typed-secret");
});
