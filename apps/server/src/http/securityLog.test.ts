import { randomUUID } from "node:crypto";
import type { RunningSimulator } from "@social-connect/simulator";
import { signIn, startSimulator } from "@social-connect/simulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AdminMember } from "../_generated/prisma/client.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations, ORIGIN, RETURN_URL } from "../modules/testing/builders.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { createLogger } from "../platform/logger.ts";
import { Secret } from "../platform/secret.ts";
import { securityLog } from "../platform/securityLog.ts";
import type { AdminServer, PanelUser } from "./testing/adminServer.ts";
import { adminQuery, post, signInToPanel, startAdminServer } from "./testing/adminServer.ts";
import { query } from "./testing/testServer.ts";

type Line = Readonly<Record<string, unknown>>;
const written: string[] = [];
const HEX = "0123456789abcdef".repeat(4);

let service: TestService;
let server: AdminServer;
let simulator: RunningSimulator;
let application: TestApplication;
let member: AdminMember;
let panel: PanelUser;
let adminKey: { readonly id: string; readonly key: string };
let subjects = 0;

beforeAll(async () => {
  const logger = createLogger({
    level: "info",
    role: "api",
    destination: { write: (line) => void written.push(line) },
  });
  service = await startTestService({ logger });
  const issuer = { url: "http://127.0.0.1:9", clientId: "panel", clientSecret: new Secret("panel-secret") };
  server = await startAdminServer(service, { issuer });
  const redirectUris = [`${server.url}/panel/callback`, `${server.url}/api/identity/callback`];
  simulator = await startSimulator({
    port: 0,
    issuerPort: 0,
    clients: {},
    issuerClients: [{ clientId: "panel", clientSecret: "panel-secret", redirectUris }],
  });
  issuer.url = simulator.issuerUrl;
  await createRegistrations(service);
  application = await createApplication(service);
  const { id } = application;
  await service.prisma.application.update({ where: { id }, data: { idpIdentityEnabled: true } });
  member = await createAdminMember(service, "admin@example.test");
  await service.prisma.adminMember.update({ where: { id: member.id }, data: { issuer: null, subject: null } });
  adminKey = await createApiKey(service, await createAdminMember(service), "READ");
  await adminQuery(server, adminKey.key, "{ previewTemplate { template } }");
});
afterAll(async () => {
  await server.close();
  await simulator.close();
  await service.close();
});
beforeEach(async () => {
  service.clock.set("2026-03-10T12:00:00.000Z");
  simulator.setIssuerFaults([]);
  panel = await signInToPanel(server, await createAdminMember(service));
  begin();
});

/** The lines written from now on. */
function begin(): void {
  securityLog(service).flush();
  written.length = 0;
}

function lines(): Line[] {
  return written.map((line) => JSON.parse(line) as Line).filter(({ event }) => event !== undefined);
}

const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
  fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields),
  });
const get = (path: string, cookie = "", headers: Record<string, string> = {}) =>
  fetch(new URL(path, server.url), { redirect: "manual", headers: { cookie, ...headers } });
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
const stateOf = (response: Response) => new URL(response.headers.get("location") ?? "").searchParams.get("state") ?? "";

async function attempt(kind: "connect" | "identity"): Promise<{ id: string; launchToken: string }> {
  const name = kind === "connect" ? "createConnectSession" : "createIdpIdentitySession";
  const scope = { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` };
  const input =
    kind === "connect"
      ? { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL }
      : { tenantKey: "tenant-1", returnUrl: "https://shop.example/signed-in" };
  const type = kind === "connect" ? "ConnectInput!" : "IdpIdentityInput!";
  const { data, errors } = await query(
    server,
    application.key,
    `mutation($input: ${type}) { s: ${name}(input: $input) { id launchToken } }`,
    { input },
  );
  expect(errors).toEqual([]);
  begin();
  return data.s;
}

async function launched(kind: "connect" | "identity") {
  const { id, launchToken } = await attempt(kind);
  const response = await form(`/api/${kind}/redeem`, { launchToken });
  expect(response.status).toBe(303);
  begin();
  const path = kind === "connect" ? "/api/connect/callback/provider-a" : "/api/identity/callback";
  return {
    id,
    launchToken,
    cookie: cookieOf(response),
    state: stateOf(response),
    location: response.headers.get("location") ?? "",
    path,
  };
}

/** Signs in, from a page of the panel over the issuer to the callback. */
async function signInAtIssuer(start: string, cookie = "", decision: "allow" | "deny" = "allow", person = "admin") {
  const started = await get(start, cookie);
  expect(started.status).toBe(303);
  await fetch(`${simulator.simulatorUrl}/__sim/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ offsetMs: service.clock.current.getTime() - Date.now() }),
  });
  const back = await signIn(started.headers.get("location") ?? "", { person, decision });
  return { back, cookie: [cookie, cookieOf(started)].filter(Boolean).join("; ") };
}

const api = (fields: Line) => ({ correlationId: expect.any(String), ...fields });
const STATUS = '{ connections(scope: {tenantKey: "t", externalSubjectId: "s"}) { items { id } } }';
const panelRequest = (headers: Record<string, string>) =>
  post(
    `${server.url}/panel/graphql`,
    { query: "{ auditActions }" },
    { cookie: panel.cookie, origin: server.url, "x-csrf-token": panel.csrf, ...headers },
  );

/** Each attack, and the one line that it causes. */
const ATTACKS: readonly (readonly [name: string, event: string, attack: () => Promise<Line>])[] = [
  [
    "no key",
    "api.key_refused",
    async () => {
      await query(server, null, STATUS);
      return api({ api: "consumer", code: "UNAUTHENTICATED", reason: "missing", keyId: null, address: "127.0.0.1" });
    },
  ],
  [
    "a malformed key",
    "api.key_refused",
    async () => {
      await query(server, `${randomUUID()}.short`, STATUS);
      return api({ reason: "malformed", keyId: null });
    },
  ],
  [
    "an unknown key",
    "api.key_refused",
    async () => {
      const keyId = randomUUID();
      await query(server, `${keyId}.${HEX}`, STATUS);
      return api({ reason: "unknown", keyId });
    },
  ],
  [
    "a wrong secret",
    "api.key_refused",
    async () => {
      const [keyId = ""] = application.key.split(".");
      await query(server, `${keyId}.${HEX}`, STATUS);
      return api({ reason: "wrong secret", keyId });
    },
  ],
  [
    "a tenant that is not the application's",
    "api.call_refused",
    async () => {
      expect((await query(server, application.key, STATUS)).code).toBe("FORBIDDEN");
      return api({ api: "consumer", code: "FORBIDDEN", keyId: application.key.split(".")[0] });
    },
  ],
  [
    "a connection of another application",
    "api.call_refused",
    async () => {
      const scope = '{tenantKey: "tenant-1", externalSubjectId: "s"}';
      await query(server, application.key, `{ connection(scope: ${scope}, id: "${randomUUID()}") { id } }`);
      return api({ code: "NOT_FOUND" });
    },
  ],
  [
    "a document over a limit",
    "api.call_refused",
    async () => {
      await query(
        server,
        application.key,
        `{ ${Array.from({ length: 9 }, (_, index) => `a${index}: status { __typename }`).join(" ")} }`,
      );
      return api({ code: "BAD_USER_INPUT" });
    },
  ],
  [
    "a body over the limit",
    "api.call_refused",
    async () => {
      await post(`${server.url}/graphql`, "x".repeat(70_000));
      return api({ code: "BODY_TOO_LARGE" });
    },
  ],
  [
    "a return URL that is not registered",
    "api.call_refused",
    async () => {
      const input = {
        scope: application.scope,
        provider: "PROVIDER_A",
        capabilities: ["PROFILE"],
        returnUrl: "https://evil.example",
      };
      await query(
        server,
        application.key,
        "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }",
        { input },
      );
      return api({ code: "BAD_USER_INPUT" });
    },
  ],
  [
    "an admin key with a wrong secret",
    "api.key_refused",
    async () => {
      await adminQuery(server, `scadm_${adminKey.id}.${HEX}`, "{ adminMembers { id } }");
      return api({ api: "admin", reason: "wrong secret", keyId: adminKey.id });
    },
  ],
  [
    "a cookie at the admin API",
    "admin.transport_refused",
    async () => {
      await post(`${server.url}/api/admin/graphql`, {}, { cookie: "a=b", authorization: `Bearer ${adminKey.key}` });
      return api({ api: "admin", reason: "a cookie was sent" });
    },
  ],
  [
    "a forwarding header of an untrusted proxy",
    "admin.transport_refused",
    async () => {
      await post(`${server.url}/api/admin/graphql`, {}, { "x-forwarded-proto": "https" });
      return api({ reason: "forwarded by an untrusted proxy", address: "127.0.0.1" });
    },
  ],
  [
    "the same at a page of the panel",
    "admin.transport_refused",
    async () => {
      expect((await get("/panel/sign-in", "", { "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
      return { api: "panel", address: "127.0.0.1" };
    },
  ],
  [
    "a panel operation with a key",
    "admin.operation_refused",
    async () => {
      await adminQuery(server, adminKey.key, "{ auditActions }");
      return api({ reason: "PANEL_ONLY", keyId: adminKey.id });
    },
  ],
  [
    "a mutation with a READ key",
    "admin.operation_refused",
    async () => {
      await adminQuery(
        server,
        adminKey.key,
        `mutation { setClientEnabled(id: "${application.id}", enabled: false) { id } }`,
      );
      return api({ reason: "API_KEY_READ_ONLY", keyId: adminKey.id });
    },
  ],
  [
    "a foreign origin at the panel",
    "panel.request_forged",
    async () => {
      await panelRequest({ origin: "https://evil.example" });
      return api({ reason: "wrong or missing Origin header" });
    },
  ],
  [
    "no CSRF token",
    "panel.request_forged",
    async () => {
      await panelRequest({ "x-csrf-token": "" });
      return api({ reason: "the CSRF token is missing or wrong" });
    },
  ],
  [
    "a forged sign-out",
    "panel.request_forged",
    async () => {
      expect((await form("/panel/sign-out", {}, { cookie: panel.cookie, origin: "https://evil.example" })).status).toBe(
        403,
      );
      return { reason: "wrong or missing Origin header" };
    },
  ],
  [
    "a cookie replayed after signing out",
    "panel.session_refused",
    async () => {
      await service.prisma.adminSession.deleteMany();
      await panelRequest({});
      return api({ reason: "expired or unknown" });
    },
  ],
  [
    "a panel operation without a fresh confirmation",
    "panel.confirmation_missing",
    async () => {
      const session = await service.prisma.adminSession.findFirstOrThrow({
        orderBy: { createdAt: "desc" },
        where: { member: { email: { not: member.email } } },
      });
      service.clock.advance(5 * 60_000 + 1);
      await panel.query('mutation { addAdminMember(email: "x@example.test") { __typename } }');
      expect(session).not.toBeNull();
      return api({ operation: "addAdminMember", sessionId: expect.any(String), memberId: expect.any(String) });
    },
  ],
  [
    "a sign-in",
    "panel.signed_in",
    async () => {
      const { back, cookie } = await signInAtIssuer("/panel/sign-in");
      expect((await get(back.href, cookie)).status).toBe(303);
      return { sessionId: expect.any(String), memberId: member.id, address: "127.0.0.1" };
    },
  ],
  [
    "a confirmation",
    "panel.confirmed",
    async () => {
      const first = await signInAtIssuer("/panel/sign-in");
      const session = cookieOf(await get(first.back.href, first.cookie));
      begin();
      const { back, cookie } = await signInAtIssuer("/panel/confirm", session);
      expect((await get(back.href, cookie)).status).toBe(303);
      return { sessionId: expect.any(String), memberId: member.id };
    },
  ],
  [
    "a sign-out",
    "panel.signed_out",
    async () => {
      const headers = { cookie: panel.cookie, origin: server.url, "x-csrf-token": panel.csrf };
      expect((await form("/panel/sign-out", {}, headers)).status).toBe(204);
      return { sessionId: expect.any(String), memberId: expect.any(String) };
    },
  ],
  [
    "a sign-in that was declined",
    "panel.sign_in_failed",
    async () => {
      const { back, cookie } = await signInAtIssuer("/panel/sign-in", "", "deny");
      await get(back.href, cookie);
      return { signInId: expect.any(String), reason: "denied" };
    },
  ],
  [
    "a sign-in of a user who is not an admin",
    "panel.sign_in_failed",
    async () => {
      const { back, cookie } = await signInAtIssuer("/panel/sign-in", "", "allow", "ada");
      await get(back.href, cookie);
      return { reason: "not-an-admin" };
    },
  ],
  [
    "a sign-in with an old auth_time",
    "panel.sign_in_failed",
    async () => {
      simulator.setIssuerFaults(["stale-auth-time"]);
      const { back, cookie } = await signInAtIssuer("/panel/sign-in");
      await get(back.href, cookie);
      return { reason: "stale auth_time" };
    },
  ],
  [
    "a sign-in with a forged signature",
    "panel.sign_in_failed",
    async () => {
      simulator.setIssuerFaults(["broken-signature"]);
      const { back, cookie } = await signInAtIssuer("/panel/sign-in");
      await get(back.href, cookie);
      return { reason: expect.stringMatching(/^[\w ]+$/) };
    },
  ],
  [
    "a sign-in in another browser",
    "panel.sign_in_failed",
    async () => {
      const { back } = await signInAtIssuer("/panel/sign-in");
      await get(back.href);
      return { reason: "foreign-browser" };
    },
  ],
  [
    "a state of the panel that was never issued",
    "panel.sign_in_failed",
    async () => {
      await get(`/panel/callback?state=${HEX}&code=x`);
      return { signInId: null, reason: "unknown-state" };
    },
  ],
  ...(["connect", "identity"] as const).flatMap((kind) => [
    [
      `${kind}: a foreign origin`,
      `${kind}.origin_refused`,
      async () => {
        const { id, launchToken } = await attempt(kind);
        await form(`/api/${kind}/redeem`, { launchToken }, { origin: "https://evil.example" });
        return { attemptId: id, reason: "foreign origin" };
      },
    ] as const,
    [
      `${kind}: a used launch token`,
      `${kind}.launch_token_refused`,
      async () => {
        const { id, launchToken } = await launched(kind);
        await form(`/api/${kind}/redeem`, { launchToken });
        return { attemptId: id, reason: "used" };
      },
    ] as const,
    [
      `${kind}: a launch token that was never issued`,
      `${kind}.launch_token_refused`,
      async () => {
        await form(`/api/${kind}/redeem`, { launchToken: HEX });
        return { attemptId: null, reason: "unknown" };
      },
    ] as const,
    [
      `${kind}: a foreign browser`,
      `${kind}.foreign_browser`,
      async () => {
        const { id, state, path } = await launched(kind);
        await get(`${path}?code=x&state=${state}`);
        return { attemptId: id };
      },
    ] as const,
    [
      `${kind}: a replayed state`,
      `${kind}.state_refused`,
      async () => {
        const { id, state, cookie, path } = await launched(kind);
        await get(`${path}?error=access_denied&state=${state}`, cookie);
        begin();
        await get(`${path}?error=access_denied&state=${state}`, cookie);
        return { attemptId: id, reason: "used" };
      },
    ] as const,
    [
      `${kind}: a state that was never issued`,
      `${kind}.state_refused`,
      async () => {
        await get(
          `${kind === "connect" ? "/api/connect/callback/provider-a" : "/api/identity/callback"}?code=x&state=${HEX}`,
        );
        return { attemptId: null, reason: "unknown" };
      },
    ] as const,
  ]),
  [
    "a code on another provider's callback",
    "connect.state_refused",
    async () => {
      const { state, cookie } = await launched("connect");
      await get(`/api/connect/callback/provider-b?code=x&state=${state}`, cookie);
      return { reason: "unknown" };
    },
  ],
  [
    "a callback with two codes",
    "connect.callback_refused",
    async () => {
      const { id, state, cookie, path } = await launched("connect");
      await get(`${path}?code=x&code=y&state=${state}`, cookie);
      return { attemptId: id, reason: "malformed" };
    },
  ],
  [
    "a callback that names another issuer",
    "connect.callback_refused",
    async () => {
      const { id, state, cookie, path } = await launched("connect");
      await get(`${path}?code=x&state=${state}&iss=${encodeURIComponent("https://evil.example")}`, cookie);
      return { attemptId: id };
    },
  ],
  [
    "a forged identity response",
    "identity.sign_in_failed",
    async () => {
      const { id, location, cookie } = await launched("identity");
      simulator.setIssuerFaults(["broken-signature"]);
      const back = await signIn(location, { person: "ada", decision: "allow" });
      await get(back.href, cookie);
      return { attemptId: id, reason: expect.any(String) };
    },
  ],
  [
    "a forged deauthorize callback",
    "deauthorization.refused",
    async () => {
      await form("/api/connect/deauthorize/provider-c", { signed_request: `${HEX}.${HEX}` });
      return { provider: "PROVIDER_C", address: "127.0.0.1" };
    },
  ],
];

test.each(ATTACKS)("%s causes exactly one line: %s", async (_, event, attack) => {
  const expected = await attack();
  expect(lines()).toEqual([expect.objectContaining({ event, role: "api", ...expected })]);
  // No secret of any request, and no state, token or cookie.
  expect(written.join("")).not.toMatch(/[0-9a-f]{64}|Bearer/);
});

test("an allowed request causes no line", async () => {
  await query(server, application.key, "{ status { __typename } }");
  await adminQuery(server, adminKey.key, "{ adminMembers { id } }");
  await panelRequest({});
  const { state, cookie, path } = await launched("connect");
  await get(`${path}?error=access_denied&state=${state}`, cookie);
  expect(lines()).toEqual([]);
});

test("a flood from one address or key is counted, and others are still logged", async () => {
  for (let call = 0; call < 40; call += 1) await query(server, null, STATUS);
  await query(server, `${application.key.split(".")[0]}.${HEX}`, STATUS);
  expect(lines().filter(({ reason }) => reason === "missing")).toHaveLength(10);
  expect(lines().filter(({ reason }) => reason === "wrong secret")).toHaveLength(1);
  written.length = 0;
  securityLog(service).flush();
  expect(lines()).toEqual([
    expect.objectContaining({
      event: "security_log.suppressed",
      suppressedEvent: "api.key_refused",
      subject: "127.0.0.1",
      count: 30,
    }),
  ]);
});

test("sign-ins, confirmations and sign-outs are in the audit log under the admin's name", async () => {
  await service.prisma.auditEntry.deleteMany();
  const first = await signInAtIssuer("/panel/sign-in");
  const opened = cookieOf(await get(first.back.href, first.cookie));
  const second = await signInAtIssuer("/panel/confirm", opened);
  const confirmed = cookieOf(await get(second.back.href, second.cookie));
  const { csrfToken } = (await (await get("/panel/session", confirmed)).json()) as { csrfToken: string };
  await form("/panel/sign-out", {}, { cookie: confirmed, origin: server.url, "x-csrf-token": csrfToken });
  const entries = await service.prisma.auditEntry.findMany({ where: { actor: member.email }, orderBy: { id: "asc" } });
  expect(entries.map(({ action, targetType, targetId }) => [action, targetType, targetId])).toEqual(
    ["Admin signed in", "Admin confirmed", "Admin signed out"].map((action) => [action, "ADMIN", member.id]),
  );
});
