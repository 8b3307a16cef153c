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
import { makeDevPlace } from "../packages/testkit/src/harness/devPlace.ts";
import { visitorOf } from "../packages/testkit/src/harness/visitor.ts";
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

type Shown = ReturnType<typeof show>;

/** What a scene shows, and how it gets there. */
function show(page: Page, dev: DevFile) {
  const { admin, consumer } = dev;
  /** Changes the demo's client with an admin key, as a script would. */
  const changeClient = async (change: (writer: AdminWriter, id: string) => Promise<unknown>) => {
    const writer = createAdmin({ host: admin.host, key: admin.writeKey, scope: "WRITE" });
    const clients = await writer.clients().toArray({ limit: 100 });
    await change(writer, clients.find(({ slug }) => slug === consumer.slug)?.id ?? "");
  };
  return {
    ...{ page, dev, visitor: visitorOf(page, dev), changeClient },
    /** Opens a page of the panel over the issuer's sign-in, which also is a fresh confirmation. */
    signIn: async (path = "") => {
      await page.goto(admin.panelUrl + path);
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.locator('input[name="person"][value="admin"]').check();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: `Account of ${admin.email}` }).waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
    /** Pages of the service in the colors of the demo. */
    brandDemo: () => {
      const [supportAddress, privacyUrl] = ["mailto:help@atelier.example", "https://atelier.example/privacy"];
      const branding = { brandColor: "#1f5fa8", supportAddress, privacyUrl };
      return changeClient((writer, id) => writer.setClientBranding(id, branding));
    },
  };
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
  "consent-pane": async ({ page, dev, brandDemo }) => {
    await brandDemo();
    const { social, returnUrl } = applicationOf(dev.consumer);
    const user = social.forSubject({ tenantKey: "acme-studio", externalSubjectId: USER });
    const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
    const session = await user.connect({ provider: "PROVIDER_A", capabilities, returnUrl });
    const { html: body } = launchPage(session, { consentPane: true });
    await page.route(`${dev.exampleUrl}/launch`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${dev.exampleUrl}/launch`);
    await page.getByRole("button", { name: "Continue to" }).waitFor();
  },
  "panel-create-client": async ({ page, signIn }) => {
    await signIn("/clients/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Harbor Shop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "Origins" }).fill("https://shop.example.com");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "Return URLs" }).fill("https://shop.example.com/accounts/connected");
    await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
  },
  "panel-client": async ({ page, signIn }) => {
    await signIn("/clients");
    await page.getByRole("link", { name: "Atelier" }).click();
    await page.getByRole("heading", { level: 1, name: "Atelier" }).waitFor();
    await page.getByRole("navigation", { name: "Client sections" }).waitFor();
  },
  "panel-events": async ({ page, dev, signIn }) => {
    await signIn("/clients");
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
  "panel-key-once": async ({ page, signIn }) => {
    await signIn("/api-keys/new");
    await page.getByLabel("Label").fill("preview deployments");
    await page.getByRole("radio", { name: "Read and write" }).check();
    await page.getByRole("button", { name: "Mint key" }).click();
    await page.getByText("It will not be shown again").waitFor();
  },
  "panel-registration": async ({ page, dev, signIn }) => {
    await signIn("/registrations");
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
  "panel-overview": async ({ page, visitor, signIn }) => {
    await visitor.signIn(MARA);
    await visitor.connect("YouTube", "kitchen-atlas");
    await signIn();
    await page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").first().waitFor();
  },
  "panel-remove-admin": async ({ page, dev, signIn }) => {
    await signIn("/admins");
    await page.getByLabel("Email address").fill("blake@example.test");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Close this notice" }).click();
    await page.getByRole("button", { name: `Remove admin ${dev.admin.email}` }).click();
    await page.getByRole("dialog").getByText("revoked immediately").waitFor();
  },
  "panel-audit": async ({ page, signIn, changeClient }) => {
    await changeClient((writer, id) => writer.addClientTenantKey(id, "acme-studio-two"));
    await signIn("/audit");
    await page.getByRole("table").getByRole("cell").first().waitFor();
  },
  "panel-health": async ({ page, signIn }) => {
    await signIn("/health");
    await page.locator(".uplot").first().waitFor();
  },
  "panel-palette": async ({ page, signIn }) => {
    await signIn("/clients");
    await page.keyboard.press("Control+K");
    await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("key");
    await page.getByRole("option", { name: "Issue an application key" }).waitFor();
    await page.getByText(/^\d+ results$/).waitFor();
  },
  "panel-connection": async ({ page, dev, visitor, signIn }) => {
    await visitor.signIn(MARA);
    await visitor.connect("TikTok", "removed-app");
    await eventually(async () => {
      await page.goto(dev.exampleUrl);
      await page.getByRole("button", { name: "Reconnect" }).first().waitFor({ timeout: 1_000 });
    });
    await signIn("/support");
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
  "service-expired": async ({ page, visitor, brandDemo }) => {
    await brandDemo();
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
await using place = await makeDevPlace({ firstPort: Number(values.port ?? SHOWN_PORT), hasPanel: true });
await using browser = await launchBrowser();
const { dev } = await place.start("--clock");
for (const [name, go] of scenes) {
  // Pictures do not depend on the machine's locale.
  await using page = await browser.newPage({ viewport: WIDE, locale: "en-US" });
  await go(show(page, dev));
  await capture(page, name, "wide", "light");
  if (!VARIED.includes(name)) continue;
  await capture(page, name, "wide", "dark");
  await capture(page, name, "narrow", "light");
}
