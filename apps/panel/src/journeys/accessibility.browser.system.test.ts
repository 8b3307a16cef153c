/** @module-tag nightly */
import { type Page, testClock } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import type { BrowserUser } from "./testing/browserUser.ts";
import { createOutage } from "./testing/plant.ts";
import {
  createAdminMember,
  createApiKey,
  createApplication,
  createConnectAttempt,
  createConnection,
  createRegistrations,
  newId,
  type TestService,
} from "./testing/server.ts";
import { startPanel, type TestPanel } from "./testing/testPanel.ts";

const DAY = 86_400_000;
let panel: TestPanel;
let user: BrowserUser;
let page: Page;
let expiringKeyId: string;

beforeAll(async () => {
  panel = await startPanel();
  user = await panel.user();
  page = user.page;
  await user.signIn();
  expiringKeyId = await createSampleData();
  // The service finds incidents at most once in ten seconds, and the first page has shown them.
  await panel.advance(10_000);
});
afterAll(() => panel?.close());

test("the overview, health and key pages have no accessibility violations", async () => {
  await user.open("");
  const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
  await expect
    .poll(() => attention.getByRole("link").allTextContents())
    .toEqual([
      expect.stringMatching(/^PROVIDER_B · TikTok Display API v2: 40 % of calls fail since /),
      expect.stringMatching(/^Registration with client id \S+$/),
      expect.stringMatching(/^Jobs wait for a worker since /),
      "PROVIDER_C · Instagram API with Instagram Login: the registration is paused",
      expect.stringMatching(/^The admin key “WRITE” expires in 2\d hours$/),
      "An application key of shop-with-rather-a-long-slug-for-a-phone expires in 3 days",
    ]);
  await expectAccessibleInEveryAppearance(user, "overview");
  await user.open("/health");
  await page.getByText("UPSTREAM_RATE_LIMITED").waitFor();
  await page.getByText("60 % of 100 succeeded").waitFor();
  await page.getByText("Calls to providers: numbers").click();
  await expectAccessibleInEveryAppearance(user, "health");
  await user.open(`/api-keys/${expiringKeyId}`);
  await page.getByText("Expires soon").waitFor();
  await expectAccessibleInEveryAppearance(user, "a key");
  expect(user.browserErrors).toEqual([]);
});

test("lists, filters and dialogs have no accessibility violations", async () => {
  await user.open("/api-keys");
  await page
    .getByRole("button", { name: /^Revoke key/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await expectAccessible(user, "revoke a key");
  await user.open("/api-keys");
  await page.getByRole("cell").first().waitFor();
  await expectAccessibleInEveryAppearance(user, "admin keys");
  await user.open("/admins");
  await page
    .getByRole("button", { name: /^Remove admin/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await expectAccessible(user, "remove an admin");
  await user.open("/admins");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Enter an email address.").waitFor();
  await expectAccessibleInEveryAppearance(user, "admins, with a mistake");
  await user.open("/audit");
  await page.getByRole("cell").first().waitFor();
  await expectAccessibleInEveryAppearance(user, "audit log");
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option").first().waitFor();
  await expectAccessible(user, "audit log, choosing an action");
  await page.keyboard.press("Escape");
  await page.getByRole("table").getByRole("row").nth(1).getByRole("link").last().click();
  await page.getByRole("button", { name: "Copy URL" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "audit entry");
  expect(user.browserErrors).toEqual([]);
});

test("the registration pages have no accessibility violations", async () => {
  await user.open("/registrations");
  await page.getByRole("cell").first().waitFor();
  await expectAccessibleInEveryAppearance(user, "registrations");
  await user.open("/registrations/new");
  await page.getByRole("radio").first().waitFor();
  await expectAccessible(user, "new registration, no provider yet");
  await page.getByRole("radio", { name: "PROVIDER_C" }).check();
  await page.getByRole("radio", { name: "Only selected clients" }).check();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByText("Choose at least one client.").waitFor();
  await expectAccessibleInEveryAppearance(user, "new registration, with mistakes");
  await user.open("/registrations");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).click();
  await page.getByText("A published registration is read-only").waitFor();
  await expectAccessibleInEveryAppearance(user, "published registration");
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByText("Its connection cannot be read").waitFor();
  await expectAccessible(user, "disable a registration");
  await user.open("/registrations");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_C" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("alert").getByText("do not respond as they should").waitFor();
  await expectAccessible(user, "publishing, with URLs that do not respond");
  expect(user.browserErrors).toEqual([]);
});

test("the pages for minting a key have no accessibility violations", async () => {
  await user.open("/api-keys/new");
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.getByText("Enter a label.").waitFor();
  await expectAccessibleInEveryAppearance(user, "mint, with a mistake");
  await page.getByLabel("Label").fill("accessibility");
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.getByText("It will not be shown again").waitFor();
  await expectAccessibleInEveryAppearance(user, "a key, once");
  expect(user.browserErrors).toEqual([]);
});

test("the support pages have no accessibility violations", async () => {
  await user.open("/support");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  await page.getByText("Enter a value.").first().waitFor();
  await expectAccessibleInEveryAppearance(user, "support, with mistakes");
  await page.getByRole("combobox", { name: "Client" }).fill("shop-with-rather-a-long-slug-for-a-phone");
  await page.getByRole("combobox", { name: "Tenant" }).fill("tenant-1");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("user-1");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  await page.getByText("USER_DENIED").waitFor();
  await expectAccessibleInEveryAppearance(user, "support, with results");
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).click();
  await page.getByLabel("Reason").fill("accessibility");
  await expectAccessibleInEveryAppearance(user, "a connection to open");
  await user.confirmed(
    async () => {
      await page.getByLabel("Reason").fill("accessibility");
      await page.getByRole("button", { name: "Open connection" }).click();
    },
    page.getByRole("heading", { name: "Timeline" }),
  );
  await expectAccessibleInEveryAppearance(user, "an opened connection");
  await page.getByRole("button", { name: "Disconnect for the user" }).click();
  await page.getByRole("dialog").waitFor();
  await expectAccessible(user, "disconnect for the user");
  expect(user.browserErrors).toEqual([]);
});

/** Creates data for each page and returns the id of an admin key that expires soon. */
async function createSampleData(): Promise<string> {
  const found: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(found);
  const application = await createApplication(found, "shop-with-rather-a-long-slug-for-a-phone");
  const { id: connectionId } = await createConnection(found, application, registrations);
  const { prisma } = found;
  const at = found.clock.current;
  const job = (data: { status: "QUEUED" | "FAILED" | "SUCCEEDED"; errorCode?: string; nextRetryAt?: Date }) => ({
    id: newId(),
    applicationId: application.id,
    connectionId,
    scopeHash: new Uint8Array(32),
    provider: "PROVIDER_A" as const,
    kind: "SCAN" as const,
    createdAt: new Date(at.getTime() - DAY / 2),
    ...data,
  });
  await prisma.job.createMany({
    data: [
      job({ status: "SUCCEEDED" }),
      job({ status: "QUEUED" }),
      job({ status: "QUEUED", nextRetryAt: new Date(at.getTime() + DAY) }),
      job({ status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED" }),
    ],
  });
  const denied = { status: "DENIED", resultCode: "USER_DENIED" } as const;
  await createConnectAttempt(found, application, registrations, denied);
  await createOutage(found, 0, 10);
  await prisma.providerRegistration.update({ where: { id: registrations.PROVIDER_C }, data: { status: "PAUSED" } });
  const ending = await createApiKey(found, await createAdminMember(found), "WRITE");
  await prisma.applicationKey.updateMany({
    where: { applicationId: application.id },
    data: { expiresAt: new Date(at.getTime() + 3 * DAY + DAY / 2) },
  });
  return ending.id;
}
