import { type RunningSimulator, startSimulator } from "@social-connect/simulator";
import { type Browser, launchBrowser } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM } from "../modules/admin/actor.ts";
import { addAdmin } from "../modules/admins/admins.ts";
import { service, useService } from "../modules/testing/fixtures.ts";
import { type AdminServer, startAdminServer } from "./testing/adminServer.ts";
import { issuerAt } from "./testing/issuer.ts";

useService();

const issuer = { ...issuerAt("http://localhost:9"), responseMode: "form_post" as const };
let server: AdminServer;
let simulator: RunningSimulator;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startAdminServer(service, { issuer });
  const { clientId, clientSecret } = issuer;
  const client = { clientId, clientSecret: clientSecret.reveal(), redirectUris: [`${server.url}/panel/callback`] };
  // A browser treats localhost as another site than 127.0.0.1, where the server is.
  simulator = await startSimulator({ host: "localhost", port: 0, issuerPort: 0, clients: {}, issuerClients: [client] });
  issuer.url = simulator.issuerUrls["issuer-c"];
  service.clock.set(new Date().toISOString());
  await addAdmin(service, SYSTEM, "admin@example.test");
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await simulator.close();
});

test("a browser returns from an issuer of another site with a form, and with the cookie that binds it", async () => {
  const page = await (await browser.newContext()).newPage();
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/panel/callback")) methods.push(request.method());
  });
  await page.goto(`${server.url}/panel/sign-in`);
  expect(new URL(page.url()).hostname).toBe("localhost");
  await page.check('input[value="admin"]');
  await page.click('button[value="allow"]');
  await page.waitForURL(`${server.url}/panel`);
  expect(methods).toEqual(["POST", "GET"]);
  const answer = await page.goto(`${server.url}/panel/session`);
  expect(await answer?.json()).toMatchObject({ email: "admin@example.test" });
});
