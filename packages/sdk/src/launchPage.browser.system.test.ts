import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { launchBrowser } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { launchPage } from "./launchPage.ts";

const TOKEN = "ab".repeat(32);
let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listening(createServer(listener));
  onTestFinished(close);
  return url;
}

/** The three parties of a launch: the application's page, the service that redeems the token, and the consent page. */
async function launchPath() {
  const posts: { origin: string | undefined; type: string | undefined; body: string }[] = [];
  const provider = await serve((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Consent</h1>"),
  );
  const service = await serve(async (request, response) => {
    const { origin, "content-type": type } = request.headers;
    posts.push({ origin, type, body: await text(request) });
    response.writeHead(303, { location: `${provider}/consent` }).end();
  });
  const application = await serve((_, response) => {
    const { html, headers } = launchPage({ launchUrl: `${service}/api/connect/redeem`, launchToken: TOKEN });
    response.writeHead(200, headers).end(html);
  });
  return { application, provider, posts };
}

it.each([true, false])(
  "redirects a browser to the consent page (scripts: %s), with the token and the page's origin",
  async (scripts) => {
    const { application, provider, posts } = await launchPath();
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on("console", (message) => complaints.push(message.text()));
    await tab.goto(application, { waitUntil: "commit" });
    if (!scripts) await tab.locator("button").click();
    await tab.waitForURL(`${provider}/consent`);
    expect(await tab.locator("h1").textContent()).toBe("Consent");
    const form = { origin: application, type: "application/x-www-form-urlencoded", body: `launchToken=${TOKEN}` };
    expect(posts).toEqual([form]);
    expect(complaints).toEqual([]);
    await context.close();
  },
);
