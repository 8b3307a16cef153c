import { describe, expect, it } from "vitest";
import type { ProviderAdapter, ProviderErrorKind } from "./contract.ts";
import { upstream, useRecordedServer } from "./testing/recordedServer.ts";
import { failureOf, type ReplayAnswer } from "./testing/replay.ts";
import { a, b, c, exchangeAt, later, recorded, refreshAt, said, stored } from "./testing/signIn.ts";

useRecordedServer();

describe("refresh", () => {
  it("retains the stored refresh token when PROVIDER_A sends none, and ignores an ID token", async () => {
    upstream.answer({ body: recorded("a", "token--refresh-without-refresh-token-with-id-token.json") });
    const tokens = await refreshAt(a);
    expect(tokens).toMatchObject({
      refreshToken: null,
      refreshTokenExpiresAt: null,
      accessTokenExpiresAt: later(3_599),
      grantedCapabilities: [],
    });
    expect(upstream.takeRequests()[0]?.form).toEqual({
      grant_type: "refresh_token",
      refresh_token: "stored-refresh-canary",
      client_id: "client-id",
      client_secret: "client-secret-canary",
    });
  });

  it.each<[string, ProviderAdapter, Record<string, unknown>]>([
    ["A", a, { access_token: "new", expires_in: "3599", refresh_token_expires_in: "604800" }],
    ["B", b, { access_token: "new", expires_in: "3599", refresh_expires_in: 604_800, scope: ["user.info.basic"] }],
  ])("reads the remaining lifetime of the stored refresh token at PROVIDER_%s", async (_, adapter, body) => {
    upstream.answer({ body });
    expect(await refreshAt(adapter)).toMatchObject({
      accessTokenExpiresAt: later(3_599),
      refreshToken: null,
      refreshTokenExpiresAt: later(604_800),
    });
  });

  it.each<[string, ProviderAdapter, number]>([
    ["B", b, 86_400],
    ["C", c, 5_184_000],
  ])(
    "takes the documented lifetime of PROVIDER_%s's token for one without, so that it is renewed in time",
    async (_, adapter, seconds) => {
      for (const lifetime of [{}, { expires_in: null }, { expires_in: "" }]) {
        upstream.answer({ body: { access_token: "new", ...lifetime } });
        expect((await refreshAt(adapter)).accessTokenExpiresAt).toEqual(later(seconds));
      }
    },
  );

  it("uses PROVIDER_A's token without a lifetime until it is rejected, because none is documented", async () => {
    upstream.answer({ body: { access_token: "new" } });
    expect((await refreshAt(a)).accessTokenExpiresAt).toBeNull();
  });

  it("returns PROVIDER_B's rotated refresh token, which replaces the stored one", async () => {
    upstream.answer({ body: recorded("b", "oauth-token--refresh-open-id-not-a-uuid.json") });
    const tokens = await refreshAt(b);
    expect(tokens).toMatchObject({
      refreshToken: "rft.example12345Example12345Example",
      refreshTokenExpiresAt: later(31_536_000),
    });
    expect(b.traits.rotatesRefreshToken).toBe(true);
    expect(upstream.takeRequests()[0]?.form["client_key"]).toBe("client-id");
  });

  it("renews PROVIDER_C's long-lived token with the token itself", async () => {
    upstream.answer({ body: { access_token: "renewed", token_type: "bearer", expires_in: 5_183_944 } });
    const tokens = await refreshAt(c, stored({ refreshToken: null }));
    expect(tokens).toEqual({
      accessToken: "renewed",
      accessTokenExpiresAt: later(5_183_944),
      refreshToken: null,
      refreshTokenExpiresAt: null,
      grantedCapabilities: null,
      providerAccountId: null,
    });
    const [request] = upstream.takeRequests();
    expect(request?.url.pathname).toBe("/refresh_access_token");
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      grant_type: "ig_refresh_token",
      access_token: "stored-access-canary",
    });
  });

  it.each([a, b])("fails with grant_gone without a refresh token", async (adapter) => {
    const error = await failureOf(refreshAt(adapter, stored({ refreshToken: null })));
    expect(error.kind).toBe("grant_gone");
    expect(upstream.takeRequests()).toEqual([]);
  });

  const quotaExceeded = recorded("a", "error--403-quota-exceeded-2020-key-order.json");
  const REFUSALS: [string, ProviderAdapter, ProviderErrorKind, ReplayAnswer][] = [
    [
      "a revoked grant, with any description (A)",
      a,
      "grant_gone",
      said(400, "a", "token--error-invalid-grant-bad-request.json"),
    ],
    [
      "a grant that requires a new sign-in (A)",
      a,
      "grant_gone",
      { status: 400, body: { error: "invalid_grant", error_description: null, error_subtype: "invalid_rapt" } },
    ],
    [
      "a deleted client does not mean a revoked grant (A)",
      a,
      "application_refused",
      { status: 401, body: { error: "deleted_client" } },
    ],
    [
      "a client that may not refresh does not mean a revoked grant (A)",
      a,
      "application_refused",
      { status: 401, body: { error: "unauthorized_client", error_description: { odd: [] } } },
    ],
    ["a response in the format of the read API (A)", a, "rate_limited", { status: 403, body: quotaExceeded }],
    ["a limit with HTTP 200 (B)", b, "rate_limited", { status: 200, body: { error: "rate_limit_exceeded" } }],
    ["a token that is too young (C)", c, "rejected", { status: 400, body: { error: { code: 100, type: "X" } } }],
    [
      "a granted permission that is missing (C)",
      c,
      "application_refused",
      { status: 403, body: { error: { code: 10 } } },
    ],
    [
      "a revoked grant (B)",
      b,
      "grant_gone",
      { status: 400, body: { error: "invalid_grant", error_description: "x", log_id: "1" } },
    ],
    ["a revoked grant with HTTP 200 (B)", b, "grant_gone", { status: 200, body: { error: "invalid_grant" } }],
    [
      "an expired token (C)",
      c,
      "grant_gone",
      { status: 400, body: { error: { code: 190, error_subcode: 463, type: "OAuthException", message: "x" } } },
    ],
    ["an app that was removed (C)", c, "grant_gone", said(400, "c", "error--190-458-app-removed-by-user.json")],
    [
      "a wrong client does not mean a revoked grant (A)",
      a,
      "application_refused",
      { status: 401, body: { error: "invalid_client" } },
    ],
    [
      "a malformed request does not mean a revoked grant (B)",
      b,
      "rejected",
      said(400, "b", "oauth-revoke--error-malformed-parameters.json"),
    ],
    ["a server's failure (A)", a, "unavailable", { status: 500, body: { error: "internal_failure" } }],
    [
      "an error as an object (A)",
      a,
      "unavailable",
      { status: 503, body: { error: { code: 503, status: "UNAVAILABLE" } } },
    ],
    [
      "an older error format (B)",
      b,
      "rejected",
      { body: { data: { error_code: 10_004, description: "x" }, message: "error" } },
    ],
    ["a server's failure (B)", b, "unavailable", { status: 500, body: { error: "server_error" } }],
    ["a limit (C)", c, "rate_limited", said(403, "c", "error--4-application-limit-transient-http-403.json")],
    ["an HTML page as response (C)", c, "unavailable", { status: 400, body: "<html></html>" }],
  ];

  it.each(REFUSALS)("%s", async (name, adapter, kind, answer) => {
    upstream.answer(answer);
    const error = await failureOf(refreshAt(adapter));
    expect(error.kind).toBe(kind);
    expect(error.appRemoved).toBe(name.includes("removed"));
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/canary/);
  });

  it("logs no code that is not a plain identifier, from the provider or the browser", async () => {
    const echo = "stored-refresh-canary of\na <b>token</b> ".repeat(20);
    upstream.answer({ status: 400, body: { error: echo } }, { status: 400, body: { error: { type: echo, code: 1 } } });
    const refused = await failureOf(refreshAt(a));
    const failed = await failureOf(refreshAt(c));
    const returned = await failureOf(exchangeAt(b, `error=${encodeURIComponent(echo)}&state=the-state`));
    for (const error of [refused, failed, returned]) {
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("canary");
    }
    expect([refused.kind, failed.kind, returned.kind]).toEqual(["rejected", "unavailable", "rejected"]);
  });

  it("passes Retry-After on", async () => {
    upstream.answer({ status: 503, body: "", headers: { "retry-after": "17" } });
    const error = await failureOf(refreshAt(a));
    expect(error).toMatchObject({ kind: "unavailable", retryAfterSeconds: 17 });
  });
});
