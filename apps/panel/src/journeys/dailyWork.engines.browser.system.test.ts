/** @module-tag nightly */
import type { EnginePage } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/engineJourney.ts";
import { finishErasure, plant, plantCalls } from "./testing/plant.ts";
import { createPost } from "./testing/server.ts";

async function openUser42(page: EnginePage): Promise<void> {
  await page.getByRole("combobox", { name: "Client" }).pressSequentially("acme");
  await page.getByRole("combobox", { name: "User", exact: true }).pressSequentially("42");
  await page.getByRole("region", { name: "By user" }).getByRole("button", { name: "Search" }).click();
  // A click could meet the page while it scrolls to the results.
  await page.getByRole("link", { name: "What is stored about this user" }).press("Enter");
  await page.getByRole("region", { name: "Stored records" }).waitFor();
}

test("lists the connections of a provider that need a reconnect", async ({ panel, visitor }) => {
  const { page } = visitor;
  await plant(panel, { provider: "PROVIDER_B", accountId: "account-0001", data: { status: "RECONNECT_REQUIRED" } });
  await visitor.signIn();
  await visitor.goTo("Health");
  const table = page.locator("table").filter({ hasText: "Reconnect required" });
  await table.getByRole("link", { name: "1" }).click();
  await visitor.heading("Connections");
  await page.getByText("…0001").waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);
});

test("lists the clients that call with an old version of the SDK", async ({ panel, visitor }) => {
  const { page } = visitor;
  const { service, application } = await plant(panel);
  await plantCalls(service, application.id, "0.9.0");
  await visitor.signIn();
  await visitor.goTo("SDK versions");
  await page.getByRole("row", { name: "SDK 0.9.0" }).getByRole("link", { name: "1" }).click();
  await visitor.heading("Clients: SDK 0.9.0");
  await page.getByRole("link", { name: "acme" }).waitFor();
});

test("exports user 42, then erases everything, with receipts", async ({ panel, visitor }) => {
  const { page } = visitor;
  const { service, connection } = await plant(panel);
  await createPost(service, connection, { title: "A dress" });
  await visitor.signIn();
  await visitor.goTo("Support");
  await openUser42(page);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").pressSequentially("ticket 42");
  await dialog.getByRole("button", { name: "Export" }).click();
  const exported = () => service.prisma.auditEntry.count({ where: { action: "Person exported" } });
  await expect.poll(exported).toBe(1);

  await page.getByRole("button", { name: "Erase everything" }).click();
  await dialog.getByLabel("Reason").pressSequentially("ticket 7");
  await dialog.getByRole("textbox", { name: /^Type/ }).pressSequentially("42");
  await dialog.getByRole("button", { name: "Erase everything" }).click();
  const receipts = page.getByRole("region", { name: "Receipts" });
  await receipts.getByText("Being erased").waitFor();
  await finishErasure(service, connection.id);
  await receipts.getByText(/^Erased until now: 1 account, 1 post, 1 consent/).waitFor();
  await page.getByText("Nothing is stored about this user now.").waitFor();
});

test("pauses a registration by the palette", async ({ panel, visitor }) => {
  const { page } = visitor;
  const { service, registrations } = await plant(panel);
  await visitor.signIn();
  await visitor.heading("Overview");
  await page.getByRole("button", { name: "Jump to" }).click();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").pressSequentially("pause provider_b");
  await palette.getByText(/^Pause PROVIDER_B/).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByText(/^The registration at PROVIDER_B .* was paused\. It affected .* clients?\.$/).waitFor();
  const where = { id: registrations.PROVIDER_B };
  expect((await service.prisma.providerRegistration.findUniqueOrThrow({ where })).status).toBe("PAUSED");
});
