import { expect } from "vitest";
import { expectAccessible, expectAccessibleInEveryAppearance, expectNoViolations } from "./testing/accessibility.ts";
import { APPEARANCES, type BrowserUser } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";

/** The label or text of the focused element. */
function focus({ page }: BrowserUser): Promise<string> {
  return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText");
}

async function press({ page }: BrowserUser, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test("supports keyboard navigation and never loses the focus", async ({ panel, admin: user, page }) => {
  const { id, displayName } = await panel.client("keyboard");
  await user.open("/clients");
  await user.heading("Clients");
  await press(user, "Tab");
  expect(await focus(user)).toBe("Skip to content");
  await press(user, "Enter", "Tab");
  expect(await focus(user)).toBe("Create a client");
  await page.getByRole("link", { name: displayName }).focus();
  await press(user, "Enter");
  await user.heading(displayName);
  await expect.poll(() => focus(user)).toBe(displayName);
  await page.getByRole("link", { name: "Addresses" }).focus();
  await press(user, "Enter");
  await expect.poll(() => focus(user)).toBe("Addresses");
  await page.getByRole("textbox", { name: "New origin" }).focus();
  await page.keyboard.type("https://app.keyboard.example");
  await press(user, "Enter");
  await page.getByRole("button", { name: "Remove https://app.keyboard.example" }).focus();
  // A dialog traps the focus and restores it when it closes.
  await press(user, "Enter");
  await expect.poll(() => focus(user)).toBe("Cancel");
  for (let round = 0; round < 5; round++) {
    await press(user, "Tab");
    expect(
      await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
    ).toBe(true);
  }
  await press(user, "Escape");
  await expect.poll(() => focus(user)).toBe("Remove https://app.keyboard.example");
  await press(user, "Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).focus();
  await press(user, "Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focus(user)).toBe("Origins");
  expect((await panel.service.prisma.application.findUnique({ where: { id } }))?.webOrigins).toEqual([
    "https://keyboard.example",
  ]);
  // The arrow keys move through a menu.
  await page.getByRole("button", { name: "Appearance" }).focus();
  await press(user, "Enter");
  await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
  await press(user, "ArrowDown");
  await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("menuitemradio");
  await press(user, "Escape");
  await expect.poll(() => focus(user)).toBe("Appearance");
});

test("stores the color scheme and applies it before the first paint", async ({ user, page }) => {
  user.expectsErrors = true;
  await user.signIn();
  const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await background();
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
  await expectAccessible(user, "the appearance menu");
  await press(user, "Escape");
  await page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await expectAccessible(user, "the account's menu");
  await press(user, "Escape");
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await background()).not.toBe(light);
  // Without the panel's code.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.reload();
  expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
});

test("on a phone a button opens the navigation", async ({ admin: user, page }) => {
  await page.setViewportSize(APPEARANCES[2].viewport);
  await user.open("");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect.poll(() => pages.isVisible()).toBe(false);
  const button = page.getByRole("button", { name: "Open the menu" });
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await button.click();
  await pages.waitFor();
  await expectAccessibleInEveryAppearance(user, "the open menu");
  await page.setViewportSize(APPEARANCES[2].viewport);
  await pages.getByRole("link", { name: "Clients" }).click();
  await user.heading("Clients");
  await expect.poll(() => pages.isVisible()).toBe(false);
});

test.for(["sandbox", "live"])("names the mode of a %s deployment on every page", async (mode, { admin, page }) => {
  await page.route(/\/panel\/(?:clients|health)$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('content="sandbox"', `content="${mode}"`) });
  });
  for (const path of ["/clients", "/health"]) {
    await admin.open(path);
    await admin.heading(/./);
    const shown = page.getByRole("banner").getByText(`${mode.toUpperCase()} mode`, { exact: true });
    await shown.waitFor();
    expect(await shown.isVisible()).toBe(true);
  }
  await expectAccessibleInEveryAppearance(admin, `a ${mode} deployment`);
});

test("tables are tables from a width of 768 pixels, and cards below", async ({ panel, admin: user, page }) => {
  const { displayName } = await panel.client("tablet");
  await user.open("/clients");
  const cell = page.getByRole("row").filter({ hasText: displayName }).getByText("https://tablet.example");
  const name = page.getByRole("link", { name: displayName });
  const isBelow = async () => ((await cell.boundingBox())?.y ?? 0) > ((await name.boundingBox())?.y ?? 0) + 20;
  await cell.waitFor();
  expect(await isBelow()).toBe(false);
  for (const [width, isCard] of [
    [768, false],
    [991, false],
    [992, false],
    [767, true],
  ] as const) {
    await page.setViewportSize({ width, height: 780 });
    await expect.poll(async () => [width, await isBelow()]).toEqual([width, isCard]);
    await expectNoViolations(page, `a list at ${width} pixels`);
  }
});

test("restores the page and its input after an expired session", async ({ panel, session, user, page }) => {
  const { id } = await panel.client("session");
  await user.signIn({ path: `/clients/${id}/addresses` });
  await page.getByRole("textbox", { name: "New origin" }).fill("https://typed.example");
  await panel.service.prisma.adminSession.deleteMany();
  await page.getByRole("region", { name: "Origins" }).getByRole("button", { name: "Add" }).click();
  // The user is still signed in at the issuer, so it does not prompt.
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByText("Your input was restored.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/panel/clients/${id}/addresses`);
  expect(await page.getByRole("textbox", { name: "New origin" }).inputValue()).toBe("https://typed.example");
  session.cookies = await user.page.context().cookies();
});

test("a confirmation in another tab does not end the session in this tab", async ({ panel, admin: user, page }) => {
  const { id, displayName } = await panel.client("tabs");
  await user.open(`/clients/${id}/tenants`);
  const other = await page.context().newPage();
  await other.goto(`${panel.url}/panel/confirm`);
  await other.locator('input[name="person"][value="admin"]').check();
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL((url) => url.href.startsWith(`${panel.url}/panel`));
  await other.getByRole("navigation", { name: "Pages" }).waitFor();
  await user.add("New tenant key", "after");
  await page.getByRole("listitem").filter({ hasText: "after" }).waitFor();
  await user.heading(displayName);
});

test("shows a failure with its correlation id and a retry button", async ({ admin: user, page }) => {
  user.expectsErrors = true;
  await user.open("");
  const correlationId = "7c1a1c5e-5c7e-4d0a-9f1e-0a5f1c2d3e4f";
  const extensions = { code: "UPSTREAM_UNAVAILABLE", correlationId };
  await page.route("**/panel/graphql", (route) =>
    route.fulfill({ json: { data: null, errors: [{ message: "internal", extensions }] } }),
  );
  await user.goTo("Clients");
  await page.getByText(correlationId).waitFor();
  await page.getByText("Try again later").waitFor();
  await expectAccessibleInEveryAppearance(user, "a list that failed");
  await page.unroute("**/panel/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(/in total|No clients yet/).waitFor();
  await page.route("**/panel/graphql", (route) => route.abort());
  await page.getByRole("searchbox").fill("anything");
  await page.getByText("The request got no response. Try again.").waitFor();
});

test("shows that the service is unavailable, and continues when it responds", async ({ user, page }) => {
  user.expectsErrors = true;
  await page.route("**/panel/session", (route) => route.fulfill({ status: 503, body: "" }));
  await user.open("");
  await user.heading("The service is unavailable");
  await expectAccessible(user, "service unavailable");
  await page.unroute("**/panel/session");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

test.for([
  ["/registrations/new?provider=NOPE", "New registration"],
  ["/clients?order=NOPE&descending=maybe", "Clients"],
  ["/clients/new?step=nope", "Create a client"],
  ["/audit?from=yesterday&other=1", "Audit log"],
  ["/api-keys/new?replaces=", "Mint a key"],
  ["/health?other=1", "Health"],
] as const)("removes a parameter that the page does not accept: %s", async ([path, title], { panel, admin, page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.postData() ?? ""));
  await admin.open(path);
  await admin.heading(title);
  await expect.poll(() => page.url()).toBe(`${panel.url}/panel${path.slice(0, path.indexOf("?"))}`);
  await admin.loaded();
  expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Clear filters" }).count()).toBe(0);
  expect(requests.filter((body) => /NOPE|maybe|yesterday/.test(body))).toEqual([]);
});

test("shows that a page or a client does not exist", async ({ admin: user, page }) => {
  await user.open("/nowhere");
  await user.heading("Page not found");
  await expectAccessible(user, "unknown page");
  await user.open("/clients/00000000-0000-4000-8000-000000000000");
  await page.getByText("The client does not exist.").waitFor();
  await expectAccessible(user, "unknown client");
});
