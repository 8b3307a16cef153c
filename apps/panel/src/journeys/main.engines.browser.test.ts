import { expect } from "vitest";
import { test } from "./testing/engineJourney.ts";
import { plant, plantEvents } from "./testing/plant.ts";
import { query } from "./testing/server.ts";

const KEY = /^[0-9a-f-]{36}\.[0-9a-f]{64}$/;

test("signs in for the first time, opens the requested page, and signs out", async ({ visitor }) => {
  const { page } = visitor;
  await visitor.open("/clients?find=acme");
  await visitor.heading("Social Connect admin");
  await page.getByRole("link", { name: "Sign in" }).click();
  await visitor.passIssuer("admin");
  await visitor.heading("Clients");
  await page.waitForURL(({ search }) => search === "?find=acme");
  await visitor.goTo("Clients");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Clients");
  await page.getByText("No clients yet").waitFor();
  await page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await visitor.heading("Social Connect admin");
  await page.goBack();
  await page.evaluate("history.forward()");
  await visitor.heading("Social Connect admin");
});

test("issues a key that works and is shown once", async ({ panel, visitor }) => {
  const { page } = visitor;
  const { displayName } = await panel.client("issuing");
  await visitor.signIn({ path: "/clients" });
  await page.getByRole("link", { name: displayName }).click();
  await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: "Keys" }).click();
  await page.getByRole("link", { name: "Issue a key" }).click();
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByText("It will not be shown again").waitFor();
  const key = (await page.getByText(KEY).textContent()) ?? "";
  const readiness = await query(panel, key, "{ integrationReadiness { idpIdentityAvailable } }");
  expect(readiness.data).not.toBeNull();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page
    .getByRole("row")
    .filter({ hasText: key.slice(0, 8) })
    .waitFor();
  expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(key);
});

test("shows which event failed and why, and sends it again", async ({ panel, visitor }) => {
  const { page } = visitor;
  const planted = await plant(panel);
  const { failing, failedEventId } = await plantEvents(planted);
  await visitor.signIn({ path: `/clients/${planted.application.id}` });
  await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: "Events" }).click();
  const row = page.getByRole("row").filter({ hasText: "job.failed" });
  await row.getByText("The receiver answered with HTTP 500.").waitFor();
  await row.getByRole("button", { name: /^Resend job\.failed/ }).click();
  await page.getByText("The event job.failed is sent again.").waitFor();
  const where = { eventId: failedEventId, endpointId: failing.id };
  const { nextTryAt } = await planted.service.prisma.eventDelivery.findFirstOrThrow({ where });
  expect(nextTryAt?.getTime()).toBeLessThanOrEqual((await panel.service.clock.now()).getTime());
});

test("support finds a user's connection and shows that it must be reconnected", async ({ panel, visitor }) => {
  const { page } = visitor;
  const { service, connection } = await plant(panel, { data: { status: "RECONNECT_REQUIRED" } });
  await service.prisma.grant.updateMany({ where: { connectionId: connection.id }, data: { status: "GONE" } });
  await visitor.signIn();
  await visitor.goTo("Support");
  await page.getByRole("combobox", { name: "Client" }).pressSequentially("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).pressSequentially("42");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_A" }).click();
  await page.getByLabel("Reason").pressSequentially("ticket 42");
  await page.getByRole("button", { name: "Open connection" }).click();
  await page.getByRole("region", { name: "Reconnect required" }).getByText("Connect your account again.").waitFor();
  const entries = await service.prisma.auditEntry.findMany({ where: { action: "Connection viewed" } });
  expect(entries).toMatchObject([{ targetId: connection.id, summary: expect.stringContaining("ticket 42") }]);
});
