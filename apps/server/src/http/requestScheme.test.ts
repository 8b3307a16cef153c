import type { IncomingMessage } from "node:http";
import { type RawRequest, rawRequest } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ORIGIN } from "../modules/testing/builders.ts";
import { startConnect } from "../modules/testing/calls.ts";
import { application, service, useApplication } from "../modules/testing/fixtures.ts";
import { isHttps } from "./requestScheme.ts";
import { SIGN_IN_STARTS } from "./signInLimit.ts";
import { type AdminServer, startAdminServer } from "./testing/adminServer.ts";
import { issuerAt } from "./testing/issuer.ts";
import { bearer } from "./testing/testServer.ts";

useApplication();

const ONE_YEAR = "max-age=31536000";
const ADMIN_URL = "https://admin.example.test";
const HOST = new URL(ADMIN_URL).host;
let proxied: AdminServer;
let direct: AdminServer;

beforeAll(async () => {
  const issuer = issuerAt("http://127.0.0.1:9");
  proxied = await startAdminServer(service, { adminHost: ADMIN_URL, trustedProxies: ["127.0.0.1"], issuer });
  direct = await startAdminServer(service, { adminHost: ADMIN_URL, trustedProxies: ["192.0.2.1"] });
});
afterAll(() => Promise.all([proxied.close(), direct.close()]));

async function send({ url }: AdminServer, call: RawRequest, forwarded: Record<string, string>) {
  const { status, headers } = await rawRequest(url, {
    ...call,
    headers: { host: HOST, ...call.headers, ...forwarded },
  });
  return { status, policy: headers["strict-transport-security"] };
}

const HTTPS = { "x-forwarded-proto": "https" };
const QUERY = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const graphql = (path: string, body: string, more: Record<string, string> = {}): RawRequest => {
  return { method: "POST", path, headers: { "content-type": "application/json", ...more }, body };
};
const form = (path: string, body: string, more: Record<string, string> = {}): RawRequest => {
  return { method: "POST", path, headers: { "content-type": "application/x-www-form-urlencoded", ...more }, body };
};

const CALLS: readonly (readonly [string, number, RawRequest])[] = [
  ["liveness", 200, { path: "/healthz" }],
  ["the schema", 200, { path: "/schema.graphql" }],
  ["a rejected consumer call", 200, graphql("/graphql", QUERY)],
  ["a consumer call that is too large", 413, graphql("/graphql", "x".repeat(70_000))],
  ["a consumer call without POST", 405, { path: "/graphql" }],
  ["a rejected admin call", 200, graphql("/api/admin/graphql", QUERY)],
  ["an admin call without POST", 405, { path: "/api/admin/graphql" }],
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
    const authenticated = graphql("/graphql", QUERY, bearer(application.key));
    expect(await send(proxied, authenticated, HTTPS)).toEqual({ status: 200, policy: ONE_YEAR });
  });

  test("is on a redirect to the provider", async () => {
    const { launchToken } = await startConnect(service, application);
    const launch = form("/api/connect/redeem", `launchToken=${launchToken.reveal()}`, { origin: ORIGIN });
    expect(await send(proxied, launch, HTTPS)).toEqual({ status: 303, policy: ONE_YEAR });
  });

  test("is on the page of an unexpected error", async () => {
    const withoutDatabase = { ...service, prisma: Object.create(null) };
    const broken = await startAdminServer(withoutDatabase, { trustedProxies: ["127.0.0.1"] });
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
