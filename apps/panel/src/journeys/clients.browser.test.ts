import type { Locator, Page } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { query } from "../../../server/src/http/testing/testServer.ts";
import { expectAccessible, expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import type { BrowserUser } from "./testing/browserUser.ts";
import { TestPanel } from "./testing/testPanel.ts";

const MINUTE_MS = 60_000;
let panel: TestPanel;
/** What the browser before this one knew of being signed in. */
let cookies: Awaited<ReturnType<BrowserUser["cookies"]>>;
let user: BrowserUser;
let page: Page;

beforeAll(async () => {
  panel = await TestPanel.start();
  const first = await panel.user();
  await first.signIn();
  cookies = await first.cookies();
  await first.leave();
});
afterAll(() => panel?.close());
beforeEach(async () => {
  await panel.clear();
  user = await panel.user();
  page = user.page;
  await user.take(cookies);
});
afterEach(async () => {
  cookies = await user.cookies();
  await user.leave();
  expect(user.complaints).toEqual([]);
});

test("an admin creates a client in six steps, each of which says what is missing", async () => {
  await user.open("");
  await user.goTo("Clients");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await user.heading("Create a client");
  await goOn();
  await page.getByText("Give it a name.").waitFor();
  expect(await focused()).toBe("displayName");
  await expectAccessible(user, "a step with a mistake");
  await field("Name").fill("Äcme Studio");
  expect(await field("Slug").inputValue()).toBe("acme-studio");
  await goOn();
  await field("Origins").fill("https://acme.example/page");
  await goOn();
  await page.getByText("did you mean https://acme.example?").waitFor();
  await field("Origins").fill("https://acme.example\nhttp://localhost:3000");
  await expectAccessible(user, "origins");
  await goOn();
  await field("Return URLs").fill("https://other.example/return");
  await goOn();
  await page.getByText("https://other.example is none of them").waitFor();
  await field("Return URLs").fill("https://acme.example/return");
  await goOn();
  await page.getByText("Appearance at the code of these routes, then tick this.").waitFor();
  await expectAccessible(user, "return URLs");
  await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  await goOn();
  await field("Tenant keys").fill("main");
  await expectAccessible(user, "tenants");
  await goOn();
  await page.getByRole("checkbox", { name: "Provider C" }).uncheck();
  await expectAccessible(user, "providers");
  await goOn();
  await page.getByText("Provider A, Provider B", { exact: true }).waitFor();
  await expectAccessibleInEveryAppearance(user, "review");
  // Back shows a step as it was left.
  await page.goBack();
  expect(await page.getByRole("checkbox", { name: "Provider C" }).isChecked()).toBe(false);
  await goOn();
  await page.getByRole("button", { name: "Create the client" }).click();
  await user.heading("Äcme Studio");
  await page.getByRole("heading", { name: "What comes next" }).waitFor();
  const stored = await panel.service.prisma.application.findUnique({ where: { slug: "acme-studio" } });
  expect(stored).toMatchObject({
    displayName: "Äcme Studio",
    webOrigins: ["https://acme.example", "http://localhost:3000"],
    returnUrls: ["https://acme.example/return"],
    tenantKeys: ["main"],
    providers: ["PROVIDER_A", "PROVIDER_B"],
    enabled: true,
  });
  // What was sent is no draft any more.
  await user.open("/clients/new");
  await user.heading("Create a client");
  expect(await field("Name").inputValue()).toBe("");
});

test("what the service alone can know lands at its field, too", async () => {
  await panel.client("taken");
  await user.open("/clients/new");
  await field("Name").fill("Another one");
  await field("Slug").fill("taken");
  await goOn();
  await field("Origins").fill("https://another.example");
  await goOn();
  await field("Return URLs").fill("https://another.example/return");
  await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  await goOn();
  await field("Tenant keys").waitFor();
  await goOn();
  await page.getByRole("checkbox", { name: "Provider C" }).waitFor();
  await goOn();
  await page.getByRole("button", { name: "Create the client" }).click();
  await page.getByText("Another client has this slug.").waitFor();
  expect(await focused()).toBe("slug");
  expect(await field("Slug").getAttribute("aria-invalid")).toBe("true");
});

test("a half-written client is still there after a reload and after a look elsewhere, and gone once it is given up", async () => {
  await user.open("/clients/new");
  await field("Name").fill("Half written");
  await goOn();
  await field("Origins").fill("https://half.example");
  await page.reload();
  await page.getByText("Your entries are still here.").waitFor();
  expect(await field("Origins").inputValue()).toBe("https://half.example");
  await user.goTo("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await page.getByText("Your entries are still here.").waitFor();
  expect(await field("Name").inputValue()).toBe("Half written");
  await page.getByRole("link", { name: "Cancel" }).click();
  await user.heading("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await user.heading("Create a client");
  expect(await field("Name").inputValue()).toBe("");
});

test("what stands in a name is shown as it was written, and does nothing", async () => {
  const { id } = await panel.client("markup");
  const displayName = '</title><img src=x onerror="document.title=1"><script>alert(1)</script>';
  await panel.service.prisma.application.update({ where: { id }, data: { displayName } });
  await user.open(`/clients/${id}`);
  await user.heading(displayName);
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByRole("dialog", { name: `Disable ${displayName}?` }).waitFor();
  expect(await page.locator("img[src=x], main script").count()).toBe(0);
  expect(await page.title()).toContain(displayName);
});

test("an admin registers an origin, and a return URL on it", async () => {
  const { slug } = await openClient("origins", "Addresses");
  const origins = page.getByRole("region", { name: "Origins" });
  await origins.getByLabel("Another origin").fill("https://app.origins.example/");
  await origins.getByRole("button", { name: "Add" }).click();
  await origins.getByText("did you mean https://app.origins.example?").waitFor();
  await origins.getByLabel("Another origin").fill("https://app.origins.example");
  await origins.getByRole("button", { name: "Add" }).click();
  await origins.getByRole("listitem").filter({ hasText: "https://app.origins.example" }).waitFor();
  const urls = page.getByRole("region", { name: "Return URLs" });
  await urls.getByLabel("Another return URL").fill("https://app.origins.example/return");
  await urls.getByRole("checkbox").check();
  await urls.getByRole("button", { name: "Add" }).click();
  await urls.getByRole("listitem").filter({ hasText: "https://app.origins.example/return" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "addresses");
  // A rule of the stored records is said where it was asked for.
  await origins.getByRole("button", { name: "Remove https://app.origins.example" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this origin?" });
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText("A return URL uses this origin").waitFor();
  await expectAccessible(user, "a removal that is refused");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await urls.getByRole("button", { name: "Remove https://app.origins.example/return" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("The return URL is removed.").waitFor();
  await expect
    .poll(() => page.getByRole("list", { name: "Return URLs" }).getByRole("listitem").allInnerTexts())
    .toEqual(["https://origins.example/return"]);
  expect(await panel.service.prisma.application.findUnique({ where: { slug } })).toMatchObject({
    webOrigins: ["https://origins.example", "https://app.origins.example"],
    returnUrls: ["https://origins.example/return"],
  });
});

test("an admin issues a key after a confirmation, finds the form as it was left, and the key works", async () => {
  await openClient("issuing", "Keys");
  await panel.advance(6 * MINUTE_MS);
  await page.getByText("No key yet").waitFor();
  await page.getByRole("link", { name: "Issue a key" }).click();
  await page.getByLabel("Good for").selectOption("Another number of days");
  await field("Days").fill("45");
  await page.getByRole("button", { name: "Issue the key" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expectAccessible(user, "asked to confirm");
  await dialog.getByRole("button", { name: "Sign in again" }).click();
  await user.passIssuer();
  await page.getByText("Your entries are still here.").waitFor();
  expect(await field("Days").inputValue()).toBe("45");
  await expectAccessible(user, "a form that came back");
  await page.getByRole("button", { name: "Issue the key" }).click();
  await page.getByText("it is shown this once").waitFor();
  await expectAccessible(user, "a key, once");
  await page.getByRole("button", { name: "Copy Lines for an .env file" }).click();
  await page.getByRole("button", { name: "Copied Lines for an .env file" }).waitFor();
  const [line = "", address = ""] = (await user.clipboard()).split("\n");
  expect(line).toMatch(/^SOCIAL_CONNECT_KEY=[0-9a-f-]{36}\.[0-9a-f]{64}$/);
  expect(address).toBe(`SOCIAL_CONNECT_URL=${panel.url}`);
  const key = line.slice("SOCIAL_CONNECT_KEY=".length);
  expect((await readiness(key)).data).not.toBeNull();

  await page.getByRole("button", { name: "I have kept it" }).click();
  await page
    .getByRole("row")
    .filter({ hasText: key.slice(0, 8) })
    .getByText("in 45 days")
    .waitFor();
  expect(await page.content()).not.toContain(key);
  expect(await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")).not.toContain(
    key.slice(37),
  );
  await expectAccessibleInEveryAppearance(user, "keys");
});

test("a key that is shown is gone on reload, and after Back; two are the most", async () => {
  const { id } = await openClient("leaving", "Keys");
  const path = `/clients/${id}/keys`;
  for (const leave of [() => page.goto("about:blank").then(() => page.goBack()), () => page.reload()]) {
    await user.open(`${path}/new`);
    const secret = page.getByText(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/);
    await user.confirmed(() => page.getByRole("button", { name: "Issue the key" }).click(), secret);
    const key = (await secret.textContent()) ?? "";
    expect(key).toMatch(/^[0-9a-f-]{36}\./);
    await leave();
    await page.getByRole("region", { name: "Keys", exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
  }
  await user.open(path);
  await page.getByText("Two keys are active, which is the most").waitFor();
  expect(await page.getByRole("link", { name: "Issue a key" }).count()).toBe(0);
});

test("a key is revoked by its name", async () => {
  const { id } = await openClient("revoking", "Overview");
  const key = await panel.applicationKey(id);
  expect((await readiness(key)).data).not.toBeNull();
  await user.open(`/clients/${id}/keys`);
  const name = key.slice(0, 8);
  await page.getByRole("button", { name: `Revoke the key ${name}` }).click();
  const dialog = page.getByRole("dialog");
  const revoke = dialog.getByRole("button", { name: "Revoke the key" });
  await dialog.getByLabel(`Type ${name} to go on`).fill("something else");
  expect(await revoke.isDisabled()).toBe(true);
  await expectAccessible(user, "asked for a name");
  await dialog.getByLabel(`Type ${name} to go on`).fill(name);
  await revoke.click();
  await page.getByRole("row").filter({ hasText: name }).getByText("Revoked", { exact: true }).waitFor();
  expect((await readiness(key)).code).toBe("UNAUTHENTICATED");
});

test("what an application may do is taken away by its name, and shown as it is then", async () => {
  const { slug, displayName } = await openClient("policy", "Providers");
  await expectAccessibleInEveryAppearance(user, "policy");
  await page.getByRole("checkbox", { name: "Provider B" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: `Take something away from ${displayName}?` });
  await dialog.getByText("accounts that are connected there cannot be read any more").waitFor();
  await dialog.getByLabel(`Type ${slug} to go on`).fill(slug);
  await dialog.getByRole("button", { name: "Take away and save" }).click();
  await page.getByText("The policy is saved.").waitFor();
  const stored = await panel.service.prisma.application.findUnique({ where: { slug } });
  expect(stored?.providers).toEqual(["PROVIDER_A", "PROVIDER_C"]);
});

test("tenants are added and taken away where they are shown", async () => {
  const { slug } = await openClient("tenants", "Tenants");
  await field("Another tenant key").fill("second");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "second" }).waitFor();
  await field("Another tenant key").fill("second");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("Already registered for this client.").waitFor();
  await expectAccessibleInEveryAppearance(user, "tenants of a client");
  await page.getByRole("button", { name: "Remove main" }).click();
  await page.getByLabel("Type main to go on").fill("main");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("The tenant key is removed.").waitFor();
  expect((await panel.service.prisma.application.findUnique({ where: { slug } }))?.tenantKeys).toEqual(["second"]);
});

test("testers are added at their provider", async () => {
  const { id } = await openClient("testers", "Testers");
  const provider = page.getByRole("region", { name: "Provider A" });
  await provider.getByLabel("Channel id").fill("UC0000000000000000000001");
  await provider.getByRole("button", { name: "Add" }).click();
  await provider.getByRole("listitem").filter({ hasText: "UC0000000000000000000001" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "testers");
  expect(await panel.service.prisma.tester.findMany({ where: { applicationId: id } })).toMatchObject([
    { provider: "PROVIDER_A", providerAccountId: "UC0000000000000000000001" },
  ]);
});

test("previews are switched on beside the template that says what they are", async () => {
  const { slug } = await openClient("previews", "Previews");
  await page.getByText("https://{label}.preview.example.app").waitFor();
  await field("Another path").fill("social/return");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("Write it from the first slash on").waitFor();
  await field("Another path").fill("/social/return");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "/social/return" }).waitFor();
  await page.getByRole("switch", { name: "Previews may connect accounts" }).click();
  await expectAccessibleInEveryAppearance(user, "previews");
  await expect
    .poll(() => panel.service.prisma.application.findUnique({ where: { slug } }))
    .toMatchObject({ previewOriginsEnabled: true, previewReturnPaths: ["/social/return"] });
});

test("the identity sign-in is switched on once it has somewhere to end", async () => {
  const { slug } = await openClient("identity", "Identity");
  const sign = page.getByRole("switch", { name: "The application may sign people in" });
  expect(await sign.isDisabled()).toBe(true);
  await field("Another identity return URL").fill("https://identity.example/signed-in");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "https://identity.example/signed-in" }).waitFor();
  await sign.click();
  await page.getByText("The identity sign-in is switched on.").waitFor();
  await expectAccessibleInEveryAppearance(user, "identity");
  expect(await panel.service.prisma.application.findUnique({ where: { slug } })).toMatchObject({
    idpIdentityEnabled: true,
    identityReturnUrls: ["https://identity.example/signed-in"],
  });
});

test("a client is disabled by its name, and enabled again", async () => {
  const { slug, displayName } = await openClient("switching", "Overview");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Disable ${displayName}?` });
  await dialog.getByLabel(`Type ${slug} to go on`).fill(slug);
  await dialog.getByRole("button", { name: "Disable the client" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  expect((await panel.service.prisma.application.findUnique({ where: { slug } }))?.enabled).toBe(false);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Enable the client" }).click();
  await page.getByText(`${displayName} is enabled.`).waitFor();
  await expectAccessibleInEveryAppearance(user, "overview of a client");
});

test("a client is found by a part of its name, and the address keeps what was looked for", async () => {
  const { displayName } = await panel.client("finding");
  await user.open("/clients");
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("Nothing has “nothing like it” in it").waitFor();
  await expectAccessible(user, "nothing found");
  await page.getByRole("searchbox").fill("finding");
  await page.getByRole("row").filter({ hasText: displayName }).waitFor();
  await page.waitForURL(/find=finding/);
  await page.reload();
  await page.getByRole("row").filter({ hasText: displayName }).waitFor();
  await expectAccessibleInEveryAppearance(user, "clients");
});

function field(name: string): Locator {
  return page.getByRole("textbox", { name });
}

async function goOn(): Promise<void> {
  await page.getByRole("button", { name: "Go on" }).click();
}

/** Name of the field that has the focus. */
async function focused(): Promise<unknown> {
  await page.waitForFunction("document.activeElement?.hasAttribute('data-path')");
  return page.evaluate("document.activeElement.getAttribute('data-path')");
}

/** A new client, with that part of its page open. */
async function openClient(slug: string, part: string) {
  const client = await panel.client(slug);
  await user.open(`/clients/${client.id}`);
  await user.heading(client.displayName);
  await page.getByRole("navigation", { name: "Parts of this client" }).getByRole("link", { name: part }).click();
  await page.getByRole("region", { name: part, exact: true }).waitFor();
  return client;
}

function readiness(key: string) {
  return query(panel, key, "{ integrationReadiness { idpIdentityAvailable } }");
}
