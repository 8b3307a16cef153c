import { describe, expect, it } from "vitest";
import type { ProviderAdapter, ProviderErrorKind, StoredTokens } from "./contract.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";
import { upstream, useRecordedServer } from "./testing/recordedServer.ts";
import { failureOf, NOW, type ReplayAnswer } from "./testing/replay.ts";
import { a, b, c, said, stored } from "./testing/signIn.ts";

useRecordedServer();

describe("revocation", () => {
  const revoke = (adapter: ProviderAdapter, tokens: StoredTokens, answer?: ReplayAnswer) => {
    if (answer !== undefined) upstream.answer(answer);
    return adapter.revoke?.(upstream.registration(adapter.provider), tokens) ?? expect.fail("cannot revoke");
  };

  it("sends PROVIDER_A the refresh token, or the access token where there is no refresh token", async () => {
    await revoke(a, stored(), { body: "" });
    await revoke(a, stored({ refreshToken: null }), { body: {} });
    expect(upstream.takeRequests().map((request) => [request.method, request.url.pathname, request.body])).toEqual([
      ["POST", "/revoke", "token=stored-refresh-canary"],
      ["POST", "/revoke", "token=stored-access-canary"],
    ]);
  });

  it("sends PROVIDER_B the access token with the client's credentials", async () => {
    await revoke(b, stored(), { body: "" });
    const [request] = upstream.takeRequests();
    expect(request?.url.pathname).toBe("/v2/oauth/revoke/");
    expect(request?.form).toEqual({
      client_key: "client-id",
      client_secret: "client-secret-canary",
      token: "stored-access-canary",
    });
  });

  it("distinguishes a credential that was already invalid from one revoked now", async () => {
    const answers: [ProviderAdapter, ReplayAnswer][] = [
      [a, said(400, "a", "revoke--error-invalid-token-code-only.json")],
      [b, { status: 401, body: { error: "access_token_invalid" } }],
      [b, { status: 400, body: { data: {}, error: { code: "access_token_invalid" } } }],
    ];
    for (const [adapter, answer] of answers) {
      expect((await failureOf(revoke(adapter, stored(), answer))).kind).toBe("grant_gone");
    }
  });

  it("requires a refresh of PROVIDER_B's expired access token first, because its rejection would prove nothing", async () => {
    expect(b.traits.revokeNeedsLiveAccessToken).toBe(true);
    const expired = stored({ accessTokenExpiresAt: NOW });
    expect((await failureOf(revoke(b, expired))).kind).toBe("access_expired");
    expect(upstream.takeRequests()).toEqual([]);
  });

  const REFUSALS: [string, ProviderAdapter, ProviderErrorKind, ReplayAnswer][] = [
    [
      "a token that cannot be revoked (A)",
      a,
      "rejected",
      { status: 400, body: { error: "invalid_request", error_description: "An example text." } },
    ],
    ["a wrong client (B)", b, "application_refused", { status: 401, body: { error: "invalid_client", log_id: "1" } }],
    ["a refused access (B)", b, "rejected", { status: 403, body: { error: "access_denied" } }],
    ["a code that is not a string (B)", b, "unavailable", { status: 400, body: { error: { code: null } } }],
    ["a refusal (B)", b, "rejected", said(400, "b", "oauth-revoke--error-malformed-parameters.json")],
    ["a refusal with HTTP 200 (B)", b, "rejected", said(200, "b", "oauth-revoke--error-malformed-parameters.json")],
    ["a page of HTML with 404 (A)", a, "unavailable", { status: 404, body: "<html></html>" }],
    ["a page of HTML with 200 (B)", b, "unavailable", { status: 200, body: "<html></html>" }],
    ["503 (A)", a, "unavailable", { status: 503, body: "" }],
    ["503 (B)", b, "unavailable", { status: 503, body: "" }],
    ["429 (B)", b, "rate_limited", { status: 429, body: "" }],
    ["a broken connection (A)", a, "unavailable", { fails: new Error("cut") }],
  ];

  it.each(REFUSALS)("does not treat %s as success", async (_name, adapter, kind, answer) => {
    const error = await failureOf(revoke(adapter, stored(), answer));
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain("canary");
  });

  it("exists exactly where the trait says", () => {
    for (const adapter of Object.values(PROVIDER_ADAPTERS))
      expect(adapter.revoke !== undefined).toBe(adapter.traits.canRevoke);
    expect(c.traits.canRevoke).toBe(false);
  });
});
