/** @module-tag nightly */
import type { Locator, Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { plant, plantEvents } from "./testing/plant.ts";
import { createApiKey } from "./testing/server.ts";

const focused = (page: Page, element: Locator) => element.and(page.locator(":focus"));

test("the focus returns to the button of a dialog that is closed", async ({ panel, admin: user, page }) => {
  const planted = await plant(panel);
  const { service, application, registrations, connection } = planted;
  await plantEvents(planted);
  const member = await service.prisma.adminMember.findFirstOrThrow();
  const { id: keyId } = await createApiKey(service, member, "WRITE");
  await service.prisma.adminMember.create({
    data: { id: application.id, email: "other@example.test", addedAt: new Date(), addedBy: "System" },
  });
  const client = `/clients/${application.id}`;
  const openers: readonly (readonly [path: string, ...buttons: RegExp[]])[] = [
    [client, /^Disable$/],
    [`${client}/keys`, /^Revoke key/],
    [`${client}/addresses`, /^Remove https:\/\/shop\.example$/, /^Remove https:\/\/shop\.example\/connected/],
    [`${client}/tenants`, /^Remove tenant-1$/],
    [`${client}/testers`, /^Change the note of provider_a-account-1$/, /^Remove provider_b-account-2$/],
    [`${client}/events`, /^Remove receiver\.example$/, /^Resend events$/],
    [`/registrations/${registrations.PROVIDER_A}`, /^Pause$/, /^Disable$/],
    ["/api-keys", /^Revoke key WRITE$/],
    [`/api-keys/${keyId}`, /^Revoke$/],
    ["/admins", /^Remove admin other@example\.test$/],
    [`/support/connections/${connection.id}`, /^Start a scan$/, /^Disconnect for the user$/],
  ];
  for (const [path, ...buttons] of openers) {
    await user.open(path);
    if (path.startsWith("/support/connections")) {
      await page.getByLabel("Reason").fill("ticket 42");
      await page.keyboard.press("Enter");
    }
    for (const name of buttons) {
      const button = page.getByRole("button", { name }).first();
      await button.press("Enter");
      await page.locator("dialog[open]").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "hidden" });
      expect([path, name, await focused(page, button).count()]).toEqual([path, name, 1]);
    }
  }
});

test("where its button is gone, the heading of the list or of the page has the focus", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application } = await plant(panel);
  const member = await service.prisma.adminMember.findFirstOrThrow();
  const { id: keyId } = await createApiKey(service, member, "WRITE");
  const confirm = async (button: RegExp, toType: string, name: string) => {
    await page.getByRole("button", { name: button }).first().press("Enter");
    await user.typeToConfirm(toType, name);
    await page.locator("dialog[open]").waitFor({ state: "hidden" });
  };
  await user.open(`/clients/${application.id}/keys`);
  await confirm(/^Revoke key/, application.key.slice(0, 8), "Revoke key");
  await focused(page, page.getByRole("heading", { level: 2, name: "Application keys" })).waitFor();
  await user.open("/api-keys");
  await confirm(/^Revoke key WRITE$/, "WRITE", "Revoke key");
  await focused(page, page.getByRole("heading", { level: 1, name: "API keys" })).waitFor();
  expect((await service.prisma.adminApiKey.findFirst({ where: { id: keyId } }))?.revokedAt).not.toBeNull();
});
