/**
 * Takes the pictures in docs/images: starts a development environment, goes through it as a user would, and captures
 * the pages.
 *
 *     pnpm --filter ./apps/docs screenshots [--port N]               the pictures of the documentation
 *     pnpm --filter ./apps/docs screenshots --only panel             the scenes whose name starts with this, and the steps they need
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AdminWriter, createAdmin } from "../packages/admin-sdk/src/index.ts";
import { launchPage } from "../packages/sdk/src/index.ts";
import type { DevFile } from "../packages/testkit/src/harness/devFile.ts";
import { DevPlace } from "../packages/testkit/src/harness/devPlace.ts";
import { Visitor } from "../packages/testkit/src/harness/visitor.ts";
import { eventually, launchBrowser, type Page } from "../packages/testkit/src/index.ts";
import { applicationOf, USER } from "./linkAccount.ts";

const IMAGES = fileURLToPath(new URL("../docs/images/", import.meta.url));
/** The default of `social-connect dev`, which pages show. */
const SHOWN_PORT = 4400;
/** What a page of the documentation can carry. */
const MOST_BYTES = 300_000;
const WIDE = { width: 1180, height: 820 };
const NARROW = { width: 390, height: 844 };
/** Pages that show what they are about only further down. */
const HEIGHTS: Readonly<Record<string, number>> = { gallery: 890, "consent-pane": 1_010, "panel-events": 940 };
/** Scenes that the documentation shows in more than one appearance. */
const VARIED = ["gallery", "panel-overview"];
const MARA = "Mara Lindqvist";

interface Shown {
  readonly page: Page;
  readonly dev: DevFile;
  readonly place: DevPlace;
  readonly visitor: Visitor;
}

/** Opens a page of the panel over the issuer's sign-in, which also is a fresh confirmation. */
async function signIn({ page, dev: { admin } }: Shown, path = ""): Promise<void> {
  await page.goto(admin.panelUrl + path);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator('input[name="person"][value="admin"]').check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: `Account of ${admin.email}` }).waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Changes the demo's client with an admin key, as a script would. */
async function changeClient(
  { dev: { admin, consumer } }: Shown,
  change: (writer: AdminWriter, id: string) => Promise<unknown>,
): Promise<void> {
  const writer = createAdmin({ host: admin.host, key: admin.writeKey, scope: "WRITE" });
  const clients = await writer.clients().toArray({ limit: 100 });
  await change(writer, clients.find(({ slug }) => slug === consumer.slug)?.id ?? "");
}

/** Pages of the service in the colors of the demo. */
function brandDemo(shown: Shown): Promise<void> {
  const addresses = { supportAddress: "mailto:help@atelier.example", privacyUrl: "https://atelier.example/privacy" };
  return changeClient(shown, (writer, id) => writer.setClientBranding(id, { brandColor: "#1f5fa8", ...addresses }));
}

/** How to reach each page. Scenes run in order in one environment and use the data of earlier ones. */
const SCENES: Readonly<Record<string, (shown: Shown) => Promise<unknown>>> = {
  consent: async ({ visitor }) => {
    await visitor.signIn(MARA);
    await visitor.goToConsent("TikTok");
  },
  gallery: async ({ page, visitor }) => {
    await visitor.signIn(MARA);
    await visitor.connect("TikTok", "street-baker");
    await page.getByText("Every post of this time span is here.").waitFor();
  },
  home: async ({ page, dev, visitor }) => {
    await visitor.signIn(MARA);
    await visitor.connect("YouTube", "harbor-workshop");
    await visitor.connect("Instagram", "tidepool-studio");
    await page.goto(dev.exampleUrl);
  },
  post: async ({ page, visitor }) => {
    await visitor.signIn(MARA);
    await page.getByRole("link", { name: "Street Baker" }).click();
    await page.locator(".post-link").nth(2).click();
    await page.getByText("Numbers, as the provider gives them").waitFor();
  },
  receipts: async ({ page, visitor }) => {
    await visitor.signIn("Yuki Tanaka");
    await visitor.connect("TikTok", "desert-runner");
    await page.getByRole("link", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: "Disconnect and erase" }).click();
    await page.getByText("Posts, numbers and profile are deleted.").waitFor();
    await page.getByText("The provider has ended the consent.").waitFor();
  },
  "consent-pane": async (shown) => {
    const { page, dev } = shown;
    await brandDemo(shown);
    const { social, returnUrl } = applicationOf(dev.consumer);
    const user = social.forSubject({ tenantKey: "acme-studio", externalSubjectId: USER });
    const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
    const session = await user.connect({ provider: "PROVIDER_A", capabilities, returnUrl });
    const { html: body } = launchPage(session, { consentPane: true });
    await page.route(`${dev.exampleUrl}/launch`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${dev.exampleUrl}/launch`);
    await page.getByRole("button", { name: "Continue to" }).waitFor();
  },
  "panel-create-client": async (shown) => {
    const { page } = shown;
    await signIn(shown, "/clients/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Harbor Shop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "Origins" }).fill("https://shop.example.com");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "Return URLs" }).fill("https://shop.example.com/accounts/connected");
    await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  },
  "panel-client": async (shown) => {
    const { page } = shown;
    await signIn(shown, "/clients");
    await page.getByRole("link", { name: "Atelier" }).click();
    await page.getByRole("heading", { level: 1, name: "Atelier" }).waitFor();
    await page.getByRole("navigation", { name: "Client sections" }).waitFor();
  },
  "panel-events": async (shown) => {
    const { page, dev } = shown;
    await signIn(shown, "/clients");
    await page.getByRole("link", { name: "Atelier" }).click();
    await page.getByRole("navigation", { name: "Client sections" }).getByRole("link", { name: "Events" }).click();
    await page.getByRole("link", { name: "Add an endpoint" }).click();
    await page.getByLabel("URL").fill(`${dev.exampleUrl}/social/events`);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("button", { name: /^Send a test event/ }).click();
    await page.getByText(/^The receiver answered with HTTP/).waitFor();
    await page.getByRole("article").getByText("Failing", { exact: true }).waitFor();
    await page.getByText(/^A test event is on its way/).waitFor({ state: "detached" });
    await page.evaluate(
      "[...document.querySelectorAll('h2')].find((heading) => heading.textContent === 'Endpoints').scrollIntoView(); scrollBy(0, -100)",
    );
  },
  "panel-key-once": async (shown) => {
    const { page } = shown;
    await signIn(shown, "/api-keys/new");
    await page.getByLabel("Label").fill("preview deployments");
    await page.getByRole("radio", { name: "Read and write" }).check();
    await page.getByRole("button", { name: "Mint key" }).click();
    await page.getByText("It will not be shown again").waitFor();
  },
  "panel-registration": async (shown) => {
    const { page, dev } = shown;
    await signIn(shown, "/registrations");
    await page.getByRole("rowheader").getByRole("link", { name: "PROVIDER_C" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByLabel("Token URL").fill(`${dev.providerUrls["provider-c"]}/oauth/token`);
    await page.getByRole("button", { name: "Save and publish" }).click();
    await page.locator("input[aria-invalid=true]").and(page.getByLabel("Token URL")).waitFor();
    await page.getByText(/^The registration at PROVIDER_C .* was paused\./).waitFor({ state: "detached" });
    await page.evaluate(
      "[...document.querySelectorAll('h2')].find((heading) => heading.textContent === 'Addresses').scrollIntoView(); scrollBy(0, -110)",
    );
  },
  "panel-overview": async (shown) => {
    const { page, visitor } = shown;
    await visitor.signIn(MARA);
    await visitor.connect("YouTube", "kitchen-atlas");
    await signIn(shown);
    await page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").first().waitFor();
  },
  "panel-remove-admin": async (shown) => {
    const { page, dev } = shown;
    await signIn(shown, "/admins");
    await page.getByLabel("Email address").fill("blake@example.test");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Close this notice" }).click();
    await page.getByRole("button", { name: `Remove admin ${dev.admin.email}` }).click();
    await page.getByRole("dialog").getByText("revoked immediately").waitFor();
  },
  "panel-audit": async (shown) => {
    await changeClient(shown, (writer, id) => writer.addClientTenantKey(id, "acme-studio-two"));
    await signIn(shown, "/audit");
    await shown.page.getByRole("table").getByRole("cell").first().waitFor();
  },
  "panel-health": async (shown) => {
    await signIn(shown, "/health");
    await shown.page.locator(".uplot").first().waitFor();
  },
  "panel-palette": async (shown) => {
    const { page } = shown;
    await signIn(shown, "/clients");
    await page.keyboard.press("Control+K");
    await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("key");
    await page.getByRole("option", { name: "Issue an application key" }).waitFor();
    await page.getByText(/^\d+ results$/).waitFor();
  },
  "panel-connection": async (shown) => {
    const { page, dev, visitor } = shown;
    await visitor.signIn(MARA);
    await visitor.connect("TikTok", "removed-app");
    await eventually(async () => {
      await page.goto(dev.exampleUrl);
      await page.getByRole("button", { name: "Reconnect" }).first().waitFor({ timeout: 1_000 });
    });
    await signIn(shown, "/support");
    await page.getByRole("combobox", { name: "Client" }).fill(dev.consumer.slug);
    await page.getByRole("combobox", { name: "Tenant" }).fill(dev.consumer.tenantKeys[0] ?? "");
    await page.getByRole("combobox", { name: "User", exact: true }).fill("user-mara");
    await page.getByRole("main").getByRole("button", { name: "Search" }).click();
    const row = page.getByRole("row").filter({ hasText: "Reconnect required" });
    await row.getByRole("link", { name: "PROVIDER_B" }).click();
    await page.getByLabel("Reason").fill("ticket 42");
    await page.getByRole("button", { name: "Open connection" }).click();
    await page.getByRole("region", { name: "Reconnect required" }).waitFor();
  },
  // Last, because it moves the clock.
  "service-expired": async (shown) => {
    const { page, place, visitor } = shown;
    await brandDemo(shown);
    await visitor.signIn("Jonas Okafor");
    await visitor.goToConsent("YouTube");
    await place.moveClock(11 * 60_000);
    await visitor.decide("Allow", "night-trains");
    await page.getByRole("heading", { name: "That took too long" }).waitFor();
  },
};

async function capture(page: Page, scene: string, width: "wide" | "narrow", colorScheme: "light" | "dark") {
  const viewport = width === "wide" ? WIDE : NARROW;
  await page.setViewportSize({ ...viewport, height: HEIGHTS[scene] ?? viewport.height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const images =
    "Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode().catch(() => 0); }))";
  await page.evaluate(images).catch(() => undefined);
  const path = join(IMAGES, `${scene}-${width}-${colorScheme}.png`);
  const picture = await page.screenshot({ type: "png", animations: "disabled", path });
  if (picture.length > MOST_BYTES) throw new Error(`${path} has ${picture.length} bytes`);
  console.log(`${path}  ${Math.round(picture.length / 1024)} kB`);
}

const { values } = parseArgs({ options: { port: { type: "string" }, only: { type: "string", default: "" } } });
const scenes = Object.entries(SCENES).filter(([name]) => name.startsWith(values.only));
if (scenes.length === 0) throw new Error(`no scene's name starts with ${values.only}`);
const place = await DevPlace.make(Number(values.port ?? SHOWN_PORT), { hasPanel: true });
const browser = await launchBrowser();
try {
  const { dev } = await place.start("--clock");
  for (const [name, go] of scenes) {
    // Pictures do not depend on the machine's locale.
    const page = await browser.newPage({ viewport: WIDE, locale: "en-US" });
    await go({ page, dev, place, visitor: new Visitor(page, dev) });
    await capture(page, name, "wide", "light");
    if (VARIED.includes(name)) {
      await capture(page, name, "wide", "dark");
      await capture(page, name, "narrow", "light");
    }
    await page.close();
  }
} finally {
  await browser.close();
  await place.clear();
}
