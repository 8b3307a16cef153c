/** @module-tag nightly */
import { type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { countClicks } from "./testing/clicks.ts";
import { test } from "./testing/journey.ts";
import { plant } from "./testing/plant.ts";
import {
  createAdminMember,
  createApiKey,
  createApplication,
  createConnectAttempt,
  createConnection,
  createJob,
  createRegistrations,
  newId,
  type TestService,
} from "./testing/server.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
const field = (page: Page) => palette(page).getByRole("combobox");

/** Opens the palette by its keys, types, and waits until this option is the active one. */
async function find(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.type(text);
  await palette(page).getByRole("option", { name: option, selected: true }).waitFor();
}

/** Holds the searches for clients until the returned function is called. */
async function holdSearch(page: Page): Promise<() => void> {
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route("**/panel/graphql", async (route) => {
    // The browser does not report the body of every request.
    if (route.request().postData()?.includes("PaletteClients") ?? true) await responded;
    await route.continue();
  });
  return respond;
}

test("opens every kind of record by keyboard, with the focus on the new page", async ({ panel, admin: user, page }) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const client = await panel.client("harbor");
  const key = await createApiKey(service, await createAdminMember(service), "READ");
  await user.open("");
  await user.heading("Overview");
  const opensPage = async (text: string, option: string | RegExp, path: string) => {
    await find(page, text, option);
    await page.keyboard.press("Enter");
    await palette(page).waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel${path}`);
    await page.locator("h1:focus").waitFor();
  };
  await opensPage("audit", /^Audit log/, "/audit");
  await opensPage("create a cl", /^Create a client/, "/clients/new");
  await opensPage("HARB", /^The harbor app/, `/clients/${client.id}`);
  await opensPage("registr", /^Registrations/, "/registrations");
  await opensPage("the harbor", /^The harbor app/, `/clients/${client.id}`);
  await opensPage("health", /^Health/, "/health");
  await opensPage(client.id, /^The harbor app/, `/clients/${client.id}`);
  await opensPage("registration provider_b", /^PROVIDER_B/, `/registrations/${registrations.PROVIDER_B}`);
  await opensPage(key.id, /^READ/, `/api-keys/${key.id}`);
  await opensPage("admin@example", /^admin@example\.test/, "/admins");
});

test("opens a connection, an attempt, and what a request created, by their ids", async ({
  panel,
  admin: user,
  page,
}) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(service);
  const application = await createApplication(service, "acme");
  const connection = await createConnection(service, application, registrations);
  const correlationId = "5b1c8b52-6f5b-4c61-8f0e-5a4f3d0c9b22";
  const job = await createJob(service, connection, { correlationId });
  const attempt = await createConnectAttempt(service, application, registrations, {
    status: "FAILED",
    resultCode: "NOT_A_TESTER",
  });
  await user.open("");
  await user.heading("Overview");
  for (const id of [connection.id, job.id, correlationId, job.id.slice(0, 8)]) {
    await find(page, id, /^Connection at PROVIDER_A/);
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel/support/connections/${connection.id}`);
    await user.goTo("Overview");
  }
  await find(page, attempt.id, /^Connect attempt at PROVIDER_A/);
  await page.keyboard.press("Enter");
  await page.getByText("NOT_A_TESTER").waitFor();
  // The id is not in the URL.
  expect(page.url()).toBe(`${panel.url}/panel/support`);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("5b1c8b52-0000-4c61-8f0e-5a4f3d0c9b22");
  await palette(page).getByText("No results").waitFor();
});

test("runs actions: issues a key for a client, changes the colors, signs out", async ({ panel, user, page }) => {
  const { id } = await panel.client("first");
  await panel.client("second");
  await user.signIn();
  await user.heading("Overview");
  await find(page, "dark", /^Use dark colors/);
  await page.keyboard.press("Enter");
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await find(page, "issue", /^Issue an application key/);
  await page.keyboard.press("Enter");
  // Only clients are listed now; Escape returns to everything, once more closes.
  await palette(page).getByRole("option", { name: "The second app" }).waitFor();
  expect(await palette(page).getByRole("option").count()).toBe(2);
  await page.keyboard.press("Escape");
  await palette(page).getByRole("option", { name: "Overview" }).waitFor();
  await page.keyboard.type("issue");
  await palette(page).getByRole("option", { name: "Issue an application key", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("fir");
  await palette(page)
    .getByRole("option", { name: /^The first app/, selected: true })
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Issue key" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/panel/clients/${id}/keys/new`);
  await find(page, "sign out", /^Sign out/);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

test("pauses a registration in two clicks, and opens its quota", async ({ panel, admin: user, page }) => {
  const service: TestService = { ...panel.service, clock: testClock(new Date()) };
  const { PROVIDER_B: id } = await createRegistrations(service);
  await user.open("");
  await user.heading("Overview");
  const clicks = await countClicks(page);
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.type("pause provider_b");
  await palette(page)
    .getByRole("option", { name: /^Pause PROVIDER_B/ })
    .click();
  const dialog = page.getByRole("dialog", { name: /^Pause the registration at PROVIDER_B/ });
  await dialog.waitFor();
  await expectAccessible(user, "the question before a pause");
  const paused = page.getByText(/^The registration at PROVIDER_B .* was paused\. It affected .* clients?\.$/);
  await user.confirmed(() => dialog.getByRole("button", { name: "Pause", exact: true }).click(), paused);
  expect(await clicks()).toBe(2);
  const { status } = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
  expect(status).toBe("PAUSED");
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await find(page, "quota provider_b", /^Change the quota of PROVIDER_B/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save quota" }).waitFor();
});

test("is a combobox whose arrow keys move through a list, and returns the focus", async ({ admin: user, page }) => {
  await user.open("/clients");
  await user.heading("Clients");
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("typed");
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  const activeId = () => field(page).getAttribute("aria-activedescendant");
  const selected = palette(page).getByRole("option", { selected: true });
  expect(await field(page).getAttribute("aria-expanded")).toBe("true");
  const listId = await field(page).getAttribute("aria-controls");
  expect(await palette(page).getByRole("listbox").getAttribute("id")).toBe(listId);
  const names: (string | null)[] = [];
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) {
    await page.keyboard.press(key);
    await expect.poll(() => selected.getAttribute("id")).toBe(await activeId());
    names.push(await selected.textContent());
  }
  expect(names).toEqual(["Clients", "Connections", "Clients"]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => selected.textContent()).toBe("Sign out");
  await palette(page)
    .getByRole("status")
    .getByText(/^\d+ results$/)
    .waitFor();
  await expectAccessible(user, "the command palette");
  await page.keyboard.type("no such thing anywhere");
  await palette(page).getByText("No results").waitFor();
  expect(await field(page).getAttribute("aria-expanded")).toBe("false");
  await expectAccessible(user, "the command palette without results");
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  await page.locator("input[type=search]:focus").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("typed");
});

test("opens what was typed, not what an earlier text found", async ({ panel, admin: user, page }) => {
  await panel.client("first");
  const { id } = await panel.client("second");
  await user.open("");
  await user.heading("Overview");
  await find(page, "the first", /^The first app/);
  // The text is replaced, as when it is pasted, and the search for it does not respond yet.
  const respond = await holdSearch(page);
  await field(page).fill("second");
  await page.keyboard.press("Enter");
  await palette(page).getByText("Searching…").waitFor();
  expect(await palette(page).getByRole("option", { name: "The first app" }).count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe("/panel");
  // Enter waits for what was typed.
  respond();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel/clients/${id}`);
});

test("opens what an Enter was pressed for, however early, and nothing once the text has changed", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id } = await panel.client("first");
  await panel.client("second");
  await user.open("");
  await user.heading("Overview");
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  // The words of a page need no search.
  await page.keyboard.type("reconnect\n");
  await user.heading("Connections");
  expect(new URL(page.url()).search).toBe("?status=RECONNECT_REQUIRED");
  const respond = await holdSearch(page);
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.type("first\n");
  await page.keyboard.type("x");
  respond();
  await palette(page).getByText("No results").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel/clients/${id}`);
});

test("finds the work on a user by its words, and records by parts of their ids", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application, registrations, connection } = await plant(panel);
  const attempt = await createConnectAttempt(service, application, registrations);
  const key = await createApiKey(service, await createAdminMember(service), "READ");
  await user.open("");
  await user.heading("Overview");
  await page.keyboard.press("Control+k");
  const first = palette(page).getByRole("option").first();
  for (const [text, name] of [
    ["erase", /^Erase a user’s data/],
    ["reconnect", /^Connections that need a reconnect/],
    [connection.id.slice(0, 23), /^Connection at PROVIDER_A/],
    [attempt.id.slice(0, 23), /^Connect attempt at PROVIDER_A/],
    [application.id.slice(0, 23), /^acme/],
    [registrations.PROVIDER_B.slice(-12), /^PROVIDER_B/],
    [key.id.slice(9, 18), /^READ/],
  ] as const) {
    await field(page).fill(text);
    await expect.poll(async () => [text, await first.textContent()]).toEqual([text, expect.stringMatching(name)]);
  }
  await field(page).fill("erase");
  await page.keyboard.press("Enter");
  await user.heading("Support");
});

test("finds any key of an admin or an application by its id, and lists it once", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, application } = await plant(panel);
  const { prisma, clock } = service;
  const { id: oldId } = await createApiKey(service, await createAdminMember(service), "READ");
  const old = await prisma.adminApiKey.findUniqueOrThrow({ where: { id: oldId } });
  const newer = Array.from({ length: 100 }, () => ({ ...old, id: newId(), createdAt: clock.fromNow(60_000) }));
  await prisma.adminApiKey.createMany({ data: newer });
  const key = await prisma.applicationKey.findFirstOrThrow({ where: { applicationId: application.id } });
  await user.open("");
  await user.heading("Overview");
  for (const [id, option, path] of [
    [oldId, /^READ/, `/api-keys/${oldId}`],
    [newer[0]?.id ?? "", /^READ/, `/api-keys/${newer[0]?.id}`],
    [key.id, /^Key of acme/, `/clients/${application.id}/keys`],
  ] as const) {
    for (const text of [id.slice(0, 23), id]) {
      await find(page, text, option);
      await palette(page).getByText("1 result", { exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel${path}`);
      await user.goTo("Overview");
    }
  }
});

test("lists no client for a new key that was found to be opened", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("issue");
  await user.open("");
  await user.heading("Overview");
  await find(page, "issue", /^Issue an application key/);
  await palette(page)
    .getByRole("option", { name: /^The issue app/ })
    .waitFor();
  const respond = await holdSearch(page);
  await page.keyboard.press("Enter");
  await palette(page).getByRole("combobox", { name: "Issue a key: choose a client" }).waitFor();
  expect(await palette(page).getByRole("option").count()).toBe(0);
  respond();
  await palette(page)
    .getByRole("option", { name: /^The issue app/, selected: true })
    .waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/panel/clients/${id}/keys/new`);
});

test("Back closes the palette with the page that it covers", async ({ admin: user, page }) => {
  await user.open("/clients");
  await user.goTo("Health");
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.goBack();
  await user.heading("Clients");
  await palette(page).waitFor({ state: "detached" });
});

test("searches for text with any characters, up to the longest that the service accepts", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id } = await panel.client("percent");
  const displayName = "100% “off” <b>_x_</b> \\";
  await panel.service.prisma.application.update({ where: { id }, data: { displayName } });
  await user.open("");
  await user.heading("Overview");
  await page.keyboard.press("Control+k");
  for (const text of ["100%", "“off”", "<b>", "_x_", "\\"]) {
    await field(page).fill(text);
    await palette(page).getByRole("option", { name: displayName, selected: true }).waitFor();
    await palette(page).getByText("1 result", { exact: true }).waitFor();
  }
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("x".repeat(1_000));
  await palette(page).getByText("No results", { exact: true }).waitFor();
});

test("loads its code only when it is about to be used, and opens by its button on a phone", async ({
  admin: user,
  page,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const isLoaded = () => requested.some((path) => /\/assets\/Palette-[\w-]+\.js$/.test(path));
  await page.setViewportSize({ width: 360, height: 780 });
  await user.open("/clients");
  await user.heading("Clients");
  await page.waitForLoadState("networkidle");
  expect(isLoaded()).toBe(false);
  await page.getByRole("button", { name: "Jump to", exact: true }).click();
  await field(page).waitFor();
  expect(isLoaded()).toBe(true);
  await page.keyboard.type("over");
  await palette(page).getByRole("option", { name: "Overview" }).click();
  await user.heading("Overview");
});

test("reports a failed search and keeps the results that need none", async ({ admin: user, page }) => {
  user.expectsErrors = true;
  await user.open("");
  await user.heading("Overview");
  await page.route("**/panel/graphql", (route) => route.abort());
  await find(page, "audit", /^Audit log/);
  await palette(page).getByText("A search failed: some results are missing.").waitFor();
});

test("finds a user of any client by how the id begins, and opens what is stored, in two clicks", async ({
  panel,
  admin: user,
  page,
}) => {
  const { service, registrations } = await plant(panel);
  const other = await createApplication(service, "atelier");
  for (const externalSubjectId of ["user-420", "user-42"])
    await createConnectAttempt(service, { ...other, scope: { ...other.scope, externalSubjectId } }, registrations);
  await user.open("");
  await user.heading("Overview");
  const clicks = await countClicks(page);
  await page.getByRole("button", { name: "Jump to" }).click();
  await field(page).waitFor();
  await page.keyboard.type("user-4", { delay: 20 });
  const users = palette(page).getByRole("group", { name: "Users" }).getByRole("option");
  await expect.poll(() => users.allTextContents()).toEqual(["user-42atelier · tenant-1", "user-420atelier · tenant-1"]);
  await expectAccessible(user, "the command palette with a user");
  await users.first().click();
  await page.getByText("user-42", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Stored records" }).waitFor();
  expect(await clicks()).toBe(2);
  // Neither the URL nor the browser's storage names the user.
  expect(page.url()).toBe(`${panel.url}/panel/support/person`);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain("user-42");
  const searches = await service.prisma.auditEntry.findMany({ where: { action: "Connections searched" } });
  expect(searches).toMatchObject([{ clientSlug: "atelier", summary: "Searched for a user in all clients." }]);
});

test("opens where the key of a client is rotated, by the client's name", async ({ panel, admin: user, page }) => {
  const { id } = await panel.client("harbor");
  await panel.client("other");
  await panel.applicationKey(id);
  await user.open("");
  await user.heading("Overview");
  for (const text of ["rotate harbor", "rotate the key of the HARB"]) {
    await find(page, text, /^Rotate the key of The harbor app/);
    expect(await palette(page).getByRole("option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Rotate the key" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/panel/clients/${id}/keys`);
    await user.goTo("Overview");
  }
  // The client itself is found again, not where its key is rotated.
  await find(page, "rotate harbor", /^Rotate the key of The harbor app/);
  await field(page).fill("harbor");
  await palette(page)
    .getByRole("option", { name: /^The harbor app/, selected: true })
    .waitFor();
});
