import { randomUUID } from "node:crypto";
import { type RunningSimulator, signIn } from "@social-connect/simulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AdminMember } from "../_generated/prisma/client.ts";
import { createAdminMember, createApiKey, type TestAdminKey } from "../modules/testing/admins.ts";
import {
  createApplication,
  createRegistrations,
  IDENTITY_RETURN_URL,
  RETURN_URL,
  type TestApplication,
} from "../modules/testing/builders.ts";
import { startTestService, type TestService } from "../modules/testing/testService.ts";
import { securityLog } from "../platform/log/securityLog.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { type AdminServer, adminQuery, type PanelUser, signInToPanel } from "./testing/adminServer.ts";
import { moveIssuerClock, startServerWithIssuer } from "./testing/issuer.ts";
import { bearer, post, query } from "./testing/testServer.ts";
import { cookiesOf, locationOf, postForm, stateOf, visit } from "./testing/visits.ts";

type Line = Readonly<Record<string, unknown>>;
const { logger, lines: written } = recordingLogger("info", "api");
const EVIL = "https://evil.example";
const HEX = "0123456789abcdef".repeat(4);

const CONNECT = { provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };

let service: TestService;
let server: AdminServer;
let simulator: RunningSimulator;
let application: TestApplication;
let member: AdminMember;
let panel: PanelUser;
let adminKey: TestAdminKey;
let subjects = 0;

beforeAll(async () => {
  service = await startTestService({ logger });
  ({ server, simulator } = await startServerWithIssuer(service));
  await createRegistrations(service);
  application = await createApplication(service, "shop", { idpIdentityEnabled: true });
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

const form = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  postForm(server.url + path, fields, headers);
const get = (path: string, cookie = "", headers: Record<string, string> = {}) =>
  visit(new URL(path, server.url), cookie, headers);

const CALLBACKS = { connect: "/api/connect/callback/provider-a", identity: "/api/identity/callback" };

async function attempt(kind: "connect" | "identity"): Promise<{ id: string; launchToken: string }> {
  const scope = { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` };
  const [name, type, input] =
    kind === "connect"
      ? ["createConnectSession", "ConnectInput!", { ...CONNECT, scope }]
      : ["createIdpIdentitySession", "IdpIdentityInput!", { tenantKey: "tenant-1", returnUrl: IDENTITY_RETURN_URL }];
  const text = `mutation($input: ${type}) { s: ${name}(input: $input) { id launchToken } }`;
  const { data, errors } = await query(server, application.key, text, { input });
  expect(errors).toEqual([]);
  begin();
  return data.s;
}

async function launched(kind: "connect" | "identity") {
  const { id, launchToken } = await attempt(kind);
  const response = await form(`/api/${kind}/redeem`, { launchToken });
  expect(response.status).toBe(303);
  begin();
  const sent = { cookie: cookiesOf(response), state: stateOf(response), location: locationOf(response) };
  return { id, launchToken, ...sent, path: CALLBACKS[kind] };
}

/** Signs in, from a page of the panel over the issuer to the callback. */
async function signInAtIssuer(start: string, cookie = "", decision: "allow" | "deny" = "allow", person = "admin") {
  const started = await get(start, cookie);
  expect(started.status).toBe(303);
  await moveIssuerClock(simulator, service);
  const back = (await signIn(locationOf(started), { person, decision })).href;
  const cookies = [cookie, cookiesOf(started)].filter(Boolean).join("; ");
  return { back, finish: () => get(back, cookies) };
}

/** The session cookie of a panel user who signed in, and confirmed again when `start` is the confirmation. */
async function sessionAfter(start: string, cookie = ""): Promise<string> {
  return cookiesOf(await (await signInAtIssuer(start, cookie)).finish());
}

const api = (fields: Line) => ({ correlationId: expect.any(String), ...fields });
const STATUS = '{ connections(scope: {tenantKey: "t", externalSubjectId: "s"}) { items { id } } }';
const panelRequest = (headers: Record<string, string>) =>
  post(
    `${server.url}/panel/graphql`,
    { query: "{ auditActions }" },
    { cookie: panel.cookie, origin: server.url, "x-csrf-token": panel.csrf, ...headers },
  );

/** What each attack causes: the expected fields of one line, by the event of the line and the name of the attack. */
type Attacks = Readonly<Record<string, Readonly<Record<string, () => Promise<Line>>>>>;

const ATTACKS: Attacks = {
  "api.key_refused": {
    "no key": async () => {
      await query(server, null, STATUS);
      return api({ api: "consumer", code: "UNAUTHENTICATED", reason: "missing", keyId: null, address: "127.0.0.1" });
    },
    "a malformed key": async () => {
      await query(server, `${randomUUID()}.short`, STATUS);
      return api({ reason: "malformed", keyId: null });
    },
    "an unknown key": async () => {
      const keyId = randomUUID();
      await query(server, `${keyId}.${HEX}`, STATUS);
      return api({ reason: "unknown", keyId });
    },
    "a wrong secret": async () => {
      const [keyId = ""] = application.key.split(".");
      await query(server, `${keyId}.${HEX}`, STATUS);
      return api({ reason: "wrong secret", keyId });
    },
    "an admin key with a wrong secret": async () => {
      await adminQuery(server, `scadm_${adminKey.id}.${HEX}`, "{ adminMembers { id } }");
      return api({ api: "admin", reason: "wrong secret", keyId: adminKey.id });
    },
  },
  "api.call_refused": {
    "a tenant that is not the application's": async () => {
      expect((await query(server, application.key, STATUS)).code).toBe("FORBIDDEN");
      return api({ api: "consumer", code: "FORBIDDEN", keyId: application.key.split(".")[0] });
    },
    "a connection of another application": async () => {
      const scope = '{tenantKey: "tenant-1", externalSubjectId: "s"}';
      await query(server, application.key, `{ connection(scope: ${scope}, id: "${randomUUID()}") { id } }`);
      return api({ code: "NOT_FOUND" });
    },
    "a document over a limit": async () => {
      const fields = Array.from({ length: 9 }, (_, index) => `a${index}: status { __typename }`);
      await query(server, application.key, `{ ${fields.join(" ")} }`);
      return api({ code: "BAD_USER_INPUT" });
    },
    "a body over the limit": async () => {
      await post(`${server.url}/graphql`, "x".repeat(70_000));
      return api({ code: "BODY_TOO_LARGE" });
    },
    "a return URL that is not registered": async () => {
      const text = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }";
      const input = { ...CONNECT, scope: application.scope, returnUrl: EVIL };
      await query(server, application.key, text, { input });
      return api({ code: "BAD_USER_INPUT" });
    },
  },
  "admin.transport_refused": {
    "a cookie at the admin API": async () => {
      await post(`${server.url}/api/admin/graphql`, {}, { cookie: "a=b", ...bearer(adminKey.key) });
      return api({ api: "admin", reason: "a cookie was sent" });
    },
    "a forwarding header of an untrusted proxy": async () => {
      await post(`${server.url}/api/admin/graphql`, {}, { "x-forwarded-proto": "https" });
      return api({ reason: "forwarded by an untrusted proxy", address: "127.0.0.1" });
    },
    "the same at a page of the panel": async () => {
      expect((await get("/panel/sign-in", "", { "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
      return { api: "panel", address: "127.0.0.1" };
    },
  },
  "admin.operation_refused": {
    "a panel operation with a key": async () => {
      await adminQuery(server, adminKey.key, "{ auditActions }");
      return api({ reason: "PANEL_ONLY", keyId: adminKey.id });
    },
    "a mutation with a READ key": async () => {
      const field = `setClientEnabled(id: "${application.id}", enabled: false) { id }`;
      await adminQuery(server, adminKey.key, `mutation { ${field} }`);
      return api({ reason: "API_KEY_READ_ONLY", keyId: adminKey.id });
    },
  },
  "panel.request_forged": {
    "a foreign origin at the panel": async () => {
      await panelRequest({ origin: EVIL });
      return api({ reason: "wrong or missing Origin header" });
    },
    "no CSRF token": async () => {
      await panelRequest({ "x-csrf-token": "" });
      return api({ reason: "the CSRF token is missing or wrong" });
    },
    "a forged sign-out": async () => {
      const forged = await form("/panel/sign-out", {}, { cookie: panel.cookie, origin: EVIL });
      expect(forged.status).toBe(403);
      return { reason: "wrong or missing Origin header" };
    },
  },
  "panel.session_refused": {
    "a cookie replayed after signing out": async () => {
      await service.prisma.adminSession.deleteMany();
      await panelRequest({});
      return api({ reason: "expired or unknown" });
    },
  },
  "panel.confirmation_missing": {
    "a panel operation without a fresh confirmation": async () => {
      service.clock.advance(5 * 60_000 + 1);
      await panel.query('mutation { addAdminMember(email: "x@example.test") { __typename } }');
      return api({ operation: "addAdminMember", sessionId: expect.any(String), memberId: expect.any(String) });
    },
  },
  "panel.signed_in": {
    "a sign-in": async () => {
      const { finish } = await signInAtIssuer("/panel/sign-in");
      expect((await finish()).status).toBe(303);
      return { sessionId: expect.any(String), memberId: member.id, address: "127.0.0.1" };
    },
  },
  "panel.confirmed": {
    "a confirmation": async () => {
      const session = await sessionAfter("/panel/sign-in");
      begin();
      const { finish } = await signInAtIssuer("/panel/confirm", session);
      expect((await finish()).status).toBe(303);
      return { sessionId: expect.any(String), memberId: member.id };
    },
  },
  "panel.signed_out": {
    "a sign-out": async () => {
      const headers = { cookie: panel.cookie, origin: server.url, "x-csrf-token": panel.csrf };
      expect((await form("/panel/sign-out", {}, headers)).status).toBe(204);
      return { sessionId: expect.any(String), memberId: expect.any(String) };
    },
  },
  "panel.sign_in_failed": {
    "a sign-in that was declined": async () => {
      await (await signInAtIssuer("/panel/sign-in", "", "deny")).finish();
      return { signInId: expect.any(String), reason: "denied" };
    },
    "a sign-in of a user who is not an admin": async () => {
      await (await signInAtIssuer("/panel/sign-in", "", "allow", "ada")).finish();
      return { reason: "not-an-admin" };
    },
    "a sign-in with an old auth_time": async () => {
      simulator.setIssuerFaults(["stale-auth-time"]);
      await (await signInAtIssuer("/panel/sign-in")).finish();
      return { reason: "stale auth_time" };
    },
    "a sign-in with a forged signature": async () => {
      simulator.setIssuerFaults(["broken-signature"]);
      await (await signInAtIssuer("/panel/sign-in")).finish();
      return { reason: expect.stringMatching(/^[\w ]+$/) };
    },
    "a sign-in in another browser": async () => {
      const { back } = await signInAtIssuer("/panel/sign-in");
      await get(back);
      return { reason: "foreign-browser" };
    },
    "a state of the panel that was never issued": async () => {
      await get(`/panel/callback?state=${HEX}&code=x`);
      return { signInId: null, reason: "unknown-state" };
    },
  },
  "connect.state_refused": {
    "a code on another provider's callback": async () => {
      const { state, cookie } = await launched("connect");
      await get(`/api/connect/callback/provider-b?code=x&state=${state}`, cookie);
      return { reason: "unknown" };
    },
  },
  "connect.callback_refused": {
    "a callback with two codes": async () => {
      const { id, state, cookie, path } = await launched("connect");
      await get(`${path}?code=x&code=y&state=${state}`, cookie);
      return { attemptId: id, reason: "malformed" };
    },
    "a callback that names another issuer": async () => {
      const { id, state, cookie, path } = await launched("connect");
      await get(`${path}?code=x&state=${state}&iss=${encodeURIComponent(EVIL)}`, cookie);
      return { attemptId: id };
    },
  },
  "identity.sign_in_failed": {
    "a forged identity response": async () => {
      const { id, location, cookie } = await launched("identity");
      simulator.setIssuerFaults(["broken-signature"]);
      const back = await signIn(location, { person: "ada", decision: "allow" });
      await get(back.href, cookie);
      return { attemptId: id, reason: expect.any(String) };
    },
  },
  "deauthorization.refused": {
    "a forged deauthorize callback": async () => {
      Object.assign(service.fakes.PROVIDER_C, { verifyDeauthorization: () => null });
      await form("/api/connect/deauthorize/provider-c", { signed_request: `${HEX}.${HEX}` });
      return { provider: "PROVIDER_C", reason: "signature", address: "127.0.0.1" };
    },
  },
  "webhook.refused": {
    "a webhook without a signature": async () => {
      Object.assign(service.fakes.PROVIDER_B, { verifyWebhook: () => null });
      await post(`${server.url}/api/connect/provider-b/webhook`, { event: "authorization.removed" });
      return { provider: "PROVIDER_B", reason: "signature", address: "127.0.0.1" };
    },
  },
  "data_deletion.refused": {
    "a forged data deletion request": async () => {
      Object.assign(service.fakes.PROVIDER_C, { verifyDataDeletion: () => null });
      await form("/api/connect/provider-c/data-deletion", { signed_request: `${HEX}.${HEX}` });
      return { provider: "PROVIDER_C", reason: "signature", address: "127.0.0.1" };
    },
  },
};

/** The attacks on both kinds of attempts. */
function attacksOn(kind: "connect" | "identity"): Attacks {
  return {
    [`${kind}.origin_refused`]: {
      "a foreign origin": async () => {
        const { id, launchToken } = await attempt(kind);
        await form(`/api/${kind}/redeem`, { launchToken }, { origin: EVIL });
        return { attemptId: id, reason: "foreign origin" };
      },
    },
    [`${kind}.launch_token_refused`]: {
      "a used launch token": async () => {
        const { id, launchToken } = await launched(kind);
        await form(`/api/${kind}/redeem`, { launchToken });
        return { attemptId: id, reason: "used" };
      },
      "a launch token that was never issued": async () => {
        await form(`/api/${kind}/redeem`, { launchToken: HEX });
        return { attemptId: null, reason: "unknown" };
      },
    },
    [`${kind}.foreign_browser`]: {
      "a foreign browser": async () => {
        const { id, state, path } = await launched(kind);
        await get(`${path}?code=x&state=${state}`);
        return { attemptId: id };
      },
    },
    [`${kind}.state_refused`]: {
      "a replayed state": async () => {
        const { id, state, cookie, path } = await launched(kind);
        await get(`${path}?error=access_denied&state=${state}`, cookie);
        begin();
        await get(`${path}?error=access_denied&state=${state}`, cookie);
        return { attemptId: id, reason: "used" };
      },
      "a state that was never issued": async () => {
        await get(`${CALLBACKS[kind]}?code=x&state=${HEX}`);
        return { attemptId: null, reason: "unknown" };
      },
    },
  };
}

const rowsOf = (attacks: Attacks, prefix = "") =>
  Object.entries(attacks).flatMap(([event, named]) =>
    Object.entries(named).map(([name, attack]) => [prefix + name, event, attack] as const),
  );

test.each([
  ...rowsOf(ATTACKS),
  ...rowsOf(attacksOn("connect"), "connect: "),
  ...rowsOf(attacksOn("identity"), "identity: "),
])("%s causes exactly one line: %s", async (_, event, attack) => {
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
  const suppressed = { suppressedEvent: "api.key_refused", subject: "127.0.0.1", count: 30 };
  expect(lines()).toEqual([expect.objectContaining({ event: "security_log.suppressed", ...suppressed })]);
});

test("sign-ins, confirmations and sign-outs are in the audit log under the admin's name", async () => {
  await service.prisma.auditEntry.deleteMany();
  const confirmed = await sessionAfter("/panel/confirm", await sessionAfter("/panel/sign-in"));
  const { csrfToken } = (await (await get("/panel/session", confirmed)).json()) as { csrfToken: string };
  await form("/panel/sign-out", {}, { cookie: confirmed, origin: server.url, "x-csrf-token": csrfToken });
  const entries = await service.prisma.auditEntry.findMany({ where: { actor: member.email }, orderBy: { id: "asc" } });
  expect(entries.map(({ action, targetType, targetId }) => [action, targetType, targetId])).toEqual(
    ["Admin signed in", "Admin confirmed", "Admin signed out"].map((action) => [action, "ADMIN", member.id]),
  );
});
