import { testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import {
  createApplication,
  createConnection,
  createRegistration,
  createRegistrations,
  SYSTEM,
  type TestService,
} from "./testing/server.ts";

const MINUTE = 60_000;
test("creates, publishes, pauses and disables a registration, with a failed check and a confirmation", async ({
  panel,
  admin: user,
  page,
}) => {
  const { clientId, clientSecret, addresses } = panel.registration("PROVIDER_B");
  await user.open("/registrations");
  await page.getByRole("link", { name: "New registration" }).click();
  await page.getByRole("radio", { name: "PROVIDER_B" }).check();

  // The values to register at the provider.
  await page.getByRole("button", { name: "Copy redirect URL" }).click();
  await expect.poll(() => user.clipboard()).toBe(`${panel.url}/api/connect/callback/provider-b`);
  await page.getByRole("button", { name: "Copy webhook URL" }).click();
  await expect.poll(() => user.clipboard()).toBe(`${panel.url}/api/connect/provider-b/webhook`);

  // Errors of the form and of the service are shown at their field.
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Enter the client id that the provider issued.").waitFor();
  await page.locator("input:focus").and(page.getByLabel("Client id")).waitFor();
  await page.getByLabel("Client id").fill(clientId);
  await page.getByRole("textbox", { name: "Client secret" }).fill("wrong-secret");
  await page.getByLabel("Authorization URL").fill(addresses.authorization);
  await page.getByLabel("Token URL").fill("http://provider.example/token");
  await page.getByLabel("Revocation URL").fill(addresses.revocation ?? "");
  await page.getByLabel("API base URL").fill(addresses.api);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("The address must be https.").waitFor();
  expect(await page.getByLabel("Token URL").getAttribute("aria-invalid")).toBe("true");
  // A URL of the provider that is not its token endpoint.
  await page.getByLabel("Token URL").fill(`${panel.simulator.providerUrls["provider-b"]}/nothing-here`);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await user.heading("Registration at PROVIDER_B");
  await page.getByText("Draft", { exact: true }).waitFor();

  // The sign-in is no longer recent enough.
  await panel.advance(6 * MINUTE);
  await page.getByRole("button", { name: "Publish" }).click();
  await user.confirmIdentity();
  await user.heading("Registration at PROVIDER_B");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("alert").getByText("The provider's addresses do not respond as they should.").waitFor();
  expect(await page.getByLabel("Token URL").getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Authorization URL").getAttribute("aria-invalid")).not.toBe("true");

  // Saves and publishes in one step; the secret is still wrong.
  await page.getByLabel("Token URL").fill(addresses.token);
  await page.getByRole("button", { name: "Save and publish" }).click();
  await page
    .getByText(/The client id or secret is rejected/)
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "Client secret" }).fill(clientSecret);
  await page.getByRole("button", { name: "Save and publish" }).click();
  await page.getByText("Published", { exact: true }).first().waitFor();
  await page.getByText("A published registration is read-only").waitFor();
  await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
  expect(await page.content()).not.toContain(clientSecret);

  await page.getByRole("button", { name: "Pause" }).click();
  await page
    .getByRole("dialog", { name: "Pause the registration at PROVIDER_B · TikTok Display API v2?" })
    .getByRole("button", { name: "Pause" })
    .click();
  await page.getByText("Paused", { exact: true }).waitFor();
  // The stored secret is never shown.
  expect(await page.getByRole("textbox", { name: "Client secret" }).inputValue()).toBe("");
  await page.reload();
  await page.getByRole("textbox", { name: "Client secret" }).waitFor();
  expect(await page.content()).not.toContain(clientSecret);
  await user.goTo("Overview");
  await page.getByRole("link", { name: "PROVIDER_B · TikTok Display API v2: the registration is paused" }).click();
  await user.heading("Registrations");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_B" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("A published registration is read-only").waitFor();

  await page.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog", { name: "Disable the registration at PROVIDER_B · TikTok Display API v2?" });
  await dialog.getByText("It has no connections.").waitFor();
  await dialog.getByLabel("Type PROVIDER_B to confirm").fill("provider_b");
  expect(await dialog.getByRole("button", { name: "Disable the registration" }).isDisabled()).toBe(true);
  await user.typeToConfirm("PROVIDER_B", "Disable the registration");
  await page.getByText("Disabled", { exact: true }).waitFor();
});

test("changes the quota of a published registration, resets it, and shows what each client used", async ({
  panel,
  admin: user,
  page,
}) => {
  const { prisma } = panel.service;
  const { clientId, clientSecret, addresses } = panel.registration("PROVIDER_A");
  const input = { clientId, clientSecret, addresses, capabilities: ["PROFILE"], clientIds: null } as const;
  const scopes = [{ capability: "PROFILE", scopes: ["profile"] }] as const;
  const { id } = await createRegistration(panel.service, SYSTEM, "PROVIDER_A", { ...input, scopes });
  await prisma.providerRegistration.update({ where: { id }, data: { status: "PUBLISHED" } });
  const client = await panel.client("quota-client");
  const now = await panel.service.clock.now();
  const window = { windowStart: now, windowEndsAt: new Date(now.getTime() + 60 * MINUTE) };
  const budget = { registrationId: id, budget: "client", ...window, used: 120 };
  await prisma.providerQuota.create({ data: { ...budget, uses: { create: { applicationId: client.id, used: 120 } } } });
  await user.open(`/registrations/${id}`);
  await page.getByText("10,000 a day (Pacific time)").waitFor();
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: client.slug }) });
  await row.getByText("120", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Change quota" }).click();
  await page.getByLabel("Calls", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Save quota" }).click();
  await page.getByText("Enter a whole number from 1 to 100,000,000.").waitFor();
  await page.getByLabel("Calls", { exact: true }).fill("500");
  await page.getByLabel("Reserve in percent").fill("10");
  // The sign-in is no longer recent enough: the form is open with its input afterwards.
  await panel.advance(6 * MINUTE);
  await page.getByRole("button", { name: "Save quota" }).click();
  await user.confirmIdentity();
  await page.getByText("Your input was restored.").waitFor();
  await page.getByRole("button", { name: "Save quota" }).click();
  await page.getByText("500 a day (Pacific time)").waitFor();
  const stored = () => prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
  expect((await stored()).quota).toEqual({ units: 500, reserve: 0.1 });

  await page.getByRole("button", { name: "Change quota" }).click();
  await page.getByRole("button", { name: "Use the defaults" }).click();
  await page.getByRole("button", { name: "Save quota" }).click();
  await page.getByText("The provider’s default", { exact: true }).waitFor();
  expect((await stored()).quota).toBeNull();
});

test("says before and after it is saved what a shorter list of clients affects", async ({
  panel,
  admin: user,
  page,
}) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const id = registrations.PROVIDER_C;
  await createApplication(service, "kept");
  await createConnection(service, await createApplication(service, "lost"), registrations, { provider: "PROVIDER_C" });
  await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED" } });
  await user.open(`/registrations/${id}`);
  const allowed = page.getByRole("region", { name: "Allowed clients" });
  await allowed.getByRole("radio", { name: "Only selected clients" }).check();
  await allowed.getByText("It affects 1 connection, no posts and 2 clients.").waitFor();
  await allowed.getByPlaceholder("Search for a client").fill("kept");
  await page.getByRole("option", { name: /kept/ }).click();
  await allowed.getByText("It affects 1 connection, no posts and 1 client.").waitFor();
  await expectAccessible(user, "what a shorter list of clients affects");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The registration was saved. It affected 1 connection, no posts and 1 client.").waitFor();
  await allowed.getByText("Clients that you take out").waitFor({ state: "detached" });
  await allowed.getByRole("radio", { name: "All clients" }).check();
  expect(await allowed.getByText("It affects").count()).toBe(0);
});
