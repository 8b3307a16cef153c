import { type BrowserContext, type Page, testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { test } from "./testing/journey.ts";
import { createApplication, createRegistrations } from "./testing/server.ts";

const SCRIPT = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>';

test("escapes a script in a name on every page that shows it", async ({ panel, user, page }) => {
  const found = { ...panel.service, clock: testClock(new Date()) };
  const { id } = await createApplication(found, "hostile");
  const { PROVIDER_A: registrationId } = await createRegistrations(found);
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
  await page.getByRole("button", { name: "Mint key" }).click();
  await page.getByRole("heading", { name: SCRIPT }).waitFor();

  for (const path of ["/clients", `/registrations/${registrationId}`, "/api-keys", "/audit", ""]) {
    await user.open(path);
    // Some columns are hidden on a narrow page.
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
  }
  await user.open("/api-keys");
  await page.getByRole("button", { name: `Revoke key ${SCRIPT}` }).click();
  await page.getByRole("dialog").getByText(SCRIPT).first().waitFor();
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
});

test("the Content Security Policy blocks injected scripts", async ({ panel, user, page }) => {
  user.expectsErrors = true;
  await user.signIn({ path: "/clients" });
  const attempts = [
    "const s = document.createElement('script'); s.textContent = 'window.wasRun = true'; document.body.append(s)",
    "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.wasRun = true\">')",
    "const s = document.createElement('script'); s.src = 'http://127.0.0.1:9/x.js'; document.body.append(s)",
    "eval('window.wasRun = true')",
    "const f = document.createElement('iframe'); f.src = 'http://127.0.0.1:9/'; document.body.append(f)",
    "const b = document.createElement('base'); b.href = 'http://127.0.0.1:9/'; document.head.append(b)",
  ];
  // In a script of the page, because code that the test evaluates is not subject to the policy.
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
  // Control: a script of the panel's origin runs and makes all attempts.
  await page.waitForFunction("window.attempted === true");
  await user.heading("Clients");
  expect(await page.evaluate("window.wasRun")).toBeUndefined();
  expect(await page.evaluate("document.baseURI")).toBe(`${panel.url}/panel/clients`);
  expect(user.browserErrors.filter((text) => /Content Security Policy|Trusted/i.test(text)).length).toBeGreaterThan(3);
});

test("another origin can neither read nor change data with the admin's session", async ({ panel, user, page }) => {
  await user.signIn({ path: "/admins" });
  const before = await panel.service.prisma.adminMember.count();
  const mutation = 'mutation { addAdminMember(email: "thief@example.test") { __typename } }';
  // The same site with another port, which receives the cookie, and a different site, which does not.
  for (const origin of ["http://127.0.0.1:3998", "http://localhost:3998"]) {
    const foreign = await servePage(page.context(), `${origin}/page`, formPage(panel.url, mutation));
    const read = await foreign.evaluate(
      `fetch("${panel.url}/panel/session", { credentials: "include" }).then((a) => a.text(), () => "blocked")`,
    );
    expect([origin, read]).toEqual([origin, "blocked"]);
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
  // Control: the panel's own page can make the change.
  await user.add("Email address", "friend@example.test");
  await page.getByRole("row").filter({ hasText: "friend@example.test" }).waitFor();
});

test("a stolen cookie is invalid after its owner has signed out", async ({ panel, user }) => {
  const thief = await panel.user();
  await user.signIn({ path: "/audit" });
  const cookies = await user.page.context().cookies(panel.url);
  await thief.page.context().addCookies(cookies);
  await thief.open("/audit");
  // Control: the cookie is valid during the session.
  await thief.heading("Audit log");
  await user.page.getByRole("button", { name: "Account of admin@example.test" }).click();
  await user.page.getByRole("menuitem", { name: "Sign out" }).click();
  await user.heading("Social Connect admin");
  await thief.page.reload();
  await thief.heading("Social Connect admin");
  expect(cookies.filter(({ name }) => name === "social-connect-panel")).toMatchObject([
    { httpOnly: true, sameSite: "Strict", domain: "127.0.0.1", path: "/" },
  ]);
  await thief.close();
});

/** A form as any site can contain it. */
function formPage(url: string, mutation: string): string {
  const value = mutation.replaceAll('"', "&quot;");
  return `<form method="post" action="${url}/panel/graphql"><input type="hidden" name="query" value="${value}"><button>Send</button></form>`;
}

async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}
