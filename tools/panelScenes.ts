import type { DevFile } from "../packages/testkit/src/harness/devFile.ts";
import type { DevPlace } from "../packages/testkit/src/harness/devPlace.ts";
import { Visitor } from "../packages/testkit/src/harness/visitor.ts";
import type { Page } from "../packages/testkit/src/index.ts";

/** A page to capture, and how to reach it. Scenes run in order in one environment and use the data of earlier ones. */
export interface Scene {
  readonly name: string;
  /** The variants that the documentation shows; empty for a page that is only reviewed. */
  readonly looks: readonly string[];
  readonly go: (page: Page, dev: DevFile, place: DevPlace) => Promise<void>;
}

/** The pages of the admin panel that its guide shows, and how an admin gets there. */

type Walk = (page: Page, dev: DevFile) => Promise<unknown>;

function scene(name: string, looks: readonly string[], walk: Walk): Scene {
  return { name: `panel-${name}`, looks, go: async (page, dev) => void (await walk(page, dev)) };
}

/** Opens a page of the panel over the issuer's sign-in, which also is a fresh confirmation. */
async function signIn(page: Page, { admin }: DevFile, path = ""): Promise<void> {
  await page.goto(admin.panelUrl + path);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator('input[name="person"][value="admin"]').check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: `Account of ${admin.email}` }).waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Changes the demo's client with an admin key, as a script would. */
async function changeClient({ admin, consumer }: DevFile, mutationOf: (id: string) => string): Promise<void> {
  const ask = async (query: string) => {
    const response = await fetch(`${admin.host}/api/admin/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin.writeKey}` },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data: { adminClients: { items: { id: string; slug: string }[] } } };
  };
  const { items } = (await ask("{ adminClients { items { id slug } } }")).data.adminClients;
  const id = items.find(({ slug }) => slug === consumer.slug)?.id;
  await ask(`mutation { ${mutationOf(JSON.stringify(id))} { id } }`);
}

const addTenant = (dev: DevFile, tenantKey: string) =>
  changeClient(dev, (id) => `addClientTenantKey(id: ${id}, tenantKey: "${tenantKey}")`);

/** Pages of the service in the colors of the demo. */
export function brandDemo(dev: DevFile): Promise<void> {
  const branding =
    'brandColor: "#1f5fa8", supportAddress: "mailto:help@atelier.example", privacyUrl: "https://atelier.example/privacy"';
  return changeClient(dev, (id) => `setClientBranding(id: ${id}, ${branding})`);
}

const LISTS = [
  "/clients",
  "/connections",
  "/sdk-versions",
  "/registrations",
  "/registrations/new",
  "/api-keys",
  "/admins",
];
const CLIENT_SECTIONS = ["Addresses", "Permissions", "Identity", "Branding", "Previews", "Tenants", "Testers", "Keys"];

async function openClient(page: Page, dev: DevFile): Promise<void> {
  await signIn(page, dev, "/clients");
  await page.getByRole("link", { name: "Atelier" }).click();
  await page.getByRole("heading", { level: 1, name: "Atelier" }).waitFor();
  await page.getByRole("navigation", { name: "Client sections" }).waitFor();
}

async function findMara(page: Page, dev: DevFile): Promise<void> {
  await signIn(page, dev, "/support");
  await page.getByRole("combobox", { name: "Client" }).fill(dev.consumer.slug);
  await page.getByRole("combobox", { name: "Tenant" }).fill(dev.consumer.tenantKeys[0] ?? "");
  await page.getByRole("combobox", { name: "User", exact: true }).fill("user-mara");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "What is stored about this user" }).waitFor();
}

const nextStep = (page: Page) => page.getByRole("button", { name: "Continue" }).click();

export const PANEL_SCENES: readonly Scene[] = [
  scene("sign-in", [], (page, { admin }) =>
    page.goto(admin.panelUrl).then(() => page.getByRole("link", { name: "Sign in" }).waitFor()),
  ),
  scene("create-client", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/clients/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Harbor Shop");
    await nextStep(page);
    await page.getByRole("textbox", { name: "Origins" }).fill("https://shop.example.com");
    await nextStep(page);
    await page.getByRole("textbox", { name: "Return URLs" }).fill("https://shop.example.com/accounts/connected");
    await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  }),
  scene("client", ["wide-light"], async (page, dev) => {
    await openClient(page, dev);
  }),
  ...CLIENT_SECTIONS.map((name) =>
    scene(`client-${name.toLowerCase()}`, [], async (page, dev) => {
      await openClient(page, dev);
      await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name }).click();
      await page.waitForLoadState("networkidle");
    }),
  ),
  scene("mint-key", [], async (page, dev) => {
    await signIn(page, dev, "/api-keys/new");
    await page.getByLabel("Label").fill("preview deployments");
    await page.getByRole("radio", { name: "Read and write" }).check();
  }),
  scene("key-once", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/api-keys/new");
    await page.getByLabel("Label").fill("preview deployments");
    await page.getByRole("radio", { name: "Read and write" }).check();
    await page.getByRole("button", { name: "Mint key" }).click();
    await page.getByText("It will not be shown again").waitFor();
  }),
  scene("registration", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/registrations");
    await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_C" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByLabel("Token URL").fill(`${dev.providerUrls["provider-c"]}/oauth/token`);
    await page.getByRole("button", { name: "Save and publish" }).click();
    await page.locator("input[aria-invalid=true]").and(page.getByLabel("Token URL")).waitFor();
    await page.getByText(/^The registration at PROVIDER_C .* was paused\.$/).waitFor({ state: "detached" });
    await page.evaluate(
      "[...document.querySelectorAll('h2')].find((heading) => heading.textContent === 'Addresses').scrollIntoView(); scrollBy(0, -110)",
    );
  }),
  scene("overview", ["wide-light", "wide-dark", "narrow-light"], async (page, dev) => {
    const visitor = new Visitor(page, dev);
    await visitor.signIn("Mara Lindqvist");
    await visitor.connect("YouTube", "kitchen-atlas");
    await signIn(page, dev);
    await page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").first().waitFor();
  }),
  scene("remove-admin", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/admins");
    await page.getByLabel("Email address").fill("blake@example.test");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Close this notice" }).click();
    await page.getByRole("button", { name: `Remove admin ${dev.admin.email}` }).click();
    await page.getByRole("dialog").getByText("revoked immediately").waitFor();
  }),
  scene("audit", ["wide-light"], async (page, dev) => {
    await addTenant(dev, "acme-studio-two");
    await signIn(page, dev, "/audit");
    await page.getByRole("table").getByRole("cell").first().waitFor();
  }),
  scene("health", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/health");
    await page.locator(".uplot").first().waitFor();
  }),
  scene("palette", ["wide-light"], async (page, dev) => {
    await signIn(page, dev, "/clients");
    await page.keyboard.press("Control+K");
    await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("key");
    await page.getByRole("option", { name: "Issue an application key" }).waitFor();
    await page.getByText(/^\d+ results$/).waitFor();
  }),
  scene("connection", ["wide-light"], async (page, dev) => {
    const visitor = new Visitor(page, dev);
    await visitor.signIn("Mara Lindqvist");
    await visitor.connect("TikTok", "removed-app");
    await page.goto(dev.exampleUrl);
    await page.getByRole("button", { name: "Reconnect" }).first().waitFor();
    await findMara(page, dev);
    const row = page.getByRole("row").filter({ hasText: "Reconnect required" });
    await row.getByRole("link", { name: "PROVIDER_B" }).click();
    await page.getByLabel("Reason").fill("ticket 42");
    await page.getByRole("button", { name: "Open connection" }).click();
    await page.getByRole("region", { name: "Reconnect required" }).waitFor();
  }),
  ...LISTS.map((path) =>
    scene(path.slice(1).replace("/", "-"), [], async (page, dev) => {
      await signIn(page, dev, path);
      await page.waitForLoadState("networkidle");
    }),
  ),
  scene("support", [], findMara),
  scene("person", [], async (page, dev) => {
    await findMara(page, dev);
    await page.getByRole("link", { name: "What is stored about this user" }).click();
    await page.getByRole("region", { name: "Linked accounts" }).waitFor();
  }),
  scene("erase-person", [], async (page, dev) => {
    await findMara(page, dev);
    await page.getByRole("link", { name: "What is stored about this user" }).click();
    await page.getByRole("button", { name: "Erase everything" }).click();
  }),
];
