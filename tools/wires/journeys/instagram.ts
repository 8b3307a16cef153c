import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { IGMedia, IGUser } from "facebook-nodejs-business-sdk";
import { AuthorizationCode } from "simple-oauth2";
import { giveConsent } from "../../../apps/simulator/src/drive/drive.ts";
import { CLIENT, REDIRECT_URI } from "../../../apps/simulator/src/testing/testSimulator.ts";
import { graphApi, publicPosts, simulator, useSimulator } from "../publicHosts.ts";

/** PROVIDER_C as others see it: simple-oauth2 signs in, Meta's own SDK reads. */

const BASIC = "instagram_business_basic";
const INSIGHTS = "instagram_business_manage_insights";
const DAY_MS = 86_400_000;

useSimulator();

const origin = () => simulator.providerUrls["provider-c"];

function oauthClient(secret: string = CLIENT.clientSecret): AuthorizationCode {
  return new AuthorizationCode({
    client: { id: CLIENT.clientId, secret },
    auth: {
      tokenHost: origin(),
      tokenPath: "/oauth/access_token",
      authorizeHost: origin(),
      authorizePath: "/oauth/authorize",
    },
    options: { authorizationMethod: "body", scopeSeparator: "," },
  });
}

async function codeFor(account: string, scopes: readonly string[] = [BASIC, INSIGHTS]): Promise<string> {
  const url = oauthClient().authorizeURL({ redirect_uri: REDIRECT_URI, scope: [...scopes], state: "the-state" });
  const callback = await giveConsent(url, { account });
  assert.deepEqual([callback.hash, callback.searchParams.get("state")], ["#_", "the-state"]);
  return String(callback.searchParams.get("code"));
}

interface ShortLived {
  readonly access_token: string;
  readonly user_id: string | number;
}

async function exchange(code: string): Promise<ShortLived> {
  const { token } = await oauthClient().getToken({ code, redirect_uri: REDIRECT_URI });
  const { data } = token as { data?: ShortLived[] };
  return data?.[0] ?? (token as unknown as ShortLived);
}

interface LongLived {
  readonly access_token: string;
  readonly expires_in: number;
}

async function signIn(account = "tidepool-studio", scopes?: readonly string[]) {
  const { access_token: shortLived } = await exchange(await codeFor(account, scopes));
  const parameters = { grant_type: "ig_exchange_token", client_secret: CLIENT.clientSecret };
  const api = graphApi(origin(), shortLived);
  const longLived = (await api.call("GET", ["access_token"], parameters)) as LongLived;
  assert.equal(longLived.expires_in, 60 * 86_400);
  return graphApi(origin(), longLived.access_token);
}

function refresh(api: ReturnType<typeof graphApi>): Promise<LongLived> {
  return api.call("GET", ["refresh_access_token"], { grant_type: "ig_refresh_token" }) as Promise<LongLived>;
}

async function ownMedia(api: ReturnType<typeof graphApi>, fields: string[]): Promise<Record<string, unknown>[]> {
  let page = await new IGUser("me", {}, undefined, api).getMedia(fields, { limit: 10 });
  const found = [...page];
  while (page.hasNext()) {
    page = await page.next();
    found.push(...page);
  }
  return found.map((media) => media._data as Record<string, unknown>);
}

/** The content of the SDK's error: HTTP status, code, subcode. */
function refusal(status: number, code: number, subcode?: number) {
  return (error: { name?: string; status?: number; response?: { code?: number; error_subcode?: number } }) => {
    assert.equal(error.name, "FacebookRequestError", String(error));
    assert.deepEqual([error.status, error.response?.code, error.response?.error_subcode], [status, code, subcode]);
    return true;
  };
}

describe("sign-in", () => {
  test("a code buys a token of an hour, in a list or flat, and that one of sixty days", async () => {
    for (const account of ["tidepool-studio", "flat-token"]) {
      const { access_token: accessToken, user_id: userId } = await exchange(await codeFor(account));
      assert.ok(accessToken.length > 20 && String(userId).length >= 16);
    }
    await signIn();
  });

  test("a used code and a wrong secret are refused in the sign-in host's own form", async () => {
    const code = await codeFor("tidepool-studio");
    const refused = (error: { data?: { payload?: { error_type?: string; code?: number } } }) => {
      assert.deepEqual([error.data?.payload?.error_type, error.data?.payload?.code], ["OAuthException", 400]);
      return true;
    };
    await assert.rejects(oauthClient("wrong").getToken({ code, redirect_uri: REDIRECT_URI }), refused);
    await exchange(code);
    await assert.rejects(exchange(code), refused);
  });
});

describe("reads", () => {
  test("the account, by me and by its id", async () => {
    const api = await signIn();
    const me = await new IGUser("me", {}, undefined, api).get(["id", "user_id", "username", "media_count"]);
    assert.equal(me._data["username"], "tidepool_studio");
    const again = await new IGUser(String(me._data["user_id"]), {}, undefined, api).get(["username"]);
    assert.equal(again._data["username"], "tidepool_studio");
  });

  test("all posts, page by page, by the address of the next page", async () => {
    const api = await signIn();
    const fields = ["id", "caption", "media_type", "permalink", "timestamp", "like_count", "comments_count"];
    const media = await ownMedia(api, fields);
    const ids = media.map((each) => each["id"]);
    assert.deepEqual(ids, await publicPosts("provider-c", "tidepool-studio"));
    assert.ok(media.length > 10);
  });

  test("an album's pictures, and a post's numbers, whose names the SDK sends as JSON", async () => {
    const api = await signIn();
    const media = await ownMedia(api, ["id", "media_type"]);
    const album = media.find((each) => each["media_type"] === "CAROUSEL_ALBUM");
    const children = await new IGMedia(String(album?.["id"]), {}, undefined, api).getChildren(["id", "media_type"]);
    assert.ok(children.length >= 2);
    const metric = ["views", "likes", "comments", "shares", "saved", "reach", "total_interactions"];
    const post = media.find((each) => each["media_type"] === "VIDEO");
    const insights = await new IGMedia(String(post?.["id"]), {}, undefined, api).getInsights([], { metric });
    assert.deepEqual(
      [...insights].map((insight) => insight._data["name"]),
      metric,
    );
  });
});

describe("refresh", () => {
  test("a long-lived token is renewed from its second day on", async () => {
    const api = await signIn();
    await assert.rejects(refresh(api), refusal(400, 100));
    simulator.clock.advance(DAY_MS);
    const renewed = await refresh(api);
    assert.equal(renewed.expires_in, 60 * 86_400);
    const me = await new IGUser("me", {}, undefined, graphApi(origin(), renewed.access_token)).get(["username"]);
    assert.equal(me._data["username"], "tidepool_studio");
  });

  test("an expired token can neither be renewed nor used", async () => {
    const api = await signIn();
    simulator.clock.advance(61 * DAY_MS);
    await assert.rejects(refresh(api), refusal(400, 190, 463));
    await assert.rejects(new IGUser("me", {}, undefined, api).get(["id"]), refusal(400, 190, 463));
  });
});

describe("errors", () => {
  test("a person who removed the application, and one who changed the password", async () => {
    for (const [cause, subcode] of [
      ["removed-app", 458],
      ["password-changed", 460],
    ] as const) {
      const api = await signIn("linen-and-clay");
      await simulator.control("POST", "/accounts/provider-c/linen-and-clay/end-grant", { cause });
      await assert.rejects(new IGUser("me", {}, undefined, api).get(["id"]), refusal(400, 190, subcode));
    }
  });

  test("an invalid token, a missing post, an unknown field", async () => {
    const api = await signIn();
    const broken = graphApi(origin(), "IGAAnothing");
    await assert.rejects(new IGUser("me", {}, undefined, broken).get(["id"]), refusal(400, 190));
    await assert.rejects(new IGMedia("17900000000000000", {}, undefined, api).get(["id"]), refusal(400, 100, 33));
    await assert.rejects(new IGUser("me", {}, undefined, api).get(["shoe_size"]), refusal(400, 100));
  });

  test("numbers without their permission, and the application's limit", async () => {
    const api = await signIn("tidepool-studio", [BASIC]);
    const [post] = await ownMedia(api, ["id"]);
    const insights = new IGMedia(String(post?.["id"]), {}, undefined, api).getInsights([], { metric: ["views"] });
    await assert.rejects(insights as Promise<unknown>, refusal(400, 10));
    await simulator.control("POST", "/limits", { callsPerHour: 1 });
    await assert.rejects(new IGUser("me", {}, undefined, api).get(["id"]), refusal(403, 4));
    await simulator.control("POST", "/limits", { callsPerHour: 4_800 });
    assert.equal((await ownMedia(api, ["id"])).length > 0, true);
  });
});
