/** @module-tag nightly */
import { overflowOf, type Page, sampled, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createAdminMember, createApiKey, createRegistrations } from "./testing/server.ts";

const DAY = 86_400_000;

test("on a phone no page is wider than the window, however long its values are", async ({ panel, admin, page }) => {
  const { prisma } = panel.service;
  const service = { ...panel.service, clock: testClock(new Date()) };
  const ids = await createRegistrations(service);
  const clientId = `${"9".repeat(80)}-${"k".repeat(120)}.apps.provider.example`;
  await prisma.providerRegistration.updateMany({ data: { clientId } });
  await prisma.providerRegistration.update({ where: { id: ids.PROVIDER_B }, data: { status: "PAUSED" } });
  const client = await panel.client("s".repeat(63));
  await prisma.application.update({ where: { id: client.id }, data: { displayName: "N".repeat(80) } });
  const key = await createApiKey(service, await createAdminMember(service), "WRITE");
  await prisma.adminApiKey.update({ where: { id: key.id }, data: { label: "L".repeat(80) } });
  await page.setViewportSize({ width: 390, height: 844 });
  const paths = [
    "",
    "/registrations",
    `/registrations/${ids.PROVIDER_A}`,
    `/registrations/${ids.PROVIDER_B}`,
    "/clients",
    `/clients/${client.id}`,
    `/clients/${client.id}/keys`,
    "/api-keys",
    `/api-keys/${key.id}`,
    "/audit",
  ];
  for (const path of paths) {
    await admin.open(path);
    await admin.heading(/./);
    await admin.loaded();
    expect([path, await overflowOf(page)]).toEqual([path, 0]);
  }
  await admin.open(`/registrations/${ids.PROVIDER_A}`);
  await page.getByText(clientId).first().waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await overflowOf(page)).toBe(0);
});

test.for(sampled([1440, 1280, 930, 768], 0, 2))(
  "in a window of %d pixels the tables of keys break no word",
  async (width, { panel, admin, page }) => {
    const { prisma } = panel.service;
    const service = { ...panel.service, clock: testClock(new Date()) };
    const member = await createAdminMember(service);
    const createdAt = service.clock.current;
    const at = (days: number) => new Date(createdAt.getTime() + days * DAY);
    const states = [
      { label: "Deployments", expiresAt: at(30), revokedAt: null, lastUsedAt: at(-1) },
      { label: "Monitoring", expiresAt: at(5), revokedAt: null, lastUsedAt: null },
      { label: "Terraform", expiresAt: at(30), revokedAt: at(0), lastUsedAt: at(-20) },
    ];
    for (const state of states) {
      const { id } = await createApiKey(service, member, "WRITE");
      const createdBy = "operations-on-call-of-the-platform@engineering.harbor-shop.example";
      await prisma.adminApiKey.update({ where: { id }, data: { ...state, createdBy } });
    }
    const { id: clientId } = await panel.client("long-words");
    for (const { label: _, ...state } of states) {
      const key = await panel.applicationKey(clientId);
      await prisma.applicationKey.update({ where: { id: key.split(".")[0] ?? "" }, data: state });
    }
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/api-keys", `/clients/${clientId}/keys`]) {
      await admin.open(path);
      await expect.poll(() => page.getByRole("rowheader").count()).toBe(3);
      expect([path, await brokenWords(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    // Control: the check finds the words of labels, which break if every column may become narrow.
    await admin.open("/api-keys");
    await expect.poll(() => page.getByRole("rowheader").count()).toBe(3);
    await page.evaluate(
      "document.querySelector('table').style.width = '420px'; for (const { style } of document.querySelectorAll('tbody th, td')) { style.minWidth = '0'; style.overflowWrap = 'anywhere'; }",
    );
    expect(await brokenWords(page)).toContain("Deployments");
  },
);

test.for([1440, 1024])(
  "in a window of %d pixels a row of the clients has at most two lines",
  async (width, { panel, admin, page }) => {
    const hosts = ["shop", "checkout", "accounts", "returns"].map((name) => `https://${name}.harbor-commerce.example`);
    const providers = [[], ["PROVIDER_A", "PROVIDER_C"], ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"]] as const;
    for (const [index, allowed] of providers.entries()) {
      const { id } = await panel.client(`harbor-commerce-staging-${index}`);
      const data = { displayName: "Harbor Commerce (staging)", webOrigins: hosts, providers: [...allowed] };
      await panel.service.prisma.application.update({ where: { id }, data });
    }
    await page.setViewportSize({ width, height: 900 });
    await admin.open("/clients");
    await expect.poll(() => page.getByRole("rowheader").count()).toBe(providers.length);
    await page.getByRole("cell", { name: "none", exact: true }).waitFor();
    await page.getByRole("cell", { name: "PROVIDER_A, PROVIDER_C", exact: true }).waitFor();
    await page.getByRole("cell", { name: "all", exact: true }).waitFor();
    const lines = await page.evaluate<number[]>(() =>
      [...document.querySelectorAll("tbody tr")].map((row) => {
        const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(row.querySelector("th") ?? row);
        const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd);
        // A link is larger than the text of its cell.
        const line = Math.max(Number.parseFloat(lineHeight), row.querySelector("a")?.getClientRects()[0]?.height ?? 0);
        return (row.getBoundingClientRect().height - padding) / line;
      }),
    );
    for (const count of lines) expect(count).toBeLessThan(2.5);
    expect(await overflowOf(page)).toBe(0);
  },
);

/** The words of tables that are laid out on more than one line, except in columns whose values can be long words. */
function brokenWords(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const broken: string[] = [];
    for (const cell of document.querySelectorAll("td:not([data-long]), th")) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });
}
