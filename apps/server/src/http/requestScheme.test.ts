import type { IncomingMessage } from "node:http";
import { request as open } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations, ORIGIN, RETURN_URL } from "../modules/testing/builders.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { sha256 } from "../platform/hash.ts";
import { newId, newSecretHex } from "../platform/ids.ts";
import { Secret } from "../platform/secret.ts";
import { isHttps } from "./requestScheme.ts";
import { SIGN_IN_STARTS } from "./signInLimit.ts";
import type { AdminServer } from "./testing/adminServer.ts";
import { startAdminServer } from "./testing/adminServer.ts";

const ONE_YEAR = "max-age=31536000";
const ADMIN_URL = "https://admin.example.test";
const HOST = new URL(ADMIN_URL).host;
let service: TestService;
let proxied: AdminServer;
let direct: AdminServer;
let application: TestApplication;
let registrationId: string;

beforeAll(async () => {
  service = await startTestService();
  const issuer = { url: "http://127.0.0.1:9", clientId: "panel", clientSecret: new Secret("panel-secret") };
  proxied = await startAdminServer(service, { adminHost: ADMIN_URL, trustedProxies: ["127.0.0.1"], issuer });
  direct = await startAdminServer(service, { adminHost: ADMIN_URL, trustedProxies: ["192.0.2.1"] });
  application = await createApplication(service);
  registrationId = (await createRegistrations(service)).PROVIDER_A;
});
afterAll(async () => {
  await Promise.all([proxied.close(), direct.close()]);
  await service.close();
});

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

async function send(
  { url }: AdminServer,
  call: Call,
  forwarded: Record<string, string | string[]>,
): Promise<{ status: number; policy: string | undefined }> {
  const headers = { host: HOST, ...call.headers, ...forwarded };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    open(url + call.path, { method: call.method ?? "GET", headers }, resolve)
      .on("error", reject)
      .end(call.body),
  );
  await text(answer);
  return { status: answer.statusCode ?? 0, policy: answer.headers["strict-transport-security"] };
}

/** The form that redirects a browser to the provider. */
async function createLaunch(): Promise<{ readonly body: string }> {
  const [id, token, now] = [newId(), newSecretHex(), service.clock.current];
  const later = new Date(now.getTime() + 60_000);
  await service.prisma.connectAttempt.create({
    data: {
      ...{ id, applicationId: application.id, ...application.scope, provider: "PROVIDER_A", registrationId },
      ...{ capabilities: ["PROFILE"], returnUrl: RETURN_URL, status: "CREATED", launchTokenHash: sha256(token) },
      ...{ createdAt: now, expiresAt: later, resultExpiresAt: later },
    },
  });
  return { body: `launchToken=${token}` };
}

const HTTPS = { "x-forwarded-proto": "https" };
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const QUERY = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const graphql = (path: string, body: string): Call => ({ method: "POST", path, headers: JSON_TYPE, body });
const form = (path: string, body: string): Call => ({ method: "POST", path, headers: FORM_TYPE, body });

const CALLS: readonly (readonly [string, number, Call])[] = [
  ["liveness", 200, { path: "/healthz" }],
  ["the schema", 200, { path: "/schema.graphql" }],
  ["a rejected consumer call", 200, graphql("/graphql", QUERY)],
  ["a consumer call that is too large", 413, graphql("/graphql", "x".repeat(70_000))],
  ["a consumer call without POST", 404, { path: "/graphql" }],
  ["a rejected admin call", 200, graphql("/api/admin/graphql", QUERY)],
  ["an admin call without POST", 404, { path: "/api/admin/graphql" }],
  ["a rejected call of the panel", 200, graphql("/panel/graphql", QUERY)],
  ["a Connect form with an unknown token", 410, form("/api/connect/redeem", "launchToken=unknown")],
  ["a Connect form that is too large", 410, form("/api/connect/redeem", "a".repeat(17_000))],
  ["a callback with an unknown state", 400, { path: "/api/connect/callback/provider-a?state=unknown&code=x" }],
  ["an identity callback with an unknown state", 400, { path: "/api/identity/callback?state=unknown&code=x" }],
  ["the panel without its files", 503, { path: "/panel" }],
  ["an unknown address", 404, { path: "/nothing/here" }],
];

describe("Strict-Transport-Security", () => {
  test.each(CALLS)("is on a response over HTTPS, and only there: %s", async (_, status, call) => {
    expect(await send(proxied, call, HTTPS)).toEqual({ status, policy: ONE_YEAR });
    expect((await send(proxied, call, {})).policy).toBeUndefined();
    expect((await send(proxied, call, { "x-forwarded-proto": "http" })).policy).toBeUndefined();
    expect((await send(direct, call, HTTPS)).policy).toBeUndefined();
    expect((await send(direct, call, {})).policy).toBeUndefined();
  });

  test("is on the response to an authenticated call", async () => {
    const call = graphql("/graphql", QUERY);
    const authenticated = { ...call, headers: { ...call.headers, authorization: `Bearer ${application.key}` } };
    expect(await send(proxied, authenticated, HTTPS)).toEqual({ status: 200, policy: ONE_YEAR });
  });

  test("is on a redirect to the provider", async () => {
    const { body } = await createLaunch();
    const call = form("/api/connect/redeem", body);
    const fromApplication = { ...call, headers: { ...call.headers, origin: ORIGIN } };
    expect(await send(proxied, fromApplication, HTTPS)).toEqual({ status: 303, policy: ONE_YEAR });
  });

  test("is on the page of an unexpected error", async () => {
    const broken = await startAdminServer(
      { ...service, prisma: Object.create(null) },
      { trustedProxies: ["127.0.0.1"] },
    );
    const call = { path: "/api/connect/callback/provider-a?state=unknown&code=x" };
    expect(await send(broken, call, HTTPS)).toEqual({ status: 503, policy: ONE_YEAR });
    await broken.close();
  });

  test("is on the responses to a failing sign-in and to too many sign-ins", async () => {
    const statuses = new Set<number>();
    for (let start = 0; start <= SIGN_IN_STARTS; start += 1) {
      const { status, policy } = await send(proxied, { path: "/panel/sign-in" }, HTTPS);
      statuses.add(status);
      expect(policy).toBe(ONE_YEAR);
    }
    expect([...statuses]).toEqual([503, 429]);
  });
});

describe("a request uses HTTPS", () => {
  const request = (peer: string, encrypted: boolean, ...schemes: string[]) =>
    ({
      socket: { remoteAddress: peer, encrypted },
      headersDistinct: schemes.length > 0 ? { "x-forwarded-proto": schemes } : {},
    }) as unknown as IncomingMessage;

  test.each([
    ["its connection is TLS", request("192.0.2.7", true), true],
    ["its connection is TLS, and a header claims http", request("192.0.2.7", true, "http"), true],
    ["a trusted proxy says https", request("10.0.0.1", false, "https"), true],
    ["a trusted proxy on an IPv6 socket says https", request("::ffff:10.0.0.1", false, "https"), true],
    ["its connection is plain", request("192.0.2.7", false), false],
    ["another address than a trusted proxy's says https", request("192.0.2.7", false, "https"), false],
    ["a trusted proxy says http on a connection with TLS", request("10.0.0.1", true, "http"), false],
    ["a trusted proxy says nothing", request("10.0.0.1", true), false],
    ["a trusted proxy sends two values", request("10.0.0.1", false, "https", "http"), false],
    ["a trusted proxy forwards what the client sent", request("10.0.0.1", false, "https, http"), false],
  ])("when %s: %#", (_, incoming, expected) => {
    expect(isHttps(incoming, ["10.0.0.1"])).toBe(expected);
  });
});
