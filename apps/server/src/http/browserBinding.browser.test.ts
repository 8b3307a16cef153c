import type { Browser, BrowserContext } from "@social-connect/testkit";
import { launchBrowser } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations, ORIGIN, RETURN_URL } from "../modules/testing/builders.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import type { TestServer } from "./testing/testServer.ts";
import { query, startTestServer } from "./testing/testServer.ts";

const PUBLIC_URL = "https://connect.example.test";
let service: TestService;
let server: TestServer;
let application: TestApplication;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
  server = await startTestServer({ ...service, connectHost: PUBLIC_URL });
  await createRegistrations(service);
  application = await createApplication(service);
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await service.close();
});

/** Simulates the TLS-terminating proxy in front of the service: the browser sees an https address. */
async function putBehindTls(context: BrowserContext): Promise<void> {
  await context.route(`${PUBLIC_URL}/**`, async (route) => {
    const request = route.request();
    const answer = await fetch(request.url().replace(PUBLIC_URL, server.url), {
      method: request.method(),
      headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
      body: request.postData(),
      redirect: "manual",
    });
    const headers = { ...Object.fromEntries(answer.headers), "set-cookie": answer.headers.getSetCookie().join("\n") };
    // The provider's page is not part of this test, and an intercepted page cannot redirect.
    await route.fulfill({ status: answer.status === 303 ? 200 : answer.status, headers, body: await answer.text() });
  });
}

async function createLaunchToken(): Promise<string> {
  const input = {
    scope: { tenantKey: "tenant-1", externalSubjectId: "person" },
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: RETURN_URL,
  };
  const text = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { launchToken } }";
  return (await query(server, application.key, text, { input })).data.createConnectSession.launchToken;
}

test("a browser sends the attempt's cookie to this host over HTTPS only and hides it from scripts", async () => {
  const context = await browser.newContext();
  await putBehindTls(context);
  const page = await context.newPage();
  const launchToken = await createLaunchToken();
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
