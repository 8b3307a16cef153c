import { type LaunchPage, launchPage, SocialConnect } from "@social-connect/sdk";
import { createCatalogue, type SimulatorRegistration } from "@social-connect/simulator";
import { serve } from "@social-connect/testkit";
import { expect, onTestFinished } from "vitest";
import type { BrowserUser } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";

const ACCOUNT = "harbor-workshop";
const SUBJECT = { tenantKey: "main", externalSubjectId: "user-1" };

/** A test application with a page that starts an attempt and a return page. */
async function startApplication() {
  const launch: { page?: LaunchPage } = {};
  const { url, close } = await serve((request, response) => {
    const { page } = launch;
    if (request.url === "/launch" && page) response.writeHead(200, page.headers).end(page.html);
    else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back at the shop</h1>");
  });
  onTestFinished(close);
  return { url, launch };
}

async function publishRegistration(admin: BrowserUser, registration: SimulatorRegistration): Promise<void> {
  const { page } = admin;
  const { clientId, clientSecret, addresses } = registration;
  await admin.open("/registrations/new?provider=PROVIDER_A");
  await page.getByLabel("Client id").fill(clientId);
  await page.getByRole("textbox", { name: "Client secret" }).fill(clientSecret);
  await page.getByLabel("Authorization URL").fill(addresses.authorization);
  await page.getByLabel("Token URL").fill(addresses.token);
  await page.getByLabel("Revocation URL").fill(addresses.revocation ?? "");
  await page.getByLabel("API base URL").fill(addresses.api);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await admin.heading("Registration at PROVIDER_A");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("A published registration is read-only").waitFor();
}

async function createClient(admin: BrowserUser, applicationUrl: string): Promise<void> {
  const { page } = admin;
  const nextStep = () => page.getByRole("button", { name: "Continue" }).click();
  await admin.open("/clients/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Shop");
  await nextStep();
  await page.getByRole("textbox", { name: "Origins" }).fill(applicationUrl);
  await nextStep();
  await page.getByRole("textbox", { name: "Return URLs" }).fill(`${applicationUrl}/return`);
  await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  await nextStep();
  await page.getByRole("textbox", { name: "Tenant keys" }).fill(SUBJECT.tenantKey);
  await nextStep();
  await page.getByRole("checkbox", { name: "PROVIDER_A" }).waitFor();
  await nextStep();
  await page.getByRole("button", { name: "Create client" }).click();
  await admin.heading("Shop");
}

/** In a sandbox only testers can connect. */
async function addTester({ page }: BrowserUser): Promise<void> {
  await page.getByRole("link", { name: "Testers", exact: true }).click();
  const provider = page.getByRole("region", { name: "PROVIDER_A" });
  const accountId = createCatalogue().byName("provider-a", ACCOUNT)?.accountId ?? "";
  await provider.getByLabel("Channel id").fill(accountId);
  await provider.getByRole("button", { name: "Add" }).click();
  await provider.getByRole("listitem").filter({ hasText: accountId }).waitFor();
}

async function issueKey({ page }: BrowserUser): Promise<string> {
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("link", { name: "Issue a key" }).click();
  await page.getByRole("button", { name: "Issue key" }).click();
  const key = (await page.getByText(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/).textContent()) ?? "";
  await page.getByRole("button", { name: "I have saved it" }).click();
  return key;
}

test("connects an account with a registration, a client and a key created in the panel", async ({ panel, admin }) => {
  const { url: applicationUrl, launch } = await startApplication();
  expect(await panel.service.prisma.providerRegistration.count()).toBe(0);
  await publishRegistration(admin, panel.registration("PROVIDER_A"));
  await createClient(admin, applicationUrl);
  await addTester(admin);
  const user = new SocialConnect({ baseUrl: panel.url, key: await issueKey(admin) }).forSubject(SUBJECT);

  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST"],
    returnUrl: `${applicationUrl}/return`,
  });
  launch.page = launchPage(session);
  const visitor = await panel.user();
  const { page } = visitor;
  await page.goto(`${applicationUrl}/launch`);
  await page.getByRole("heading", { name: "to read your account?" }).waitFor();
  await page.locator(`input[name="account"][value="${ACCOUNT}"]`).check();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByRole("heading", { name: "Back at the shop" }).waitFor();

  const result = await user.connectResult(session.id).wait();
  expect(result).toMatchObject({ status: "COMPLETED", resultCode: null });
  const connections = [];
  for await (const connection of user.connections()) connections.push(connection);
  expect(connections).toMatchObject([{ provider: "PROVIDER_A", status: "CONNECTED" }]);

  // The panel counts the connection without personal data.
  await admin.goTo("Health");
  const row = admin.page.getByRole("table", { name: "Connections by provider and status" }).getByRole("row").nth(1);
  await expect.poll(() => row.getByRole("cell").first().textContent()).toBe("1");
  const shown = await admin.page.content();
  for (const personal of [SUBJECT.externalSubjectId, "Harbor Workshop", connections[0]?.providerAccountId ?? ""]) {
    expect(shown).not.toContain(personal);
  }
  await visitor.close();
});
