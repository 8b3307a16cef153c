import type { Browser } from "../../packages/testkit/src/index.ts";

const ACCOUNT = "harbor-workshop";
/** Ends a hang. A framework that compiles a page when it is first opened takes a minute on a busy machine. */
const STEP_TIMEOUT_MS = 180_000;
const DISPLAY_NAME = "Harbor Workshop";

/**
 * What a user of the application does: links an account, sees its posts, and disconnects it. Every page of the application
 * must be free of console errors.
 */
export async function linkAndSeePosts(browser: Browser, url: string): Promise<{ readonly posts: number }> {
  const context = await browser.newContext();
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
    await page.getByRole("button", { name: "Connect Provider A" }).click();
    const choice = page.locator(`input[name="account"][value="${ACCOUNT}"]`);
    if (!(await choice.isVisible())) await page.getByText("Scripted accounts").first().click();
    await choice.check();
    await page.getByRole("button", { name: "Allow", exact: true }).click();

    await page.getByRole("heading", { name: `Posts of ${DISPLAY_NAME}` }).waitFor();
    const rows = page.getByRole("listitem").filter({ hasText: "views" });
    await rows.first().waitFor();
    const posts = await rows.count();

    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("link", { name: DISPLAY_NAME }).waitFor();
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
  } finally {
    await context.close();
  }
}
