import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";

const OFFLINE = /^You are offline\. Your input stays here/;
const UNREACHABLE = /^The service cannot be reached\. Your input stays here/;

/** The line above the page. */
function banner(page: Page, text: RegExp) {
  return page.getByRole("status", { name: "Connection" }).filter({ hasText: text });
}

/** Marks the document, to detect a reload. */
async function markDocument(page: Page): Promise<void> {
  await page.evaluate("document.documentElement.dataset.marked = ''");
}

test("keeps typed text while offline, and sends it when the connection returns", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  const { id } = await panel.client("offline");
  await admin.open(`/clients/${id}/addresses`);
  const field = page.getByRole("textbox", { name: "New origin" });
  await field.fill("https://typed.example");
  await page.context().setOffline(true);
  await banner(page, OFFLINE).waitFor();
  await expectAccessible(admin, "offline");
  const add = page.getByRole("region", { name: "Origins" }).getByRole("button", { name: "Add" });
  await add.click();
  await page.getByText("You are offline. The change was not sent.").waitFor();
  expect(await field.inputValue()).toBe("https://typed.example");
  await page.context().setOffline(false);
  await banner(page, OFFLINE).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("https://typed.example");
  await add.click();
  await page.getByRole("listitem").filter({ hasText: "https://typed.example" }).waitFor();
  const { webOrigins } = await panel.service.prisma.application.findUniqueOrThrow({ where: { id } });
  expect(webOrigins).toContain("https://typed.example");
});

test("a page that is opened offline appears when the connection returns", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  await panel.client("later");
  await admin.open("");
  await admin.heading("Overview");
  await markDocument(page);
  await page.context().setOffline(true);
  await banner(page, OFFLINE).waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Admins" }).click();
  await admin.heading("Waiting for the connection");
  await expectAccessible(admin, "a page that is opened offline");
  expect(await page.getByText("failed").count()).toBe(0);
  await page.context().setOffline(false);
  await admin.heading("Admins");
  await page.getByRole("rowheader").filter({ hasText: "admin@example.test" }).waitFor();
  expect(await page.evaluate("'marked' in document.documentElement.dataset")).toBe(true);
});

test("a list that fails because the service stopped appears when it responds", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  await panel.client("stopped");
  await admin.open("/health");
  await admin.heading("Health");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Clients" }).hover();
  await page.waitForLoadState("networkidle");
  // A proxy responds instead of the service.
  const endpoints = /\/panel\/(?:graphql|session)$/;
  await page.route(endpoints, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
  await admin.goTo("Clients");
  await page.getByRole("alert").getByText("The service cannot be reached.").waitFor();
  await banner(page, UNREACHABLE).waitFor();
  await expectAccessible(admin, "service unreachable");
  await page.unroute(endpoints);
  await page.getByRole("link", { name: "The stopped app" }).waitFor();
  await banner(page, UNREACHABLE).waitFor({ state: "detached" });
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("an error of one request does not blame the connection", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  await panel.client("broken");
  await page.route("**/panel/graphql", (route) => route.abort());
  await admin.open("/clients");
  await page.getByRole("alert").getByText("The request got no response. Try again.").waitFor();
  expect(await page.getByRole("status", { name: "Connection" }).textContent()).toBe("");
  await page.unroute("**/panel/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "The broken app" }).waitFor();
});

test("part of a form that is opened offline appears later, with the rest of the input", async ({ admin, page }) => {
  admin.expectsErrors = true;
  await admin.open("/registrations/new?provider=PROVIDER_A");
  const id = page.getByRole("textbox", { name: "Client id" });
  await id.fill("typed-before");
  await markDocument(page);
  await page.context().setOffline(true);
  await banner(page, OFFLINE).waitFor();
  await page.getByRole("radio", { name: "Only selected clients" }).check();
  await page.getByRole("region", { name: "Allowed clients" }).getByText("Loading").waitFor();
  await page.context().setOffline(false);
  await page.getByPlaceholder("Search for a client").waitFor();
  expect(await id.inputValue()).toBe("typed-before");
  expect(await page.evaluate("'marked' in document.documentElement.dataset")).toBe(true);
});

test("continues automatically when the service did not respond at first", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  await panel.client("started");
  await page.route("**/panel/clients", async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), cookie: "" } });
    await route.fulfill({ response });
  });
  await page.route("**/panel/session", (route) => route.abort());
  await admin.open("/clients");
  await admin.heading("The service is unavailable");
  await expectAccessible(admin, "service unavailable at the start");
  await page.unroute("**/panel/session");
  await page.getByRole("link", { name: "The started app" }).waitFor();
});

test("a request to which the service never responds ends, and can be repeated", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  const { id } = await panel.client("hung");
  await admin.open(`/clients/${id}/addresses`);
  await page.getByRole("textbox", { name: "New origin" }).waitFor();
  // Half a minute takes half a second for requests without a response, and the usual time for others.
  await page.evaluate(
    "window.timeout = AbortSignal.timeout.bind(AbortSignal); void (AbortSignal.timeout = (ms) => timeout(ms === 30_000 ? 500 : ms))",
  );
  await page.route("**/panel/graphql", () => {});
  await admin.add("New origin", "https://hung.example", page.getByRole("region", { name: "Origins" }));
  await page.getByText("No response. The change may have been applied. Check before you retry.").waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Admins" }).click();
  await page.getByText("The request got no response. Try again.").waitFor();
  await page.unroute("**/panel/graphql");
  await page.evaluate("void (AbortSignal.timeout = timeout)");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByRole("rowheader").filter({ hasText: "admin@example.test" }).waitFor();
});
