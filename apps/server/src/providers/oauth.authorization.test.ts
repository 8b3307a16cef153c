import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ProviderAdapter } from "./contract.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";
import { upstream, useRecordedServer } from "./testing/recordedServer.ts";
import { a, b, c, REDIRECT, VERIFIER } from "./testing/signIn.ts";

useRecordedServer();

const COMMON = { response_type: "code", redirect_uri: REDIRECT, state: "the-state" };

describe("authorization URL", () => {
  const codeChallenge = createHash("sha256").update(VERIFIER).digest("base64url");
  const address = async (adapter: ProviderAdapter, isAccountChoice = false) => {
    const capabilities = ["CONTENT_LIST", "PROFILE"] as const;
    const request = { redirectUri: REDIRECT, state: "the-state", capabilities, codeChallenge, isAccountChoice };
    const url = await adapter.authorizationUrl(upstream.registration(adapter.provider), request);
    return { origin: url.origin + url.pathname, parameters: Object.fromEntries(url.searchParams) };
  };

  it("requests offline access from PROVIDER_A, with PKCE and scopes separated by spaces", async () => {
    expect(await address(a)).toEqual({
      origin: "https://accounts.google.com/o/oauth2/v2/auth",
      parameters: {
        client_id: "client-id",
        ...COMMON,
        scope: "https://www.googleapis.com/auth/youtube.readonly",
        access_type: "offline",
        prompt: "consent select_account",
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      },
    });
  });

  it("sends PROVIDER_B the client key, scopes separated by commas and the challenge in hexadecimal", async () => {
    expect(await address(b)).toEqual({
      origin: "https://www.tiktok.com/v2/auth/authorize/",
      parameters: {
        client_key: "client-id",
        ...COMMON,
        scope: "user.info.basic,user.info.profile,video.list",
        disable_auto_auth: "1",
        code_challenge: createHash("sha256").update(VERIFIER).digest("hex"),
        code_challenge_method: "S256",
      },
    });
  });

  it("always lets the person choose at PROVIDER_A and PROVIDER_B, and at PROVIDER_C when asked to", async () => {
    for (const adapter of Object.values(PROVIDER_ADAPTERS)) {
      const [without, withChoice] = [await address(adapter), await address(adapter, true)];
      const added = adapter.traits.accountChoice === "always" ? {} : { force_reauth: "true" };
      expect(withChoice.parameters).toEqual({ ...without.parameters, ...added });
    }
  });

  it("sends PROVIDER_C no challenge, which it does not support", async () => {
    expect((await address(c)).parameters).toEqual({
      client_id: "client-id",
      ...COMMON,
      scope: "instagram_business_basic",
    });
    for (const adapter of Object.values(PROVIDER_ADAPTERS)) {
      expect("code_challenge" in (await address(adapter)).parameters).toBe(adapter.traits.pkce);
    }
  });
});
