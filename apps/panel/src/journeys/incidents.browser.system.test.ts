/** @module-tag nightly */
import { testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { createOutage, plant } from "./testing/plant.ts";
import { createApplication, createRegistrations, newId, type TestService } from "./testing/server.ts";

const MINUTE = 60_000;
/** The service finds incidents at most once in this time. */
const FRESH = 10_000;

test("an admin sees a provider's outage, follows it and sees it end", async ({ user, panel }) => {
  await user.signIn();
  const { page } = user;
  const attention = page.getByRole("region", { name: "Needs attention" });
  await page.getByText("Nothing needs your attention").waitFor();

  const { registrations } = await plant(panel);
  await panel.advance(FRESH);
  await createOutage(panel.service, 0, 5);
  await user.open("");
  await attention
    .getByRole("link", { name: /^PROVIDER_B · TikTok Display API v2: 40 % of calls fail since \d\d:\d\d UTC$/ })
    .waitFor();
  await attention.getByText(/^20 of 50 calls\. Last seen just now\./).waitFor();
  const registration = attention.getByRole("link", { name: /^Registration with client id \S+$/ });
  expect(await registration.getAttribute("href")).toContain(`/registrations/${registrations.PROVIDER_B}`);

  await panel.advance(5 * MINUTE);
  await createOutage(panel.service, 0, 5, 9);
  await user.open("");
  await attention.getByRole("link", { name: /^PROVIDER_B · TikTok Display API v2: 65 % of calls fail since/ }).click();
  await user.heading("Health");

  const charts = page.getByRole("region", { name: "Activity" });
  await charts.getByRole("img", { name: /^Chart: Calls to providers/ }).waitFor();
  await charts.getByText("35 % of 100 succeeded").waitFor();
  await charts.getByText("1 h", { exact: true }).click();
  await charts.getByText("Calls to providers: numbers").click();
  const table = charts.getByRole("table", { name: "Calls to providers by time" });
  await expect.poll(() => table.getByRole("row").count()).toBe(11);
  for (const width of [390, 1024, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await expectNoViolations(page, `an outage, ${width} px, ${colorScheme}`);
    }
  }

  await panel.advance(11 * MINUTE);
  await createOutage(panel.service, 0, 10, 0);
  await user.open("");
  await page.getByText("Nothing needs your attention").waitFor();
  const ended = page.getByRole("region", { name: "Ended incidents" });
  await ended
    .getByText(/^PROVIDER_B · TikTok Display API v2: 65 % of calls fail from \d\d:\d\d UTC until \d\d:\d\d UTC$/)
    .waitFor();
  // The Content Security Policy allows the charts.
  expect(user.browserErrors).toEqual([]);
});

test("of 2,000 connections of 40 clients, one click leads from an outage to those that it concerns", async ({
  user,
  panel,
}) => {
  const service = { ...panel.service, clock: testClock(new Date()) };
  const registrationId = await plantConnections(service, { clients: 40, perClient: 50 });
  await createOutage(panel.service, 0, 5, 10);
  await user.signIn();
  const { page } = user;
  await panel.advance(FRESH);
  await user.open("");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await attention.getByText("Users are told: “The platform is not responding right now.").waitFor();
  await attention.getByText(/^It ends with the first calls of this registration that are answered\./).waitFor();
  for (const width of [390, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await expectNoViolations(page, `an outage on the overview, ${width} px, ${colorScheme}`);
    }
  }
  await attention.getByRole("link", { name: "1,000 connections of 40 clients" }).click();
  await user.heading("Connections");
  const search = new URL(page.url()).searchParams;
  expect(Object.fromEntries(search)).toEqual({ registration: registrationId, cause: "PROVIDER_UNAVAILABLE" });
  const rows = page.getByRole("table").getByRole("row");
  await expect.poll(() => rows.filter({ hasText: "Provider does not respond" }).count()).toBeGreaterThan(5);
  expect(await rows.filter({ hasNotText: "Provider does not respond" }).count()).toBe(1);
});

test("an outage at two registrations of a provider is one line, which opens to each", async ({ user, panel }) => {
  const service = { ...panel.service, clock: testClock(new Date()) };
  const first = await plantConnections(service, { clients: 1, perClient: 4 });
  const second = (await createRegistrations(service)).PROVIDER_B;
  const some = await service.prisma.connection.findFirstOrThrow({ where: { cause: "PROVIDER_UNAVAILABLE" } });
  await service.prisma.connection.updateMany({ where: { id: some.id }, data: { registrationId: second } });
  await createOutage(panel.service, 0, 5);
  await user.signIn();
  const { page } = user;
  await panel.advance(FRESH);
  await user.open("");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await attention.getByText("2 connections of at most 2 clients", { exact: true }).waitFor();
  const outages = attention.getByRole("link", { name: /^PROVIDER_B · TikTok Display API v2: 40 % of calls fail/ });
  expect(await outages.count()).toBe(1);
  await attention.getByText(/^40 of 100 calls\. /).waitFor();
  await attention.getByText("2 registrations", { exact: true }).click();
  await expect.poll(() => outages.count()).toBe(3);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoViolations(page, `an outage at two registrations, ${width} px`);
  }
  const ofEach = attention.getByRole("link", { name: "1 connection of 1 client" });
  const addresses = await ofEach.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).search));
  const searches = [first, second].map((id) => `?registration=${id}&cause=PROVIDER_UNAVAILABLE`);
  expect(addresses.toSorted()).toEqual(searches.toSorted());
});

/** Connections of PROVIDER_B, every second of which waits because of an outage. */
async function plantConnections(
  service: TestService,
  { clients, perClient }: { readonly clients: number; readonly perClient: number },
): Promise<string> {
  const { PROVIDER_B: registrationId } = await createRegistrations(service);
  const now = service.clock.current;
  // Scans that wait for their next attempt have no code.
  const failed = { syncStatus: "FAILED", cause: "PROVIDER_UNAVAILABLE", causeSince: now } as const;
  for (let client = 0; client < clients; client += 1) {
    const application = await createApplication(service, `client-${client}`);
    const data = Array.from({ length: perClient }, (_, index) => {
      const id = newId();
      return {
        ...{ id, applicationId: application.id, ...application.scope, registrationId, provider: "PROVIDER_B" as const },
        ...{ providerAccountId: id, liveAccountId: id, capabilities: ["CONTENT_LIST" as const] },
        ...{ status: "CONNECTED" as const, createdAt: now, updatedAt: now },
        ...(index % 2 === 0 ? failed : ({ syncStatus: "READY" } as const)),
      };
    });
    await service.prisma.connection.createMany({ data });
  }
  return registrationId;
}
