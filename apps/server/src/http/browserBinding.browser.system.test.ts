import { type Browser, type BrowserContext, type LocalServer, launchBrowser } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startConnect } from "../modules/testing/calls.ts";
import { application, service, useApplication } from "../modules/testing/fixtures.ts";
import { startTestServer } from "./testing/testServer.ts";
import { postForm } from "./testing/visits.ts";

useApplication();

const PUBLIC_URL = "https://connect.example.test";
let server: LocalServer;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startTestServer({ ...service, connectHost: PUBLIC_URL });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Simulates the TLS-terminating proxy in front of the service: the browser sees an https address. */
async function putBehindTls(context: BrowserContext): Promise<void> {
  await context.route(`${PUBLIC_URL}/**`, async (route) => {
    const request = route.request();
    const fields = Object.fromEntries(new URLSearchParams(request.postData() ?? ""));
    const answer = await postForm(request.url().replace(PUBLIC_URL, server.url), fields);
    const headers = { ...Object.fromEntries(answer.headers), "set-cookie": answer.headers.getSetCookie().join("\n") };
    // The provider's page is not part of this test, and an intercepted page cannot redirect.
    await route.fulfill({ status: answer.status === 303 ? 200 : answer.status, headers, body: await answer.text() });
  });
}

test("a browser sends the attempt's cookie to this host over HTTPS only and hides it from scripts", async () => {
  const context = await browser.newContext();
  await putBehindTls(context);
  const page = await context.newPage();
  const launchToken = (await startConnect(service, application)).launchToken.reveal();
  await page.setContent(
    `<form method="post" action="${PUBLIC_URL}/api/connect/redeem"><input name="launchToken" value="${launchToken}"><button>Go</button></form>`,
  );
  await page.getByRole("button").click();
  await page.waitForURL(`${PUBLIC_URL}/**`);
  expect(await context.cookies()).toEqual([
    expect.objectContaining({
      name: expect.stringMatching(/^__Host-social-connect-connect-[0-9a-f-]{36}$/),
      domain: "connect.example.test",
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    }),
  ]);
  expect(await page.evaluate("document.cookie")).toBe("");
});
