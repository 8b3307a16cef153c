/** @module-tag nightly */
import { type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import {
  createAdminMember,
  createApplication,
  createConnection,
  createRegistrations,
  type TestService,
} from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

test("a click on a row opens its link, unless it selects text, is modified or belongs to a control", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id, displayName } = await panel.client("clicked");
  await user.open("/clients");
  const cell = rowOf(page, displayName).getByText("https://clicked.example");
  await cell.waitFor();
  const path = () => new URL(page.url()).pathname;
  // A double click selects the text of the cell; the click that ends it opens nothing.
  await page.evaluate(
    "getSelection().selectAllChildren([...document.querySelectorAll('td')].find((cell) => cell.textContent.includes('clicked.example')))",
  );
  await cell.dispatchEvent("click", { button: 0 });
  await page.evaluate("getSelection().removeAllRanges()");
  for (const modifier of ["Control", "Shift", "Alt", "Meta"] as const) await cell.click({ modifiers: [modifier] });
  await cell.click({ button: "middle" });
  await page.evaluate("getSelection().removeAllRanges()");
  expect(path()).toBe("/panel/clients");
  expect(page.context().pages()).toHaveLength(1);
  await cell.click();
  await user.heading(displayName);
  expect(path()).toBe(`/panel/clients/${id}`);

  // A button in a row has its own action.
  await createAdminMember({ ...panel.service, clock: testClock(new Date()) }, "second@example.test");
  await user.open("/admins");
  await page.getByRole("button", { name: "Remove admin second@example.test" }).click();
  await page.getByRole("dialog").waitFor();
  expect(path()).toBe("/panel/admins");
});

/** Creates more clients than a page of the list has; the first by name is the last by slug. */
async function createManyClients(panel: TestPanel): Promise<void> {
  const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1_000);
  await panel.service.prisma.application.createMany({
    data: Array.from({ length: 70 }, (_, index) => ({
      id: crypto.randomUUID(),
      slug: `client-${String(index).padStart(3, "0")}`,
      displayName: `Client ${String(70 - index).padStart(3, "0")}`,
      webOrigins: ["https://many.example"],
      returnUrls: [],
      tenantKeys: [],
      providers: [],
      capabilities: [],
      createdAt: at(index),
      // Equal times, so that the slug decides.
      updatedAt: at(Math.floor(index / 10)),
    })),
  });
}

test("sorts a paginated list at the service, over all pages and in the URL", async ({ panel, admin: user, page }) => {
  await createManyClients(panel);
  await user.open("/clients");
  const table = page.getByRole("table", { name: "Clients" });
  const names = () => table.getByRole("rowheader").allTextContents();
  const header = (name: string) => table.getByRole("columnheader", { name });
  await page.getByText("50 of 70 shown").waitFor();
  expect(await header("Slug").getAttribute("aria-sort")).toBe("ascending");
  expect((await names())[0]).toBe("Client 070");
  await table.getByRole("button", { name: "Client", exact: true }).click();
  // The first by name is on the second page of the list by slug.
  await expect.poll(async () => (await names())[0]).toBe("Client 001");
  expect(await header("Client").getAttribute("aria-sort")).toBe("ascending");
  expect(await header("Slug").getAttribute("aria-sort")).toBeNull();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("70 in total").waitFor();
  expect(await names()).toEqual((await names()).toSorted());
  await table.getByRole("button", { name: "Client", exact: true }).click();
  await expect.poll(async () => (await names())[0]).toBe("Client 070");
  expect(await header("Client").getAttribute("aria-sort")).toBe("descending");
  await expectAccessible(user, "a sorted list");

  await table.getByRole("button", { name: "Updated" }).click();
  await expect.poll(() => header("Updated").getAttribute("aria-sort")).toBe("ascending");
  await page.reload();
  await page.getByText("50 of 70 shown").waitFor();
  expect(await header("Updated").getAttribute("aria-sort")).toBe("ascending");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("70 in total").waitFor();
  expect(new Set(await names()).size).toBe(70);
  // The search keeps the order.
  await page.getByRole("searchbox").fill("client-06");
  await page.getByText("10 in total").waitFor();
  expect(await header("Updated").getAttribute("aria-sort")).toBe("ascending");
  expect(new URL(page.url()).searchParams.get("order")).toBe("UPDATED");
});

test("sorts complete lists in the page, and numbers by their value", async ({ panel, admin: user, page }) => {
  await createRegistrations({ ...panel.service, clock: testClock(new Date()) });
  await panel.service.prisma.providerRegistration.updateMany({
    where: { provider: "PROVIDER_B" },
    data: { status: "PAUSED" },
  });
  await user.open("/registrations");
  const table = page.getByRole("table", { name: "Registrations, by provider" });
  const names = async () => {
    const links = await table.getByRole("rowheader").getByRole("link").allTextContents();
    return links.map((name) => /^PROVIDER_[A-C]/.exec(name)?.[0]).join();
  };
  await expect.poll(names).toBe("PROVIDER_A,PROVIDER_B,PROVIDER_C");
  await page.getByRole("region", { name: "All registrations" }).getByText("3 in total").waitFor();
  await table.getByRole("button", { name: "Registration" }).click();
  await table.getByRole("button", { name: "Registration" }).click();
  await expect.poll(names).toBe("PROVIDER_C,PROVIDER_B,PROVIDER_A");
  await table.getByRole("button", { name: "State" }).click();
  await expect.poll(async () => (await names()).split(",")[0]).toBe("PROVIDER_B");

  // Back shows the list in the same order.
  await table.getByRole("button", { name: "Registration" }).click();
  await table.getByRole("button", { name: "Registration" }).click();
  await expect.poll(names).toBe("PROVIDER_C,PROVIDER_B,PROVIDER_A");
  await table.getByRole("link", { name: "PROVIDER_B" }).click();
  await user.heading(/^Registration at PROVIDER_B/);
  await page.goBack();
  await expect.poll(names).toBe("PROVIDER_C,PROVIDER_B,PROVIDER_A");
  expect(await page.getByRole("columnheader", { name: "Registration" }).getAttribute("aria-sort")).toBe("descending");
});

test("Back and a reload show the activity of the same range", async ({ admin: user, page }) => {
  await user.open("/health");
  const week = page.getByRole("radio", { name: "7 d" });
  await week.waitFor({ state: "attached" });
  await page.getByText("7 d", { exact: true }).click();
  await expect.poll(() => week.isChecked()).toBe(true);
  await user.goTo("Clients");
  await page.goBack();
  await user.heading("Health");
  await expect.poll(() => week.isChecked()).toBe(true);
  await page.reload();
  await week.waitFor({ state: "attached" });
  expect(await week.isChecked()).toBe(true);
});

test("shows the exact time on hover, on focus and to screen readers, and copies ids", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id, displayName } = await panel.client("timed");
  await panel.applicationKey(id);
  await user.open("/clients");
  const row = rowOf(page, displayName);
  const time = row.locator("time").last();
  await time.waitFor();
  const exact = (await time.getAttribute("title")) ?? "";
  expect(exact).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d UTC$/);
  expect(await row.getByRole("cell").last().textContent()).toContain(exact);
  const shown = () =>
    page.evaluate("getComputedStyle([...document.querySelectorAll('time')].at(-1), '::after').content");
  expect(await shown()).toBe("none");
  await page.getByRole("searchbox").focus();
  // Back from the row to the sort buttons, so that the browser shows the focus.
  await row.getByRole("link").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  expect(await shown()).toBe(JSON.stringify(exact));

  await user.open(`/clients/${id}`);
  await page.getByRole("button", { name: "Copy the id of the client" }).click();
  await page.getByRole("button", { name: "Copied the id of the client" }).waitFor();
  expect(await user.clipboard()).toBe(id);
  await user.open(`/clients/${id}/keys`);
  await page.getByRole("button", { name: /^Copy the id of the key/ }).click();
  const key = await panel.service.prisma.applicationKey.findFirstOrThrow();
  await expect.poll(() => user.clipboard()).toBe(key.id);
});

test("aligns numbers to the right, in digits of equal width", async ({ panel, admin: user, page }) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  await createConnection(service, await createApplication(service, "counted"), registrations);
  await user.open("/health");
  const styleOf = (caption: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('table[aria-label="${caption}"] td'))["${property}"]`);
  const connections = "Connections by provider and status";
  await page.getByRole("table", { name: connections }).waitFor();
  expect(await styleOf(connections, "textAlign")).toBe("end");
  expect(await styleOf(connections, "fontVariantNumeric")).toBe("tabular-nums");
  // Control: other cells.
  await user.open("/admins");
  await page.getByRole("cell").first().waitFor();
  expect(await styleOf("Admins, oldest first", "textAlign")).toBe("start");
});
