import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import type { Locator, Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { PROVIDER_NAMES } from "../ui/labels.ts";
import { expectAccessible, expectAccessibleInEveryAppearance } from "./testing/accessibility.ts";
import type { BrowserUser } from "./testing/browserUser.ts";
import { test } from "./testing/journey.ts";
import { query } from "./testing/server.ts";
import type { TestPanel } from "./testing/testPanel.ts";

const providersWithout = (removed: SocialProvider) => SOCIAL_PROVIDERS.filter((provider) => provider !== removed);

const MINUTE_MS = 60_000;
/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgijEDAAEQAJ3bTiK4AAAAAElFTkSuQmCC";
let panel: TestPanel;
let user: BrowserUser;
let page: Page;

test.beforeEach(({ panel: shared, admin }) => {
  panel = shared;
  user = admin;
  page = admin.page;
});

test("creates a client in six steps, each of which validates its fields", async () => {
  await user.open("");
  await user.goTo("Clients");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await user.heading("Create a client");
  await nextStep();
  await page.getByText("Enter a name.").waitFor();
  expect(await focused()).toBe("displayName");
  await expectAccessible(user, "a step with a mistake");
  await field("Name").fill("Äcme Studio");
  expect(await field("Slug").inputValue()).toBe("acme-studio");
  await nextStep();
  await field("Origins").fill("https://acme.example/page");
  await nextStep();
  await page.getByText("did you mean https://acme.example?").waitFor();
  await field("Origins").fill("https://acme.example\nhttp://localhost:3000");
  await expectAccessible(user, "origins");
  await nextStep();
  await field("Return URLs").fill("https://other.example/return");
  await nextStep();
  await page.getByText("https://other.example is not registered").waitFor();
  await field("Return URLs").fill("https://acme.example/return");
  await nextStep();
  await page.getByText("Check the code of these routes, then confirm.").waitFor();
  await expectAccessible(user, "return URLs");
  await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  await nextStep();
  await field("Tenant keys").fill("main");
  await expectAccessible(user, "tenants");
  await nextStep();
  await page.getByRole("checkbox", { name: "PROVIDER_C" }).uncheck();
  await expectAccessible(user, "providers");
  await nextStep();
  await page
    .getByText(
      providersWithout("PROVIDER_C")
        .map((one) => PROVIDER_NAMES[one])
        .join(", "),
      { exact: true },
    )
    .waitFor();
  await expectAccessibleInEveryAppearance(user, "review");
  // Back restores the step.
  await page.goBack();
  expect(await page.getByRole("checkbox", { name: "PROVIDER_C" }).isChecked()).toBe(false);
  await nextStep();
  await page.getByRole("button", { name: "Create client" }).click();
  await user.heading("Äcme Studio");
  await page.getByRole("heading", { name: "Next steps" }).waitFor();
  const stored = await panel.service.prisma.application.findUnique({ where: { slug: "acme-studio" } });
  expect(stored).toMatchObject({
    displayName: "Äcme Studio",
    webOrigins: ["https://acme.example", "http://localhost:3000"],
    returnUrls: ["https://acme.example/return"],
    tenantKeys: ["main"],
    providers: providersWithout("PROVIDER_C"),
    enabled: true,
  });
  // Creating the client deleted the draft.
  await user.open("/clients/new");
  await user.heading("Create a client");
  expect(await field("Name").inputValue()).toBe("");
});

test("shows an error of the service at its field", async () => {
  await panel.client("taken");
  await user.open("/clients/new");
  await field("Name").fill("Another one");
  await field("Slug").fill("taken");
  await nextStep();
  await field("Origins").fill("https://another.example");
  await nextStep();
  await field("Return URLs").fill("https://another.example/return");
  await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  await nextStep();
  await field("Tenant keys").waitFor();
  await nextStep();
  await page.getByRole("checkbox", { name: "PROVIDER_C" }).waitFor();
  await nextStep();
  await page.getByRole("button", { name: "Create client" }).click();
  await page.getByText("Another client has this slug.").waitFor();
  expect(await focused()).toBe("slug");
  expect(await field("Slug").getAttribute("aria-invalid")).toBe("true");
});

test("restores a draft after a reload or a navigation, and discards it on Cancel", async () => {
  await user.open("/clients/new");
  await field("Name").fill("Draft client");
  await nextStep();
  await field("Origins").fill("https://half.example");
  await page.reload();
  await page.getByText("Your input was restored.").waitFor();
  expect(await field("Origins").inputValue()).toBe("https://half.example");
  await user.goTo("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await page.getByText("Your input was restored.").waitFor();
  expect(await field("Name").inputValue()).toBe("Draft client");
  await page.getByRole("link", { name: "Cancel" }).click();
  await user.heading("Clients");
  await page.getByRole("link", { name: "Create a client" }).click();
  await user.heading("Create a client");
  expect(await field("Name").inputValue()).toBe("");
});

test("escapes HTML in names", async () => {
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

test("registers an origin and a return URL on it", async () => {
  const { slug } = await openClient("origins", "Addresses");
  const origins = page.getByRole("region", { name: "Origins" });
  await user.add("New origin", "https://app.origins.example/", origins);
  await origins.getByText("did you mean https://app.origins.example?").waitFor();
  await user.add("New origin", "https://app.origins.example", origins);
  await origins.getByRole("listitem").filter({ hasText: "https://app.origins.example" }).waitFor();
  const urls = page.getByRole("region", { name: "Return URLs" });
  await urls.getByLabel("New return URL").fill("https://app.origins.example/return");
  await urls.getByRole("checkbox").check();
  await urls.getByRole("button", { name: "Add" }).click();
  await urls.getByRole("listitem").filter({ hasText: "https://app.origins.example/return" }).waitFor();
  await expectAccessibleInEveryAppearance(user, "addresses");
  // A conflict is shown in the dialog.
  await origins.getByRole("button", { name: "Remove https://app.origins.example" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this origin?" });
  await dialog.getByRole("button", { name: "Remove" }).click();
  await dialog.getByText("A return URL uses this origin").waitFor();
  await expectAccessible(user, "a rejected removal");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await urls.getByRole("button", { name: "Remove https://app.origins.example/return" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("The return URL was removed.").waitFor();
  await expect
    .poll(() => page.getByRole("list", { name: "Return URLs" }).getByRole("listitem").allInnerTexts())
    .toEqual(["https://origins.example/return"]);
  expect(await panel.service.prisma.application.findUnique({ where: { slug } })).toMatchObject({
    webOrigins: ["https://origins.example", "https://app.origins.example"],
    returnUrls: ["https://origins.example/return"],
  });
});

test("issues a working key after a confirmation that restores the form", async () => {
  await openClient("issuing", "Keys");
  await panel.advance(6 * MINUTE_MS);
  await page.getByText("No keys yet").waitFor();
  await page.getByRole("link", { name: "Issue a key" }).click();
  await page.getByLabel("Lifetime").selectOption("Custom");
  await field("Days").fill("45");
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByRole("dialog", { name: "Confirm your identity" }).waitFor();
  await expectAccessible(user, "the confirmation dialog");
  await user.confirmIdentity();
  await page.getByText("Your input was restored.").waitFor();
  expect(await field("Days").inputValue()).toBe("45");
  await expectAccessible(user, "a restored form");
  await page.getByRole("button", { name: "Issue key" }).click();
  await page.getByText("It will not be shown again").waitFor();
  await expectAccessible(user, "a key, once");
  await page.getByRole("button", { name: "Copy Lines for an .env file, tenant main" }).click();
  await page.getByRole("button", { name: "Copied Lines for an .env file, tenant main" }).waitFor();
  const [line = "", address = "", tenant = ""] = (await user.clipboard()).split("\n");
  expect(line).toMatch(/^SOCIAL_CONNECT_KEY=[0-9a-f-]{36}\.[0-9a-f]{64}$/);
  expect(address).toBe(`SOCIAL_CONNECT_URL=${panel.url}`);
  expect(tenant).toBe("SOCIAL_CONNECT_TENANT=main");
  const key = line.slice("SOCIAL_CONNECT_KEY=".length);
  expect((await readiness(key)).data).not.toBeNull();

  await page.getByRole("button", { name: "I have saved it" }).click();
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

test("never shows a key again after a reload or Back, and limits a client to two keys", async () => {
  const { id } = await openClient("leaving", "Keys");
  const path = `/clients/${id}/keys`;
  for (const leave of [() => page.goto("about:blank").then(() => page.goBack()), () => page.reload()]) {
    await user.open(`${path}/new`);
    const secret = page.getByText(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/);
    await user.confirmed(() => page.getByRole("button", { name: "Issue key" }).click(), secret);
    const key = (await secret.textContent()) ?? "";
    expect(key).toMatch(/^[0-9a-f-]{36}\./);
    // The browser asks before it discards the key.
    page.once("dialog", (dialog) => void dialog.accept());
    await leave();
    await page.getByRole("region", { name: "Keys", exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
  }
  await user.open(path);
  await page.getByText("active keys reached.").waitFor();
  expect(await page.getByRole("link", { name: /Issue a key|Rotate the key/ }).count()).toBe(0);
});

test("revokes a key after its id is typed", async () => {
  const { id } = await openClient("revoking", "Overview");
  const key = await panel.applicationKey(id);
  expect((await readiness(key)).data).not.toBeNull();
  await user.open(`/clients/${id}/keys`);
  const name = key.slice(0, 8);
  await page.getByRole("button", { name: `Revoke key ${name}` }).click();
  const dialog = page.getByRole("dialog");
  const revoke = dialog.getByRole("button", { name: "Revoke key" });
  await dialog.getByLabel(`Type ${name} to confirm`).fill("something else");
  expect(await revoke.isDisabled()).toBe(true);
  await expectAccessible(user, "a dialog that requires a name");
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await revoke.click();
  await page.getByRole("row").filter({ hasText: name }).getByText("Revoked", { exact: true }).waitFor();
  expect((await readiness(key)).code).toBe("UNAUTHENTICATED");
});

test("removes a provider after the slug is typed", async () => {
  const { slug, displayName } = await openClient("policy", "Permissions");
  await page.getByRole("checkbox", { name: "PROVIDER_B" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove permissions from ${displayName}?` });
  await dialog.getByText("connected accounts can no longer be read").waitFor();
  await user.typeToConfirm(slug, "Remove and save");
  await page.getByText("The permissions were saved.").waitFor();
  const stored = await panel.service.prisma.application.findUnique({ where: { slug } });
  expect(stored?.providers).toEqual(providersWithout("PROVIDER_B"));
});

test("adds and removes tenant keys", async () => {
  const { slug } = await openClient("tenants", "Tenants");
  await user.add("New tenant key", "second");
  await page.getByRole("listitem").filter({ hasText: "second" }).waitFor();
  await user.add("New tenant key", "second");
  await page.getByText("Already registered for this client.").waitFor();
  await expectAccessibleInEveryAppearance(user, "tenants of a client");
  await page.getByRole("button", { name: "Remove main" }).click();
  await user.typeToConfirm("main", "Remove");
  await page.getByText("The tenant key was removed.").waitFor();
  expect((await panel.service.prisma.application.findUnique({ where: { slug } }))?.tenantKeys).toEqual(["second"]);
});

test("adds a tester with a note, changes the note, and removes the tester", async () => {
  const { id } = await openClient("testers", "Testers");
  const stored = () => panel.service.prisma.tester.findMany({ where: { applicationId: id } });
  const provider = page.getByRole("region", { name: "PROVIDER_A" });
  const tester = { provider: "PROVIDER_A", providerAccountId: "UC0000000000000000000001" };
  await provider.getByLabel("Note").fill("Mara from QA");
  await user.add("Channel id", tester.providerAccountId, provider);
  await provider
    .getByRole("listitem")
    .filter({ hasText: `${tester.providerAccountId}Mara from QA` })
    .waitFor();
  expect(await stored()).toMatchObject([{ ...tester, note: "Mara from QA" }]);
  await provider.getByRole("button", { name: "Change the note of UC" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change the note" });
  expect(await dialog.getByLabel("Note").inputValue()).toBe("Mara from QA");
  await expectAccessible(user, "the note of a tester");
  await dialog.getByLabel("Note").fill("Noor");
  await page.keyboard.press("Enter");
  await provider
    .getByRole("listitem")
    .filter({ hasText: `${tester.providerAccountId}Noor` })
    .waitFor();
  await dialog.waitFor({ state: "hidden" });
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe(
    `Change the note of ${tester.providerAccountId}`,
  );
  expect(await stored()).toMatchObject([{ ...tester, note: "Noor" }]);
  // Its button is gone, so the heading of the list has the focus.
  await provider.getByRole("button", { name: "Remove UC" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
  await provider.getByText("No testers yet.").waitFor();
  await provider.locator("h2:focus").waitFor();
  expect(await stored()).toEqual([]);
});

test("sets the branding, which the preview shows before it is saved", async () => {
  const { slug, displayName } = await openClient("branding", "Branding");
  const preview = page.frameLocator('iframe[title="Preview of a page"]');
  await preview.getByRole("heading", { name: `${displayName} asks to read your YouTube account` }).waitFor();
  await field("Color").fill("green");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The color must be # and six hexadecimal digits").waitFor();
  expect(await focused()).toBe("brandColor");
  await expectAccessible(user, "branding with a mistake");
  await field("Color").fill("#ffe14d");
  // Scripts do not run in the frame, so its style cannot be computed.
  await expect.poll(() => preview.locator("style").textContent()).toContain("--on-button: light-dark(#000000");
  await field("Support address").fill("mailto:help@branding.example");
  await field("Privacy notice").fill("https://branding.example/privacy");
  const chooseLogo = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
  await chooseLogo("logo.svg", "image/svg+xml", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
  await page.getByText("Choose a PNG, JPEG or WebP image.").waitFor();
  await chooseLogo("logo.png", "image/png", Buffer.from(PIXEL, "base64"));
  await expect.poll(() => preview.locator("img").getAttribute("src")).toContain(PIXEL);
  await expectAccessibleInEveryAppearance(user, "branding");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The branding was saved.").waitFor();
  const read = () => panel.service.prisma.application.findUnique({ where: { slug } });
  expect(await read()).toMatchObject({
    logo: `data:image/png;base64,${PIXEL}`,
    brandColor: "#ffe14d",
    supportAddress: "mailto:help@branding.example",
    privacyUrl: "https://branding.example/privacy",
  });
  await page.getByRole("button", { name: "Remove logo" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await read())?.logo).toBeNull();
});

test("enables previews and shows the template of their origins", async () => {
  const { slug } = await openClient("previews", "Previews");
  await page.getByText("https://{label}.preview.example.app").waitFor();
  await user.add("New path", "social/return");
  await page.getByText("Enter an absolute path").waitFor();
  await user.add("New path", "/social/return");
  await page.getByRole("listitem").filter({ hasText: "/social/return" }).waitFor();
  await page.getByRole("switch", { name: "Allow previews to connect accounts" }).click();
  await expect
    .poll(() => panel.service.prisma.application.findUnique({ where: { slug } }))
    .toMatchObject({ previewOriginsEnabled: true, previewReturnPaths: ["/social/return"] });
});

test("enables the identity sign-in once it has a return URL", async () => {
  const { slug } = await openClient("identity", "Identity");
  const sign = page.getByRole("switch", { name: "Allow the application to sign users in" });
  expect(await sign.isDisabled()).toBe(true);
  await user.add("New identity return URL", "https://identity.example/signed-in");
  await page.getByRole("listitem").filter({ hasText: "https://identity.example/signed-in" }).waitFor();
  await sign.click();
  await page.getByText("The identity sign-in was turned on.").waitFor();
  expect(await panel.service.prisma.application.findUnique({ where: { slug } })).toMatchObject({
    idpIdentityEnabled: true,
    identityReturnUrls: ["https://identity.example/signed-in"],
  });
});

test("disables a client after its slug is typed, and enables it again", async () => {
  const { slug, displayName } = await openClient("switching", "Overview");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Disable ${displayName}?` });
  await dialog.getByText(/^It affects no connections, no posts, .* and no unfinished attempts\.$/).waitFor();
  await user.typeToConfirm(slug, "Disable client");
  await page.getByText(`${displayName} was disabled. It affected no connections, no posts, `).waitFor();
  await page.getByText("Disabled", { exact: true }).waitFor();
  expect((await panel.service.prisma.application.findUnique({ where: { slug } }))?.enabled).toBe(false);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Enable client" }).click();
  await page.getByText(`${displayName} was enabled.`).waitFor();
  await expectAccessibleInEveryAppearance(user, "overview of a client");
});

test("a change without an effect does not show what an earlier one affected", async () => {
  const { id, slug, displayName } = await openClient("disabled-twice", "Overview");
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByText(/^It affects no connections/)
    .waitFor();
  // The same admin disables it in another tab.
  const other = await page.context().newPage();
  await other.goto(`${panel.url}/panel/clients/${id}`);
  await other.getByRole("button", { name: "Disable", exact: true }).click();
  await other.getByLabel(`Type ${slug} to confirm`).fill(slug);
  await other.getByRole("button", { name: "Disable client" }).click();
  await other.getByText(`${displayName} was disabled. It affected no connections, no posts, `).waitFor();
  await other.close();
  await user.typeToConfirm(slug, "Disable client");
  await page.getByText(`${displayName} was disabled.`, { exact: true }).waitFor();
});

test("search filters clients and keeps the query in the URL", async () => {
  const { displayName } = await panel.client("finding");
  await user.open("/clients");
  await page.getByRole("searchbox").fill("no match");
  await page.getByText("No clients match “no match”").waitFor();
  await expectAccessible(user, "no search results");
  await page.getByRole("searchbox").fill("finding");
  await page.getByRole("row").filter({ hasText: displayName }).waitFor();
  await page.waitForURL(/find=finding/);
  await page.reload();
  await page.getByRole("row").filter({ hasText: displayName }).waitFor();
});

function field(name: string): Locator {
  return page.getByRole("textbox", { name });
}

async function nextStep(): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The name of the focused field. */
async function focused(): Promise<unknown> {
  await page.waitForFunction("document.activeElement?.hasAttribute('data-path')");
  return page.evaluate("document.activeElement.getAttribute('data-path')");
}

/** Creates a client and opens a tab of its page. */
async function openClient(slug: string, tab: string) {
  const client = await panel.client(slug);
  await user.open(`/clients/${client.id}`);
  await user.heading(client.displayName);
  await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: tab }).click();
  await page.getByRole("region", { name: tab, exact: true }).waitFor();
  return client;
}

function readiness(key: string) {
  return query(panel, key, "{ integrationReadiness { idpIdentityAvailable } }");
}
