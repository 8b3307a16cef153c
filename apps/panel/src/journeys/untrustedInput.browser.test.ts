import type { BrowserContext, Page } from "@social-connect/testkit";
import { TestClock } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createApplication, createRegistrations } from "../../../server/src/modules/testing/builders.ts";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

const SCRIPT = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>';
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
beforeEach(() => panel.clear());
afterAll(() => panel?.close());

test("a script in a name is text, on every page that shows it", async () => {
  const found = { ...panel.service, clock: new TestClock(new Date()) };
  const { id } = await createApplication(found, "hostile");
  const { PROVIDER_A: registrationId } = await createRegistrations(found);
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: `/clients/${id}` });
  await page.getByRole("textbox", { name: "Name" }).fill(SCRIPT);
  await page.getByRole("button", { name: "Save" }).click();
  await user.heading(SCRIPT);
  await panel.service.prisma.providerRegistration.update({
    where: { id: registrationId },
    data: { allApplications: false, applications: { create: { applicationId: id } } },
  });
  await user.open("/api-keys/new");
  await page.getByLabel("Label").fill(SCRIPT);
  await page.getByRole("button", { name: "Mint the key" }).click();
  await page.getByRole("heading", { name: SCRIPT }).waitFor();

  for (const path of ["/clients", `/registrations/${registrationId}`, "/api-keys", "/audit", ""]) {
    await user.open(path);
    // A list that has no room for a column keeps it in the page, unseen.
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
  }
  await user.open("/api-keys");
  await page.getByRole("button", { name: `Revoke the key ${SCRIPT}` }).click();
  await page.getByRole("dialog").getByText(SCRIPT).first().waitFor();
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
  expect(user.complaints).toEqual([]);
  await user.leave();
});

test("the content policy holds should one ever get into the page, by whichever door", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: "/clients" });
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
  await user.heading("Clients");
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
  expect(await page.evaluate("document.baseURI")).toBe(`${panel.url}/panel/clients`);
  expect(user.complaints.filter((text) => /Content Security Policy|Trusted/i.test(text)).length).toBeGreaterThan(3);
  await user.leave();
});

test("a page of another origin can neither read nor change anything with the admin's session", async () => {
  const user = await panel.user();
  const { page } = user;
  await user.signIn({ path: "/admins" });
  const before = await panel.service.prisma.adminMember.count();
  const mutation = 'mutation { addAdminMember(email: "thief@example.test") { __typename } }';
  // The same site at another port, where the cookie is sent along; and another site, where it is not.
  for (const origin of ["http://127.0.0.1:3998", "http://localhost:3998"]) {
    const foreign = await servePage(page.context(), `${origin}/page`, formPage(mutation));
    const read = await foreign.evaluate(
      `fetch("${panel.url}/panel/session", { credentials: "include" }).then((a) => a.text(), () => "kept out")`,
    );
    expect([origin, read]).toEqual([origin, "kept out"]);
    await foreign.evaluate(
      `fetch("${panel.url}/panel/graphql", { method: "POST", mode: "no-cors", credentials: "include", headers: { "content-type": "text/plain" }, body: ${JSON.stringify(JSON.stringify({ query: mutation }))} }).catch(() => 0)`,
    );
    await foreign.getByRole("button", { name: "Send" }).click();
    await foreign.waitForURL(`${panel.url}/panel/graphql`);
    expect(await foreign.locator("body").textContent()).toMatch(/FORBIDDEN|UNAUTHENTICATED/);
    await foreign.evaluate(
      `fetch("${panel.url}/panel/sign-out", { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => 0)`,
    );
    await foreign.close();
  }
  expect(await panel.service.prisma.adminMember.count()).toBe(before);
  // The control: the session is as good as it was, and the panel's own page can do it.
  await page.getByLabel("E-mail address").fill("friend@example.test");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("row").filter({ hasText: "friend@example.test" }).waitFor();
  expect(user.complaints).toEqual([]);
  await user.leave();
});

test("a cookie that somebody took opens nothing after its owner has signed out", async () => {
  const [user, thief] = [await panel.user(), await panel.user()];
  await user.signIn({ path: "/audit" });
  const cookies = await user.page.context().cookies(panel.url);
  await thief.take(cookies);
  await thief.open("/audit");
  // The control: it is good as long as the session is.
  await thief.heading("Audit log");
  await user.page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await user.page.getByRole("menuitem", { name: "Sign out" }).click();
  await user.heading("Social Connect admin");
  await thief.page.reload();
  await thief.heading("Social Connect admin");
  expect(cookies.filter(({ name }) => name === "social-connect-panel")).toMatchObject([
    { httpOnly: true, sameSite: "Strict", domain: "127.0.0.1", path: "/" },
  ]);
  await Promise.all([user.leave(), thief.leave()]);
});

/** A form that any site could have. */
function formPage(mutation: string): string {
  const value = mutation.replaceAll('"', "&quot;");
  return `<form method="post" action="${panel.url}/panel/graphql"><input type="hidden" name="query" value="${value}"><button>Send</button></form>`;
}

async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}
