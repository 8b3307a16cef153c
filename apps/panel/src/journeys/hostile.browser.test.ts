import type { BrowserContext, Page } from "@social-connect/testkit";
import { TestClock } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createApplication, createRegistrations } from "../../../server/src/modules/testing/builders.ts";
import { PanelPlace } from "./testing/panelPlace.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

const SCRIPT = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>';
let place: PanelPlace;

beforeAll(async () => {
  place = await PanelPlace.start();
});
beforeEach(() => place.clear());
afterAll(() => place?.close());

test("a script in a name is text, on every page that shows it", async () => {
  const found = { ...place.service, clock: new TestClock(new Date()) };
  const { id } = await createApplication(found, "hostile");
  const { PROVIDER_A: registrationId } = await createRegistrations(found);
  const person = await place.person();
  const { page } = person;
  await person.signIn({ path: `/clients/${id}` });
  await page.getByRole("textbox", { name: "Name" }).fill(SCRIPT);
  await page.getByRole("button", { name: "Save" }).click();
  await person.heading(SCRIPT);
  await place.service.prisma.providerRegistration.update({
    where: { id: registrationId },
    data: { allApplications: false, applications: { create: { applicationId: id } } },
  });
  await person.open("/api-keys/new");
  await page.getByLabel("Label").fill(SCRIPT);
  await page.getByRole("button", { name: "Mint the key" }).click();
  await page.getByRole("heading", { name: SCRIPT }).waitFor();

  for (const path of ["/clients", `/registrations/${registrationId}`, "/api-keys", "/audit", ""]) {
    await person.open(path);
    // A list that has no room for a column keeps it in the page, unseen.
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
  }
  await person.open("/api-keys");
  await page.getByRole("button", { name: `Revoke the key ${SCRIPT}` }).click();
  await page.getByRole("dialog").getByText(SCRIPT).first().waitFor();
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
  expect(person.complaints).toEqual([]);
  await person.leave();
});

test("the content policy holds should one ever get into the page, by whichever door", async () => {
  const person = await place.person();
  const { page } = person;
  await person.signIn({ path: "/clients" });
  const attempts = [
    "const s = document.createElement('script'); s.textContent = 'window.wasRun = true'; document.body.append(s)",
    "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.wasRun = true\">')",
    "const s = document.createElement('script'); s.src = 'http://127.0.0.1:9/x.js'; document.body.append(s)",
    "eval('window.wasRun = true')",
    "const f = document.createElement('iframe'); f.src = 'http://127.0.0.1:9/'; document.body.append(f)",
    "const b = document.createElement('base'); b.href = 'http://127.0.0.1:9/'; document.head.append(b)",
  ];
  // Run by the page's own means: what the test evaluates is under no policy.
  await page.route("**/panel/assets/attempts.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: [...attempts.map((attempt) => `try { ${attempt} } catch {}`), "window.attempted = true"].join("\n"),
    }),
  );
  await page.route("**/panel/clients", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      "</body>",
      '<script type="module" src="/panel/assets/attempts.js"></script></body>',
    );
    await route.fulfill({ response: answer, body });
  });
  await page.reload();
  // The control: a script of the panel's own origin runs, and tries all of it.
  await page.waitForFunction("window.attempted === true");
  await person.heading("Clients");
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
  expect(await page.evaluate("document.baseURI")).toBe(`${place.url}/panel/clients`);
  expect(person.complaints.filter((text) => /Content Security Policy|Trusted/i.test(text)).length).toBeGreaterThan(3);
  await person.leave();
});

test("a page of another origin can neither read nor change anything with the admin's session", async () => {
  const person = await place.person();
  const { page } = person;
  await person.signIn({ path: "/admins" });
  const before = await place.service.prisma.adminMember.count();
  const mutation = 'mutation { addAdminMember(email: "thief@example.test") { __typename } }';
  // The same site at another port, where the cookie is sent along; and another site, where it is not.
  for (const origin of ["http://127.0.0.1:3998", "http://localhost:3998"]) {
    const foreign = await servePage(page.context(), `${origin}/page`, formPage(mutation));
    const read = await foreign.evaluate(
      `fetch("${place.url}/panel/session", { credentials: "include" }).then((a) => a.text(), () => "kept out")`,
    );
    expect([origin, read]).toEqual([origin, "kept out"]);
    await foreign.evaluate(
      `fetch("${place.url}/panel/graphql", { method: "POST", mode: "no-cors", credentials: "include", headers: { "content-type": "text/plain" }, body: ${JSON.stringify(JSON.stringify({ query: mutation }))} }).catch(() => 0)`,
    );
    await foreign.getByRole("button", { name: "Send" }).click();
    await foreign.waitForURL(`${place.url}/panel/graphql`);
    expect(await foreign.locator("body").textContent()).toMatch(/FORBIDDEN|UNAUTHENTICATED/);
    await foreign.evaluate(
      `fetch("${place.url}/panel/sign-out", { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => 0)`,
    );
    await foreign.close();
  }
  expect(await place.service.prisma.adminMember.count()).toBe(before);
  // The control: the session is as good as it was, and the panel's own page can do it.
  await page.getByLabel("E-mail address").fill("friend@example.test");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "friend@example.test" }).waitFor();
  expect(person.complaints).toEqual([]);
  await person.leave();
});

test("a cookie that somebody took opens nothing after its owner has signed out", async () => {
  const [person, thief] = [await place.person(), await place.person()];
  await person.signIn({ path: "/audit" });
  const cookies = await person.page.context().cookies(place.url);
  await thief.take(cookies);
  await thief.open("/audit");
  // The control: it is good as long as the session is.
  await thief.heading("Audit log");
  await person.page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await person.page.getByRole("menuitem", { name: "Sign out" }).click();
  await person.heading("Social Connect admin");
  await thief.page.reload();
  await thief.heading("Social Connect admin");
  expect(cookies.filter(({ name }) => name === "social-connect-panel")).toMatchObject([
    { httpOnly: true, sameSite: "Strict", domain: "127.0.0.1", path: "/" },
  ]);
  await Promise.all([person.leave(), thief.leave()]);
});

/** A form that any site could have. */
function formPage(mutation: string): string {
  const value = mutation.replaceAll('"', "&quot;");
  return `<form method="post" action="${place.url}/panel/graphql"><input type="hidden" name="query" value="${value}"><button>Send</button></form>`;
}

async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}
