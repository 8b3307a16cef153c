import type { DevFile } from "../packages/testkit/src/harness/devFile.ts";
import { call, type DevPlace } from "../packages/testkit/src/harness/devPlace.ts";
import { Visitor } from "../packages/testkit/src/harness/visitor.ts";
import type { Page } from "../packages/testkit/src/index.ts";
import { brandDemo, PANEL_SCENES, type Scene } from "./panelScenes.ts";

const MARA = "Mara Lindqvist";
const JONAS = "Jonas Okafor";

type Walk = (visitor: Visitor, dev: DevFile, place: DevPlace) => Promise<void>;

function scene(name: string, looks: readonly string[], walk: Walk): Scene {
  return { name, looks, go: (page, dev, place) => walk(new Visitor(page, dev), dev, place) };
}

/** Starts an attempt, and posts its launch form from a page of the application. */
async function launch(page: Page, dev: DevFile, operation: string, fields = ""): Promise<void> {
  const query = `mutation { attempt: ${operation} { launchUrl launchToken } }`;
  const { data } = (await call(dev, dev.consumer.key, query)) as {
    data: { attempt: { launchUrl: string; launchToken: string } };
  };
  const { launchUrl, launchToken } = data.attempt;
  const body = `<form method="post" action="${launchUrl}"><input name="launchToken" value="${launchToken}">${fields}<button>Go</button></form>`;
  await page.route(`${dev.exampleUrl}/launch`, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(`${dev.exampleUrl}/launch`);
  await page.getByRole("button").click();
}

export const SCENES: readonly Scene[] = [
  scene("sign-in", [], async ({ page }, dev) => {
    await page.goto(`${dev.exampleUrl}/sign-in`);
  }),
  scene("home-empty", [], async (visitor) => {
    await visitor.signIn(MARA);
  }),
  scene("launch", [], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.page.getByRole("button", { name: "Connect" }).first().click();
  }),
  scene("consent", ["wide-light"], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.goToConsent("TikTok");
  }),
  scene("consent-a", [], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.goToConsent("YouTube");
  }),
  scene("gallery", ["wide-light", "wide-dark", "narrow-light"], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.connect("TikTok", "street-baker");
    await visitor.refresh(30);
  }),
  scene("gallery-c", [], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.connect("Instagram", "tidepool-studio");
    await visitor.refresh(30);
  }),
  scene("gallery-a", [], async (visitor) => {
    await visitor.signIn(MARA);
    await visitor.connect("YouTube", "harbor-workshop");
    await visitor.refresh(30);
  }),
  scene("empty", [], async (visitor) => {
    await visitor.signIn(JONAS);
    await visitor.connect("TikTok", "empty");
    await visitor.refresh(7);
  }),
  scene("unicode", [], async (visitor) => {
    await visitor.signIn(JONAS);
    await visitor.connect("TikTok", "unicode");
    await visitor.refresh(7);
  }),
  scene("home", ["wide-light"], async (visitor, dev) => {
    await visitor.signIn(MARA);
    await visitor.connect("YouTube", "harbor-workshop");
    await visitor.connect("Instagram", "tidepool-studio");
    await visitor.page.goto(dev.exampleUrl);
  }),
  scene("post", ["wide-light"], async (visitor) => {
    const { page } = visitor;
    await visitor.signIn(MARA);
    await page.getByRole("link", { name: "Street Baker" }).click();
    await page.locator(".post-link").nth(2).click();
    await page.getByText("Numbers, as the provider gives them").waitFor();
  }),
  scene("disconnect", [], async (visitor) => {
    await visitor.signIn(JONAS);
    await visitor.connect("Instagram", "city-swifts");
    await visitor.page.getByRole("link", { name: "Disconnect" }).click();
    await visitor.page.getByRole("button", { name: "Disconnect and erase" }).waitFor();
  }),
  scene("receipts-c", [], async (visitor) => {
    const { page } = visitor;
    await visitor.signIn(JONAS);
    await visitor.page.getByRole("link", { name: "City Swifts" }).click();
    await page.getByRole("link", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: "Disconnect and erase" }).click();
    await page.getByText("Posts, numbers and profile are deleted.").waitFor();
  }),
  scene("receipts", ["wide-light"], async (visitor) => {
    const { page } = visitor;
    await visitor.signIn("Yuki Tanaka");
    await visitor.connect("TikTok", "desert-runner");
    await page.getByRole("link", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: "Disconnect and erase" }).click();
    await page.getByText("Posts, numbers and profile are deleted.").waitFor();
    await page.getByText("The provider has ended the consent.").waitFor();
  }),
  scene("denied", [], async (visitor) => {
    await visitor.signIn(JONAS);
    await visitor.goToConsent("TikTok");
    await visitor.decide("Deny");
    await visitor.page.getByRole("heading", { name: "Nothing was linked" }).waitFor();
  }),
  scene("example-not-found", [], async (visitor, dev) => {
    await visitor.signIn(JONAS);
    await visitor.page.goto(`${dev.exampleUrl}/accounts/00000000-0000-4000-8000-000000000000`);
  }),
  scene("service-not-found", [], async ({ page }, dev) => {
    await page.goto(`${dev.connectHost}/api/connect/callback/provider-z`);
  }),
  scene("service-foreign-browser", [], async (visitor) => {
    const { page } = visitor;
    await visitor.signIn(JONAS);
    await visitor.goToConsent("TikTok");
    await page.context().clearCookies();
    await visitor.decide("Allow", "street-baker");
    await page.getByRole("heading", { name: "browser you started in" }).waitFor();
  }),
  scene("consent-pane", ["wide-light"], async ({ page }, dev) => {
    await brandDemo(dev);
    const scope = '{ tenantKey: "acme-studio", externalSubjectId: "user-mara" }';
    const input = `{ scope: ${scope}, provider: PROVIDER_A, capabilities: [PROFILE, CONTENT_LIST, CONTENT_METRICS], returnUrl: "${dev.consumer.returnUrl}" }`;
    await launch(page, dev, `createConnectSession(input: ${input})`, '<input name="consent_pane" value="true">');
    await page.getByRole("button", { name: "Continue to" }).waitFor();
  }),
  scene("sign-in-at-issuer", [], async ({ page }, dev) => {
    const input = `{ tenantKey: "acme-studio", returnUrl: "${dev.consumer.identityReturnUrl}" }`;
    await launch(page, dev, `createIdpIdentitySession(input: ${input})`);
    await page.getByRole("heading", { name: "Sign in to" }).waitFor();
  }),
  ...PANEL_SCENES,
  // Last, because it moves the clock.
  scene("service-expired", ["wide-light"], async (visitor, dev, place) => {
    await brandDemo(dev);
    await visitor.signIn(JONAS);
    await visitor.goToConsent("YouTube");
    await place.moveClock(11 * 60_000);
    await visitor.decide("Allow", "night-trains");
    await visitor.page.getByRole("heading", { name: "That took too long" }).waitFor();
  }),
];
