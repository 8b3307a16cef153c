import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type RunningSimulator, signIn } from "@social-connect/simulator";
import { type Browser, type BrowserContext, launchBrowser } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM } from "../modules/admin/actor.ts";
import { addAdmin } from "../modules/admins/admins.ts";
import { service, useService } from "../modules/testing/fixtures.ts";
import { type AdminServer, startAdminServer } from "./testing/adminServer.ts";
import { issuerAt, startIssuer } from "./testing/issuer.ts";

useService();

const ADMIN_URL = "https://admin.example.test";
let server: AdminServer;
let simulator: RunningSimulator;
let browser: Browser;

beforeAll(async () => {
  [simulator, browser] = await Promise.all([startIssuer([`${ADMIN_URL}/panel/callback`]), launchBrowser()]);
  const issuer = issuerAt(simulator.issuerUrl);
  server = await startAdminServer(service, { adminHost: ADMIN_URL, trustedProxies: ["127.0.0.1"], issuer });
  service.clock.set(new Date().toISOString());
  await addAdmin(service, SYSTEM, "admin@example.test");
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await simulator.close();
});

async function forward(path: string, cookie: string): Promise<IncomingMessage> {
  const headers = { cookie, host: new URL(ADMIN_URL).host, "x-forwarded-proto": "https" };
  const [answer] = await once(get(server.url + path, { headers }), "response");
  return answer;
}

/** Simulates the TLS-terminating proxy in front of the service: the browser sees an https address. */
async function putBehindTls(context: BrowserContext, sent: { cookies: string[]; location: string | null }) {
  await context.route(`${ADMIN_URL}/**`, async (route) => {
    const request = route.request();
    const { cookie = "" } = await request.allHeaders();
    sent.cookies.push(cookie);
    const { pathname, search } = new URL(request.url());
    const answer = await forward(pathname + search, cookie);
    sent.location = answer.headers.location ?? null;
    const { "set-cookie": cookies = [], location: _, ...rest } = answer.headers;
    const headers = { ...(rest as Record<string, string>), "set-cookie": cookies.join("\n") };
    const status = answer.statusCode === 303 ? 200 : (answer.statusCode ?? 0);
    await route.fulfill({ status, headers, body: await text(answer) });
  });
}

test("a browser sends the panel's cookies to this host over HTTPS only and hides them from scripts", async () => {
  const context = await browser.newContext();
  const sent = { cookies: [] as string[], location: null as string | null };
  await putBehindTls(context, sent);
  const page = await context.newPage();
  await page.goto(`${ADMIN_URL}/panel/sign-in`);
  const commonAttributes = { domain: "admin.example.test", path: "/", httpOnly: true, secure: true };
  // The sign-in cookie must be sent when the issuer, which is another site, redirects the browser: Lax.
  expect(await context.cookies()).toEqual([
    expect.objectContaining({ ...commonAttributes, name: expect.stringMatching(/^__Host-/), sameSite: "Lax" }),
  ]);
  const back = await signIn(sent.location ?? "", { person: "admin", decision: "allow" });
  await page.goto(back.href);
  const cookies = await context.cookies();
  const session = cookies.find(({ name }) => name === "__Host-social-connect-panel");
  // Stricter than Lax: not sent with any request that another site starts.
  const value = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(session).toMatchObject({ ...commonAttributes, sameSite: "Strict", value });
  expect(cookies.every(({ name }) => name.startsWith("__Host-"))).toBe(true);
  expect(await page.evaluate(() => Reflect.get(Reflect.get(globalThis, "document"), "cookie"))).toBe("");
  // The control: the browser stores and sends the cookie. Its domain has no leading dot: it is host-only.
  const answer = await page.goto(`${ADMIN_URL}/panel/session`);
  expect(await answer?.json()).toMatchObject({ email: "admin@example.test" });
  await context.close();
});
