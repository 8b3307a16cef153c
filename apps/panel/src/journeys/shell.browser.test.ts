import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FIRST_LOAD_LIMIT_BYTES } from "../build/firstLoad.ts";
import { expectAccessible, expectGood, expectGoodInEveryLook } from "./testing/accessibility.ts";
import { PanelPlace } from "./testing/panelPlace.ts";
import type { Person } from "./testing/person.ts";
import { LOOKS } from "./testing/person.ts";

let place: PanelPlace;
beforeAll(async () => {
  place = await PanelPlace.start();
});
beforeEach(() => place.clear());
afterAll(() => place?.close());

let cookies: Awaited<ReturnType<Person["cookies"]>> | undefined;
/** What a browser keeps of a sign-in; its files are another matter. */
async function signedIn(): ReturnType<Person["cookies"]> {
  if (cookies !== undefined) return cookies;
  const person = await place.person();
  await person.signIn();
  cookies = await person.cookies();
  await person.leave();
  return cookies;
}

/** Text of what has the focus, or its label. */
function focus({ page }: Person): Promise<string> {
  return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText");
}

async function press({ page }: Person, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test("everything can be reached and done by keyboard, and the focus is never lost", async () => {
  const person = await place.person();
  const { page } = person;
  const { id, displayName } = await place.client("keyboard");
  await person.signIn({ path: "/clients" });
  await person.heading("Clients");
  await press(person, "Tab");
  expect(await focus(person)).toBe("Skip to the page");
  await press(person, "Enter", "Tab");
  expect(await focus(person)).toBe("Create a client");
  await page.getByRole("link", { name: displayName }).focus();
  await press(person, "Enter");
  await person.heading(displayName);
  await expect.poll(() => focus(person)).toBe(displayName);
  await page.getByRole("link", { name: "Addresses" }).focus();
  await press(person, "Enter");
  await expect.poll(() => focus(person)).toBe("Addresses");
  await page.getByRole("textbox", { name: "Another origin" }).focus();
  await page.keyboard.type("https://app.keyboard.example");
  await press(person, "Enter");
  await page.getByRole("button", { name: "Remove https://app.keyboard.example" }).focus();
  // A dialog keeps the focus while it is open, and gives it back when it is not.
  await press(person, "Enter");
  await expect.poll(() => focus(person)).toBe("Cancel");
  for (let round = 0; round < 5; round++) {
    await press(person, "Tab");
    expect(
      await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
    ).toBe(true);
  }
  await press(person, "Escape");
  await expect.poll(() => focus(person)).toBe("Remove https://app.keyboard.example");
  await press(person, "Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).focus();
  await press(person, "Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focus(person)).toBe("Origins");
  expect((await place.service.prisma.application.findUnique({ where: { id } }))?.webOrigins).toEqual([
    "https://keyboard.example",
  ]);
  // A menu is moved through by arrows.
  await page.getByRole("button", { name: "Appearance" }).focus();
  await press(person, "Enter");
  await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
  await press(person, "ArrowDown");
  await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("menuitemradio");
  await press(person, "Escape");
  await expect.poll(() => focus(person)).toBe("Appearance");
  expect(person.complaints).toEqual([]);
  await person.leave();
});

test("light or dark is kept in the browser, and there from the first moment on", async () => {
  const person = await place.person();
  const { page } = person;
  await person.signIn();
  const look = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await look();
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).waitFor();
  await expectGood(person, "the menu of looks");
  await press(person, "Escape");
  await page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await expectGood(person, "the account's menu");
  await press(person, "Escape");
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await look()).not.toBe(light);
  // Before the panel's own code is there.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.reload();
  expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
  await person.leave();
});

test("on a phone the pages are behind a button that says whether they are open", async () => {
  const person = await place.person(LOOKS[2]);
  const { page } = person;
  await person.signIn();
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect.poll(() => pages.isVisible()).toBe(false);
  const button = page.getByRole("button", { name: "Open the menu" });
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await button.click();
  await pages.waitFor();
  await expectGoodInEveryLook(person, "the open menu");
  await page.setViewportSize(LOOKS[2].viewport);
  await pages.getByRole("link", { name: "Clients" }).click();
  await person.heading("Clients");
  await expect.poll(() => pages.isVisible()).toBe(false);
  await person.leave();
});

test("on a tablet, where the menu takes its part of the width, a table's rows become entries of a list", async () => {
  const person = await place.person();
  const { page } = person;
  const { displayName } = await place.client("tablet");
  await person.signIn({ path: "/clients" });
  const cell = page.getByRole("row").filter({ hasText: displayName }).getByText("https://tablet.example");
  const name = page.getByRole("link", { name: displayName });
  const isBelow = async () => ((await cell.boundingBox())?.y ?? 0) > ((await name.boundingBox())?.y ?? 0) + 20;
  await cell.waitFor();
  expect(await isBelow()).toBe(false);
  await page.setViewportSize({ width: 800, height: 780 });
  await expect.poll(isBelow).toBe(true);
  await expectAccessible(page, "a list on a tablet");
  await person.leave();
});

test("a session that ended asks to sign in again, and leads back to the page and to what was typed", async () => {
  const person = await place.person();
  const { page } = person;
  const { id } = await place.client("session");
  await person.signIn({ path: `/clients/${id}/addresses` });
  await page.getByRole("textbox", { name: "Another origin" }).fill("https://typed.example");
  await place.service.prisma.adminSession.deleteMany();
  cookies = undefined;
  await page.getByRole("region", { name: "Origins" }).getByRole("button", { name: "Add" }).click();
  // The issuer still knows the person and asks nothing.
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByText("Your entries are still here.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/panel/clients/${id}/addresses`);
  expect(await page.getByRole("textbox", { name: "Another origin" }).inputValue()).toBe("https://typed.example");
  await person.leave();
});

test("a confirmation in another tab does not end this one", async () => {
  const person = await place.person();
  const { page } = person;
  const { id, displayName } = await place.client("tabs");
  await person.signIn({ path: `/clients/${id}/tenants` });
  const other = await page.context().newPage();
  await other.goto(`${place.url}/panel/confirm`);
  await other.locator('input[name="person"][value="admin"]').check();
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL((url) => url.href.startsWith(`${place.url}/panel`));
  await other.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.getByRole("textbox", { name: "Another tenant key" }).fill("after");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "after" }).waitFor();
  await person.heading(displayName);
  await person.leave();
});

test("what the service could not do is said with an id to quote, and can be tried again", async () => {
  const person = await place.person();
  const { page } = person;
  await person.signIn();
  const correlationId = "7c1a1c5e-5c7e-4d0a-9f1e-0a5f1c2d3e4f";
  const extensions = { code: "UPSTREAM_UNAVAILABLE", correlationId };
  await page.route("**/panel/graphql", (route) =>
    route.fulfill({ json: { data: null, errors: [{ message: "internal", extensions }] } }),
  );
  await person.goTo("Clients");
  await page.getByText(correlationId).waitFor();
  await page.getByText("Try again in a moment").waitFor();
  await expectGoodInEveryLook(person, "a list that failed");
  await page.unroute("**/panel/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText(/shown, that is all|No client yet/).waitFor();
  await page.route("**/panel/graphql", (route) => route.abort());
  await page.getByRole("searchbox").fill("anything");
  await page.getByText("The service cannot be reached.").waitFor();
  await person.leave();
});

test("a service that does not say who is signed in is asked again", async () => {
  const person = await place.person();
  const { page } = person;
  await page.route("**/panel/session", (route) => route.fulfill({ status: 503, body: "" }));
  await person.open("");
  await person.heading("The service does not answer");
  await expectGood(person, "not reachable");
  await page.unroute("**/panel/session");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  await person.leave();
});

test("an address that leads nowhere says so", async () => {
  const person = await place.person();
  const { page } = person;
  await person.signIn({ path: "/nowhere" });
  await person.heading("There is no such page");
  await expectGood(person, "no such page");
  await person.open("/clients/00000000-0000-4000-8000-000000000000");
  await page.getByText("The client does not exist.").waitFor();
  await expectGood(person, "no such client");
  await person.leave();
});

test.each([
  "",
  "/clients",
  "/clients/new",
  "/registrations",
  "/registrations/new",
  "/api-keys/new",
  "/audit",
  "/health",
])("a first visit to /panel%s loads no more than it may", async (path) => {
  const visitor = await place.person();
  await visitor.take(await signedIn());
  const sizes: Promise<number>[] = [];
  visitor.page.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    const isFile = pathname.startsWith("/panel") && !/\/(?:session|graphql)$/.test(pathname);
    if (isFile) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await visitor.open(path);
  await visitor.heading(/./);
  await visitor.page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(FIRST_LOAD_LIMIT_BYTES);
  await visitor.leave();
});
