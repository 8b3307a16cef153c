import { expect } from "vitest";
import { expectAccessible, expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { plant, plantEvents } from "./testing/plant.ts";

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

test("from a client's page to which event failed and why in two clicks, and resent in one more", async ({
  panel,
  admin: user,
  page,
}) => {
  const planted = await plant(panel);
  const { failing, good, failedEventId } = await plantEvents(planted);
  const { prisma } = panel.service;
  await user.open(`/clients/${planted.application.id}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const clicks = await countClicks(page);
  await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: "Events" }).click();
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel("Failed only").click();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await clicks()).toBe(2);
  await rows.getByText("job.failed").first().waitFor();
  await rows.getByText("The receiver answered with HTTP 500.").waitFor();
  await rows.getByText(/Next try in 2\d minutes/).waitFor();
  expect(new URL(page.url()).search).toBe("?failed=true");
  await expectAccessibleInEveryAppearance(user, "events of a client");

  await rows.getByRole("button", { name: /^Resend job\.failed/ }).click();
  await page.getByText("The event job.failed is sent again.").waitFor();
  expect(await clicks()).toBe(3);
  const now = await panel.service.clock.now();
  for (const { id: endpointId } of [failing, good]) {
    const { nextTryAt } = await prisma.eventDelivery.findFirstOrThrow({
      where: { eventId: failedEventId, endpointId },
    });
    expect([endpointId, nextTryAt !== null && nextTryAt <= now]).toEqual([endpointId, true]);
  }

  await page.getByLabel("Failed only").click();
  await page.getByLabel("User").fill("somebody else");
  await page.getByText("No matching events").waitFor();
  await page.getByLabel("User").fill("42");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "connect.completed" }).click();
  await expect.poll(() => rows.count()).toBe(1);
});

test("adds, changes, tests, rotates, turns off and on, and removes an endpoint", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id } = await panel.client("eventful");
  const { prisma } = panel.service;
  const endpoint = () => prisma.eventEndpoint.findFirstOrThrow({ where: { applicationId: id } });
  await user.open(`/clients/${id}/events`);
  await page.getByText("No endpoints yet").waitFor();
  await page.getByRole("link", { name: "Add an endpoint" }).click();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByText("Enter a URL.").waitFor();
  await page.getByLabel("URL").fill("http://app.example.com/events");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(1);
  await expectAccessible(user, "an endpoint with a mistake");
  await page.getByLabel("URL").fill("https://app.example.com/events");
  await page.getByRole("checkbox", { name: "job.failed" }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByText("It will not be shown again").waitFor();
  await page.getByText("https://app.example.com/events", { exact: true }).waitFor();
  const first = (await page.getByText(SECRET).textContent()) ?? "";
  await expectAccessibleInEveryAppearance(user, "the secret of an endpoint");
  await page.getByRole("link", { name: "Health" }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving the secret?" })
    .getByRole("button", { name: "Stay" })
    .click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  const card = page.getByRole("article", { name: "Endpoint https://app.example.com/events" });
  await card.getByText("On, not used yet").waitFor();
  await card.getByText("job.failed").waitFor();
  expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(first);
  expect(await endpoint()).toMatchObject({ types: ["job.failed"], enabled: true });

  await card.getByRole("button", { name: "Send a test event to app.example.com" }).click();
  await page.getByText(/^A test event is on its way/).waitFor();
  await page.getByRole("row").filter({ hasText: "test" }).getByText("Waiting").waitFor();

  await card.getByRole("link", { name: "Change the endpoint at app.example.com" }).click();
  await page.getByLabel("URL").fill("https://app.example.com/social/events");
  await page.getByRole("checkbox", { name: "job.failed" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  const changed = page.getByRole("article", { name: "Endpoint https://app.example.com/social/events" });
  await changed.getByText("All", { exact: true }).waitFor();

  await changed.getByRole("link", { name: "Rotate the secret of app.example.com" }).click();
  await page.getByText("both sign each event").waitFor();
  await expectAccessible(user, "rotating a secret");
  await page.getByRole("button", { name: "Rotate secret" }).click();
  expect(await page.getByText(SECRET).textContent()).not.toBe(first);
  await page.getByRole("button", { name: "Copy Signing secret" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await changed.getByText(/also signs/).waitFor();

  await changed.getByRole("button", { name: "Turn off app.example.com" }).click();
  await changed.getByText("An admin turned it off.").waitFor();
  await page.getByRole("row").filter({ hasText: "test" }).getByText("The endpoint was turned off").waitFor();
  await changed.getByRole("button", { name: "Turn on app.example.com" }).click();
  await changed.getByRole("button", { name: "Turn off app.example.com" }).waitFor();

  await page.getByRole("button", { name: "Resend events" }).click();
  const resending = page.getByRole("dialog");
  await resending.getByText("It affects 1 event and 1 delivery.").waitFor();
  await expectAccessible(user, "resending events");
  await resending.getByLabel("Only what was not delivered").uncheck();
  await resending.getByText("It affects 1 event and 1 delivery.").waitFor();
  await resending.getByRole("button", { name: "Resend" }).click();
  await page.getByText("Sent again: 1 event and 1 delivery.").waitFor();
  await page.getByRole("row").filter({ hasText: "test" }).getByText("Waiting").waitFor();

  await changed.getByRole("button", { name: "Remove app.example.com" }).click();
  await user.typeToConfirm("app.example.com", "Remove endpoint");
  await page.getByText("No endpoints yet").waitFor();
  expect(await prisma.eventEndpoint.count({ where: { applicationId: id } })).toBe(0);
});

test("an endpoint that fails is listed on the health page, and leads to the events that failed", async ({
  panel,
  admin: user,
  page,
}) => {
  const planted = await plant(panel);
  await plantEvents(planted);
  await user.open("/health");
  const table = page.getByRole("table", { name: "Event endpoints that fail, the longest failing first" });
  await table.getByText("receiver.example").waitFor();
  expect(await table.getByText("analytics.example").count()).toBe(0);
  await expectAccessibleInEveryAppearance(user, "health with a failing endpoint");
  await table.getByRole("link", { name: "acme" }).click();
  await page.getByText("The receiver answered with HTTP 500.").waitFor();
  expect(new URL(page.url()).search).toBe("?failed=true");
});

test("a change asks for a confirmation, and the form has the input afterwards", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id } = await panel.client("confirming");
  await panel.service.prisma.adminSession.updateMany({ data: { authenticatedAt: new Date(Date.now() - 600_000) } });
  await user.open(`/clients/${id}/events/new`);
  await page.getByLabel("URL").fill("https://app.example.com/events");
  await page.getByRole("checkbox", { name: "connect.completed" }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await user.confirmIdentity();
  await page.getByText("Your input was restored.").waitFor();
  expect(await page.getByRole("checkbox", { name: "connect.completed" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByText(SECRET).waitFor();
});
