import { describe, expect, it } from "vitest";
import type { ProviderAdapter, ProviderErrorKind } from "./contract.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";
import { upstream, useRecordedServer } from "./testing/recordedServer.ts";
import { failureOf, NOW, type ReplayAnswer, registration, replay, session } from "./testing/replay.ts";
import { a, b, c, exchange, exchangeAt, later, REDIRECT, recorded, said, VERIFIER } from "./testing/signIn.ts";

useRecordedServer();

const SHORT_LIVED = "oauth-access-token--short-lived-in-data-array.json";
const FORM = {
  grant_type: "authorization_code",
  code: "the/code",
  redirect_uri: REDIRECT,
  client_secret: "client-secret-canary",
};

describe("code exchange", () => {
  it("sends PROVIDER_A the code, the registered redirect URI and the verifier", async () => {
    const scope = "https://www.googleapis.com/auth/youtube.readonly";
    const tokens = { access_token: "at", expires_in: 3_599, refresh_token: "rt", scope, token_type: "Bearer" };
    upstream.answer({ body: { ...tokens, id_token: "no.jwt" } });
    expect(await exchangeAt(a)).toEqual({
      accessToken: "at",
      accessTokenExpiresAt: later(3_599),
      refreshToken: "rt",
      refreshTokenExpiresAt: null,
      grantedCapabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
      providerAccountId: null,
    });
    const [request] = upstream.takeRequests();
    expect(request?.url.href).toBe("http://recorded.test/token");
    expect(request?.form).toEqual({ ...FORM, client_id: "client-id", code_verifier: VERIFIER });
  });

  it.each(["1e999", 1e300, -5, "soon", null, {}])(
    "reads the lifetime %j without inventing an expiry",
    async (lifetime) => {
      upstream.answer({ body: { access_token: "at", expires_in: lifetime, refresh_token: "rt" } });
      const { accessTokenExpiresAt } = await exchangeAt(a);
      expect(accessTokenExpiresAt).toEqual(lifetime === -5 ? NOW : null);
    },
  );

  it("grants no capability for scopes that the user removed", async () => {
    upstream.answer({ body: { access_token: "at", expires_in: "3599", scope: "openid", token_type: "Bearer" } });
    const tokens = await exchangeAt(a);
    expect(tokens).toMatchObject({ grantedCapabilities: [], refreshToken: null, accessTokenExpiresAt: later(3_599) });
  });

  it("reads PROVIDER_B's flat response and sends the client key", async () => {
    upstream.answer({ body: recorded("b", "oauth-token--code-exchange.json") });
    expect(await exchangeAt(b)).toEqual({
      accessToken: "act.example12345Example12345Example",
      accessTokenExpiresAt: later(86_400),
      refreshToken: "rft.example12345Example12345Example",
      refreshTokenExpiresAt: later(31_536_000),
      grantedCapabilities: ["CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
      providerAccountId: "afd97af1-b87b-48b9-ac98-410aghda5344",
    });
    const [request] = upstream.takeRequests();
    expect(request?.form).toEqual({ ...FORM, client_key: "client-id", code_verifier: VERIFIER });
  });

  it("reads PROVIDER_B's older response inside data, and the callback's scopes when the response has none", async () => {
    upstream.answer({ body: recorded("b", "oauth-token--wrapped-in-data-older-sample.json") });
    const wrapped = await exchangeAt(b);
    expect(wrapped).toMatchObject({
      providerAccountId: "abcdefgh-1a2b-123c4-ab12-abc123abc1234",
      grantedCapabilities: [],
      refreshTokenExpiresAt: null,
    });

    const query = "code=x&state=the-state&scopes=user.info.basic%2Cvideo.list";
    upstream.answer({ body: { access_token: "at", open_id: "o" } });
    const fromCallback = await exchangeAt(b, query);
    expect(fromCallback.grantedCapabilities).toEqual(["CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"]);
  });

  it("exchanges PROVIDER_C's short-lived token immediately for a long-lived one", async () => {
    upstream.answer(
      { body: recorded("c", SHORT_LIVED) },
      { body: { access_token: "long", token_type: "bearer", expires_in: 5_184_000 } },
    );
    expect(await exchangeAt(c, "code=abc%23_&state=the-state")).toEqual({
      accessToken: "long",
      accessTokenExpiresAt: later(5_184_000),
      refreshToken: null,
      refreshTokenExpiresAt: null,
      grantedCapabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP"],
      providerAccountId: "1020...",
    });
    const [first, second] = upstream.takeRequests();
    expect(first?.form).toEqual({ ...FORM, code: "abc", client_id: "client-id" });
    expect(second?.url.pathname).toBe("/access_token");
    expect(Object.fromEntries(second?.url.searchParams ?? [])).toEqual({
      grant_type: "ig_exchange_token",
      client_secret: "client-secret-canary",
      access_token: "EAACEdEose0...",
    });
  });

  it("sends PROVIDER_C's code once, even when the second step is retried", async () => {
    upstream.answer(
      { body: recorded("c", SHORT_LIVED) },
      { status: 503, body: "<html>later</html>" },
      { body: { access_token: "long", token_type: "bearer", expires_in: 5_184_000 } },
    );
    const request = exchange();
    const registration = upstream.registration("PROVIDER_C");
    expect((await failureOf(c.exchangeCode(registration, request))).kind).toBe("unavailable");
    expect(await c.exchangeCode(registration, request)).toMatchObject({ accessToken: "long" });
    const paths = upstream.takeRequests().map(({ url }) => url.pathname);
    expect(paths).toEqual([expect.stringContaining("oauth"), "/access_token", "/access_token"]);
  });

  it("preserves PROVIDER_C's numeric user id and omits the version from the token URLs", async () => {
    upstream.answer(
      { body: '{"access_token":"short","user_id":17841405822304914999,"permissions":["instagram_business_basic"]}' },
      { body: { access_token: "long", expires_in: 10 } },
    );
    const plain = upstream.registration("PROVIDER_C");
    const versioned = { ...plain, addresses: { ...plain.addresses, api: `${plain.addresses.api}/v23.0` } };
    const tokens = await c.exchangeCode(versioned, exchange());
    expect(tokens).toMatchObject({
      providerAccountId: "17841405822304914999",
      grantedCapabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP"],
    });
    expect(upstream.takeRequests()[1]?.url.pathname).toBe("/access_token");
  });

  it.each([
    ["another state", "code=x&state=other"],
    ["no state", "code=x"],
    ["no code", "state=the-state"],
    ["a duplicate code", "code=x&code=y&state=the-state"],
    ["a duplicate state", "code=x&state=the-state&state=the-state"],
    ["an error with a code", "code=x&state=the-state&error=access_denied"],
    ["another issuer", "code=x&state=the-state&iss=https%3A%2F%2Fevil.example"],
    ["an empty query", ""],
  ])("requests no token when the callback has %s", async (_name, query) => {
    for (const adapter of Object.values(PROVIDER_ADAPTERS)) {
      const error = await failureOf(exchangeAt(adapter, query));
      expect(error.kind).toBe("rejected");
    }
    expect(upstream.takeRequests()).toEqual([]);
  });

  it("requests no token when the provider refused one scope and with it the whole consent", async () => {
    const query = `${recorded("b", "authorize-callback--error-invalid-scope-extra-error-type.txt")}&state=the-state`;
    const error = await failureOf(exchangeAt(b, query));
    expect(error).toMatchObject({ kind: "rejected", message: "the callback carried the error invalid_scope" });
    expect(upstream.takeRequests()).toEqual([]);
  });

  it("accepts the issuer of the authorization URL", async () => {
    upstream.answer({ body: { access_token: "at" } });
    const query = "code=x&state=the-state&iss=https%3A%2F%2Faccounts.google.com&scope=a&authuser=0";
    await expect(exchangeAt(a, query)).resolves.toMatchObject({
      accessToken: "at",
      grantedCapabilities: null,
    });
  });

  const REFUSALS: [string, ProviderAdapter, ProviderErrorKind, ReplayAnswer][] = [
    ["a used code (A)", a, "rejected", said(400, "a", "token--error-invalid-grant-bad-request.json")],
    ["a wrong client (A)", a, "application_refused", { status: 401, body: { error: "invalid_client" } }],
    [
      "a challenge header (A)",
      a,
      "application_refused",
      { status: 401, body: { error: "invalid_client" }, headers: { "www-authenticate": "Basic" } },
    ],
    ["a wrong redirect URI (B)", b, "rejected", said(400, "b", "oauth-token--error-redirect-uri-mismatch.json")],
    ["the same with HTTP 200 (B)", b, "rejected", said(200, "b", "oauth-token--error-redirect-uri-mismatch.json")],
    ["a used code (C)", c, "rejected", said(400, "c", "oauth-access-token--error-400-code-used.json")],
    [
      "a client of another product (C)",
      c,
      "rejected",
      said(400, "c", "oauth-access-token--error-400-invalid-platform-app.json"),
    ],
    [
      "a wrong secret with the code for unknown errors (C)",
      c,
      "rejected",
      { status: 400, body: { error: { code: 1, type: "OAuthException", message: "Error validating client secret." } } },
    ],
    ["an unknown error (C)", c, "unavailable", { status: 400, body: { error: { code: 1, type: "OAuthException" } } }],
    [
      "a limit (C)",
      c,
      "rate_limited",
      { status: 400, body: { error_type: "OAuthRateLimitException", code: 429, error_message: "x" } },
    ],
    ["a limit (A)", a, "rate_limited", { status: 429, body: "" }],
    ["503 in HTML (A)", a, "unavailable", { status: 503, body: "<html></html>" }],
    ["404 in HTML (B)", b, "unavailable", { status: 404, body: "<html></html>" }],
    ["an empty 200 (C)", c, "unavailable", { body: "" }],
    ["a truncated body (A)", a, "unavailable", { body: '{"access_token":"at' }],
    ["no token in it (B)", b, "unavailable", { body: { open_id: "o" } }],
    ["an error beside a token (B)", b, "rejected", { body: { access_token: "at", error: "invalid_request" } }],
    ["another token type (A)", a, "rejected", { body: { access_token: "at", token_type: "mac" } }],
    ["a redirect (A)", a, "unavailable", { status: 302, body: "", headers: { location: "http://169.254.169.254/" } }],
    ["a broken connection (B)", b, "unavailable", { fails: new Error("cut") }],
  ];

  it.each(REFUSALS)("%s", async (_name, adapter, kind, answer) => {
    upstream.answer(answer);
    const error = await failureOf(exchangeAt(adapter));
    expect(error.kind).toBe(kind);
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/canary|the\/code|verifier-/);
  });
});

it("disables redirects, even for a fetch that is not the egress", async () => {
  const sign = replay({ body: { access_token: "at" } });
  await a.exchangeCode(registration("PROVIDER_A", sign.fetch), exchange());
  const read = replay({ body: { kind: "youtube#channelListResponse", items: [{ id: "UC1" }] } });
  await a.readAccount(session(registration("PROVIDER_A", read.fetch)));
  expect([...sign.requests, ...read.requests].map((request) => request.redirect)).toEqual(["manual", "manual"]);
});
