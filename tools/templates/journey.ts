import {
  CONNECT_RESULT_CODES,
  CONNECT_SESSION_STATUSES,
  CONNECTION_STATUSES,
  ERROR_CODES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
  SOCIAL_PROVIDERS,
  SYNC_STATUSES,
} from "../../packages/contract/src/index.ts";
import { deliveryOf } from "../../packages/sdk/src/testing/signedEvents.ts";
import { type Browser, control, type Page } from "../../packages/testkit/src/index.ts";

const ACCOUNT = "harbor-workshop";
/** Ends a hang. A framework that compiles a page when it is first opened takes a minute on a busy machine. */
const STEP_TIMEOUT_MS = 180_000;
const DISPLAY_NAME = "Harbor Workshop";

/** Values of the API, which end users must not read. */
const CODES = [
  ...[...ERROR_CODES, ...CONNECT_RESULT_CODES, ...PAGE_INCOMPLETE_REASONS, ...OBSERVATION_REASONS],
  ...[...SOCIAL_PROVIDERS, ...CONNECT_SESSION_STATUSES, ...CONNECTION_STATUSES, ...SYNC_STATUSES],
];
const CODE = new RegExp(`\\b(?:${CODES.join("|")})\\b`);

/**
 * What a user of the application does: denies, links an account, sees every post of its days, loses the consent, which an event
 * marks, reconnects, and disconnects. Every page of the application must be free of codes and console errors.
 */
export async function linkAndSeePosts(
  browser: Browser,
  { url, simulatorUrl, eventSecret }: Record<"url" | "simulatorUrl" | "eventSecret", string>,
): Promise<{ readonly posts: number }> {
  await using context = await browser.newContext();
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const problems: string[] = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && page.url().startsWith(url)) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));

    // A return URL of an attempt that this browser did not start is refused.
    await page.goto(`${url}/connected?ss_session_id=00000000-0000-4000-8000-000000000000&ss_status=COMPLETED`);
    await page.getByRole("heading", { name: "Nothing to finish" }).waitFor();
    problems.length = 0;

    // A form of another site is refused, and so are the application's own pages under another name.
    const foreign = await fetch(`${url}/connect`, {
      method: "POST",
      headers: { origin: url.replace("localhost", "127.0.0.1") },
      body: new URLSearchParams({ provider: "PROVIDER_A" }),
    });
    const text = await foreign.text();
    if (foreign.status !== 403 || !text.includes(url)) {
      throw new Error(`a form of another origin was answered with ${foreign.status}: ${text}`);
    }

    await page.goto(url);
    await page.getByText("No account is linked yet.").waitFor();
    await page.getByRole("button", { name: "Connect YouTube" }).click();
    await page.getByRole("button", { name: "Deny", exact: true }).click();
    await page.getByText("You did not give access.").waitFor();
    await showsNoCode(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Connect YouTube" }).click();
    await allow(page);
    const posts = await seeAllPosts(page);
    await page.getByRole("button", { name: "Refresh" }).click();
    await seeAllPosts(page);
    const connectionId = page.url().split("/").at(-1) ?? "";

    // The simulated user withdraws the consent at the provider.
    await control(simulatorUrl, "POST", `/accounts/provider-a/${ACCOUNT}/end-grant`, { cause: "removed-app" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("needs your consent again").waitFor();
    await showsNoCode(page);
    // The browser reports the status of the page with the message.
    problems.length = 0;
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Reconnect" }).waitFor();
    await sendEvents(url, eventSecret, connectionId);
    await page.reload();
    await page.getByText(/needs your consent again since \d{4}-\d\d-\d\d/).waitFor();
    await showsNoCode(page);
    await page.getByRole("button", { name: "Reconnect" }).click();
    await allow(page);
    await seeAllPosts(page);

    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("link", { name: DISPLAY_NAME }).waitFor();
    await showsNoCode(page);
    await page.getByRole("link", { name: "Disconnect" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Disconnect" }).click();
    await page.getByRole("heading", { name: "Disconnect this account?" }).waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No account is linked yet.").waitFor();
    if (problems.length > 0) throw new Error(`errors in the browser: ${problems.join("; ")}`);
    return { posts };
  } catch (error) {
    const [page] = context.pages();
    const text = await page
      ?.locator("body")
      .textContent()
      .catch(() => "");
    throw new Error(`${(error as Error).message}\nat ${page?.url()}\n${text}`, { cause: error });
  }
}

/** A forged event is refused, and one with the secret that the service wrote is accepted. */
async function sendEvents(url: string, secret: string, connectionId: string): Promise<void> {
  const subject = { provider: "PROVIDER_A", tenantKey: "acme", externalSubjectId: "user-1" };
  const data = { ...subject, connectionId, status: "RECONNECT_REQUIRED", code: null };
  const event = JSON.stringify({ type: "connection.reconnect_required", timestamp: new Date(), data });
  const { headers, body } = deliveryOf(secret, { body: event });
  const answers = [`${body} `, body].map((sent) => fetch(`${url}/events`, { method: "POST", headers, body: sent }));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  if (statuses.join() !== "400,204") throw new Error(`a forged and a signed event were answered with ${statuses}`);
}

async function allow(page: Page): Promise<void> {
  const choice = page.locator(`input[name="account"][value="${ACCOUNT}"]`);
  if (!(await choice.isVisible())) await page.getByText("Scripted accounts").first().click();
  await choice.check();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
}

/** The posts of a page without a note on missing posts. */
async function seeAllPosts(page: Page): Promise<number> {
  await page.getByRole("heading", { name: `Posts of ${DISPLAY_NAME}` }).waitFor();
  const rows = page.getByRole("listitem").filter({ hasText: "views" });
  await rows.first().waitFor();
  const text = await showsNoCode(page);
  if (/missing|could not be read/.test(text)) throw new Error("the page says that posts are missing");
  return rows.count();
}

async function showsNoCode(page: Page): Promise<string> {
  const text = (await page.locator("main").textContent()) ?? "";
  const [code] = CODE.exec(text) ?? [];
  if (code !== undefined) throw new Error(`the page shows ${code}`);
  return text;
}
