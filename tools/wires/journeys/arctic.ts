import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import { generateCodeVerifier, OAuth2RequestError, TikTok } from "arctic";
import { CLIENT, REDIRECT_URI } from "../../../apps/simulator/src/testing/testSimulator.ts";
import { atSimulator, codeFor, publicPosts, routePublicHosts, simulator, useSimulator } from "../publicHosts.ts";

/** PROVIDER_B as arctic's client sees it, whose hosts are built in. Google's own clients test PROVIDER_A. */

useSimulator();
before(routePublicHosts);

function refusal(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof OAuth2RequestError, String(error));
    assert.equal(error.code, code);
    return true;
  };
}

describe("TikTok", () => {
  const SCOPES = ["user.info.basic", "user.info.profile", "video.list"];
  const client = (secret: string = CLIENT.clientSecret) => new TikTok(CLIENT.clientId, secret, REDIRECT_URI);

  /** The client writes its challenge in base64url; with the hash in hexadecimal its code is taken. */
  async function begin(account: string, challenge: "as the client writes it" | "in hexadecimal", scopes = SCOPES) {
    const codeVerifier = generateCodeVerifier();
    const url = client().createAuthorizationURL("the-state", codeVerifier, scopes);
    if (challenge === "in hexadecimal")
      url.searchParams.set("code_challenge", createHash("sha256").update(codeVerifier).digest("hex"));
    return { code: await codeFor(atSimulator(url), account), codeVerifier };
  }

  async function signIn(account = "paper-cranes", scopes = SCOPES) {
    const { code, codeVerifier } = await begin(account, "in hexadecimal", scopes);
    return client().validateAuthorizationCode(code, codeVerifier);
  }

  /** No well-kept client of its Display API is on npm: these are the documented calls, with the tokens of arctic. */
  async function read(accessToken: string, path: string, body?: unknown) {
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`https://open.tiktokapis.com/v2/${path}`, init);
    const { data, error } = (await answer.json()) as {
      data: { user?: Record<string, unknown>; videos?: { id: string }[]; cursor?: number; has_more?: boolean };
      error: { code: string };
    };
    return { status: answer.status, code: error.code, data };
  }

  test("a challenge in base64url gets through the consent page, and the token endpoint refuses its code", async () => {
    const { code, codeVerifier } = await begin("paper-cranes", "as the client writes it");
    await assert.rejects(client().validateAuthorizationCode(code, codeVerifier), refusal("invalid_request"));
  });

  test("signs in, refreshes to another refresh token, and revokes by the access token", async () => {
    const tokens = await signIn();
    assert.deepEqual([tokens.tokenType(), tokens.accessTokenExpiresInSeconds()], ["Bearer", 86_400]);
    const refreshed = await client().refreshAccessToken(tokens.refreshToken());
    assert.notEqual(refreshed.refreshToken(), tokens.refreshToken());
    await assert.rejects(client().refreshAccessToken(tokens.refreshToken()), refusal("invalid_grant"));
    await client().revokeToken(refreshed.accessToken());
    await assert.rejects(client().refreshAccessToken(refreshed.refreshToken()), refusal("invalid_grant"));
    await assert.rejects(client().revokeToken(refreshed.accessToken()), refusal("invalid_grant"));
  });

  test("a wrong secret is invalid_client, and a code works once", async () => {
    const { code, codeVerifier } = await begin("paper-cranes", "in hexadecimal");
    await assert.rejects(client("wrong").validateAuthorizationCode(code, codeVerifier), refusal("invalid_client"));
    await client().validateAuthorizationCode(code, codeVerifier);
    await assert.rejects(client().validateAuthorizationCode(code, codeVerifier), refusal("invalid_grant"));
  });

  test("all public videos, page by page, and some of them by id", async () => {
    const accessToken = (await signIn()).accessToken();
    const user = await read(accessToken, "user/info/?fields=open_id,username&fields=display_name");
    assert.deepEqual(Object.keys(user.data.user ?? {}).sort(), ["display_name", "open_id", "username"]);
    const ids: string[] = [];
    for (let cursor: number | undefined, more = true; more; ) {
      const body = { max_count: 20, ...(cursor !== undefined && { cursor }) };
      const { code, data } = await read(accessToken, "video/list/?fields=id,create_time,view_count", body);
      assert.equal(code, "ok");
      ids.push(...(data.videos ?? []).map((video) => video.id));
      cursor = data.cursor;
      more = data.has_more === true;
    }
    assert.deepEqual(ids, await publicPosts("provider-b", "paper-cranes"));
    const asked = ids.slice(0, 20);
    const query = await read(accessToken, "video/query/?fields=id", { filters: { video_ids: asked } });
    assert.deepEqual(query.data.videos?.map((video) => video.id).sort(), [...asked].sort());
  });

  test("an expired token, a missing scope and an exceeded limit have different statuses and codes", async () => {
    const withoutVideos = (await signIn("paper-cranes", ["user.info.basic"])).accessToken();
    const list = (accessToken: string) => read(accessToken, "video/list/?fields=id", {});
    const answerOf = async (accessToken: string) => {
      const { status, code } = await list(accessToken);
      return [status, code];
    };
    assert.deepEqual(await answerOf(withoutVideos), [401, "scope_not_authorized"]);
    const accessToken = (await signIn()).accessToken();
    await simulator.control("POST", "/limits", { callsPerMinute: 0 });
    assert.deepEqual(await answerOf(accessToken), [429, "rate_limit_exceeded"]);
    await simulator.control("POST", "/limits", { callsPerMinute: 600 });
    assert.deepEqual(await answerOf(accessToken), [200, "ok"]);
    simulator.clock.advance(86_400_000);
    assert.deepEqual(await answerOf(accessToken), [401, "access_token_invalid"]);
  });
});
