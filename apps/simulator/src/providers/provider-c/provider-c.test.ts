import { afterAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import { OTHER_REDIRECT_URI, type ShownPost, startTestSimulator } from "../../testing/testSimulator.ts";

const BASIC = "instagram_business_basic";
const INSIGHTS = "instagram_business_manage_insights";
const METRICS = "views,likes,comments,shares";
const simulator = await startTestSimulator();

afterAll(() => simulator.close());

async function publicPosts(account: string): Promise<readonly ShownPost[]> {
  return simulator.posts("provider-c", account, "public");
}

describe("sign-in", () => {
  test("the redirect ends with #_, and a code exchange returns a token for an hour inside a data array", async () => {
    const consent = await simulator.consent("provider-c", { account: "tidepool-studio" });
    expect(consent.callback.hash).toBe("#_");
    const response = await simulator.exchange(consent);
    expect(JSON.parse(response.text)).toEqual({
      data: [
        {
          access_token: expect.stringMatching(/^IGAA/),
          user_id: expect.stringMatching(/^\d{17}$/),
          permissions: `${BASIC},${INSIGHTS}`,
        },
      ],
    });
    const used = await simulator.exchange(consent);
    expect([used.status, JSON.parse(used.text)]).toEqual([
      400,
      { error_type: "OAuthException", code: 400, error_message: "Matching code was not found or was already used" },
    ]);
  });

  test("the flat form contains a number beyond 2^53", async () => {
    const response = await simulator.exchange(await simulator.consent("provider-c", { account: "flat-token" }));
    expect(response.text).toMatch(/"user_id":\d{17}[,}]/);
  });

  test.each([
    ["another redirect address", { redirect_uri: OTHER_REDIRECT_URI }],
    ["another secret", { client_secret: "wrong" }],
    ["another grant type", { grant_type: "refresh_token" }],
  ])("rejects an exchange with %s, after which a correct one succeeds", async (_case, fields) => {
    const consent = await simulator.consent("provider-c", { account: "tidepool-studio" });
    const refused = await simulator.exchange(consent, fields);
    expect([refused.status, typeof refused.at("error_message")]).toEqual([400, "string"]);
    expect((await simulator.exchange(consent)).status).toBe(200);
  });

  test("a long-lived token lasts 60 days and can be renewed after one day until it expires", async () => {
    const { accessToken, get } = await simulator.connect("provider-c", "tidepool-studio");
    expect((await simulator.refresh("provider-c", accessToken)).at("error.code")).toBe(100);
    simulator.clock.advance(DAY_MS);
    const renewed = await simulator.refresh("provider-c", accessToken);
    expect([renewed.status, renewed.at("expires_in"), renewed.at("token_type")]).toEqual([200, 5_184_000, "bearer"]);
    simulator.clock.advance(59 * DAY_MS);
    const ended = await get("/me?fields=id");
    expect([ended.status, ended.at("error.code"), ended.at("error.error_subcode")]).toEqual([400, 190, 463]);
    expect((await simulator.refresh("provider-c", accessToken)).at("error.code")).toBe(190);
    expect((await simulator.refresh("provider-c", String(renewed.at("access_token")))).status).toBe(200);
  });

  test("a short-lived token expires after an hour, and only such a token can be exchanged", async () => {
    const { api } = simulator.registration("provider-c").addresses;
    const exchange = (token: unknown, secret = "test-client-secret") =>
      simulator.call(`${api}/access_token?grant_type=ig_exchange_token&client_secret=${secret}&access_token=${token}`);
    const consent = await simulator.consent("provider-c", { account: "tidepool-studio" });
    const short = (await simulator.exchange(consent)).at("data.0.access_token");
    expect((await exchange(short, "wrong")).status).toBe(400);
    const long = await exchange(short);
    expect(long.status).toBe(200);
    expect((await exchange(long.at("access_token"))).status).toBe(400);
    simulator.clock.advance(HOUR_MS);
    expect((await exchange(short)).status).toBe(400);
  });
});

describe("reads", () => {
  test("an account is identified by both of its ids and by `me`", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const me = await get("/me?fields=id,user_id,username,account_type");
    const account = await simulator.control("GET", "/accounts/provider-c/tidepool-studio");
    expect(me.at("user_id")).toBe(account.at("accountId"));
    expect(me.at("id")).not.toBe(me.at("user_id"));
    for (const id of [me.at("id"), me.at("user_id")])
      expect((await get(`/${String(id)}?fields=username`)).at("username")).toBe("tidepool_studio");
    expect((await get("/17841000000000000?fields=username")).at("error.error_subcode")).toBe(33);
    const usage = JSON.parse(me.headers.get("x-business-use-case-usage") ?? "{}");
    expect(usage[String(me.at("user_id"))][0]).toMatchObject({ type: "instagram", estimated_time_to_regain_access: 0 });
  });

  test("accepts a version in the path", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    expect((await get("/v23.0/me?fields=username")).at("username")).toBe("tidepool_studio");
  });

  test("can return the profile inside a data array", async () => {
    const { get } = await simulator.connect("provider-c", "array-profile");
    expect((await get("/me?fields=username")).at("data.0.username")).toBe("array_profile");
  });

  test("paginates by cursor or by the next URL; the last page has a cursor but no next", async () => {
    const { get, accessToken } = await simulator.connect("provider-c", "tidepool-studio");
    const ids: unknown[] = [];
    let page = await get("/me/media?fields=id&limit=20");
    for (;;) {
      ids.push(...(page.at("data.*.id") as unknown[]));
      const next = page.at("paging.next");
      if (next === undefined) break;
      expect(String(next)).toContain(`access_token=${accessToken}`);
      const followed = await simulator.call(String(next));
      page = await get(`/me/media?fields=id&limit=20&after=${String(page.at("paging.cursors.after"))}`);
      expect(followed.at("data")).toEqual(page.at("data"));
    }
    expect(page.at("paging.cursors.after")).toBeDefined();
    expect(ids).toEqual((await publicPosts("tidepool-studio")).map((post) => post.id));
  });

  test("omits empty captions, thumbnails of pictures, and hidden counts", async () => {
    const fields =
      "caption,media_type,media_product_type,thumbnail_url,media_url,permalink,timestamp,like_count,comments_count,children{id,media_type}";
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const items = (await get(`/me/media?fields=${fields}&limit=100`)).at("data") as Record<string, unknown>[];
    expect(items.some((item) => !("caption" in item))).toBe(true);
    expect(items.some((item) => !("like_count" in item))).toBe(true);
    for (const item of items) {
      expect("thumbnail_url" in item).toBe(item.media_type === "VIDEO");
      expect("children" in item).toBe(item.media_type === "CAROUSEL_ALBUM");
      expect(item.media_product_type).toBe(item.media_type === "VIDEO" ? "REELS" : "FEED");
      expect(item.permalink).toMatch(item.media_type === "VIDEO" ? /\/reel\/[\w-]+\/$/ : /\/p\/[\w-]+\/$/);
      expect(item.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
      expect(Object.values(item)).not.toContain(null);
    }
    const hidden = await simulator.connect("provider-c", "hidden-likes");
    for (const item of (await hidden.get("/me/media?fields=like_count,comments_count")).at("data") as object[])
      expect(item).not.toHaveProperty("like_count");
  });

  test("pictures of an album have no caption and no counts", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const album = (await publicPosts("tidepool-studio")).find((post) => post.form === "carousel");
    const children = await get(`/${album?.id}/children?fields=id,media_type,caption,like_count,permalink`);
    expect(Object.keys((children.at("data") as object[])[0] ?? {}).sort()).toEqual(["id", "media_type", "permalink"]);
  });

  test("returns the same error for a deleted post, a private post and a post of another account", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const [deleted] = await simulator.posts("provider-c", "tidepool-studio", "deleted");
    const [hidden] = await simulator.posts("provider-c", "tidepool-studio", "private");
    const [foreign] = await publicPosts("city-swifts");
    for (const id of [deleted?.id, hidden?.id, foreign?.id, "17900000000000000"]) {
      const response = await get(`/${id}?fields=id`);
      expect([response.status, response.at("error.code"), response.at("error.error_subcode")]).toEqual([400, 100, 33]);
    }
    const [own] = await publicPosts("tidepool-studio");
    expect((await get(`/${own?.id}?fields=id`)).status).toBe(200);
  });

  test("insights need their scope", async () => {
    const [newest] = await publicPosts("linen-and-clay");
    const without = await simulator.connect("provider-c", "linen-and-clay", [BASIC]);
    const refused = await without.get(`/${newest?.id}/insights?metric=${METRICS}`);
    expect([refused.status, refused.at("error.code")]).toEqual([400, 10]);
    const granted = await simulator.connect("provider-c", "linen-and-clay");
    const response = await granted.get(`/${newest?.id}/insights?metric=${METRICS}`);
    expect(response.at("data.*.name")).toEqual(METRICS.split(","));
    expect(typeof response.at("data.0.values.0.value")).toBe("number");
  });

  test("a new post has empty insights, not zeros", async () => {
    const { get } = await simulator.connect("provider-c", "empty");
    const post = await simulator.control("POST", "/accounts/provider-c/empty/posts", {});
    const insights = async () => (await get(`/${String(post.at("id"))}/insights?metric=views`)).at("data");
    expect(await insights()).toEqual([]);
    simulator.clock.advance(2 * HOUR_MS);
    expect(await insights()).toHaveLength(1);
  });

  test("a post older than two years has empty insights", async () => {
    const { get } = await simulator.connect("provider-c", "empty");
    const insightsOfPostOf = async (ageDays: number) => {
      const publishedAt = new Date(simulator.clock.now().getTime() - ageDays * DAY_MS).toISOString();
      const post = await simulator.control("POST", "/accounts/provider-c/empty/posts", { publishedAt });
      return (await get(`/${String(post.at("id"))}/insights?metric=views`)).at("data");
    };
    expect(await insightsOfPostOf(731)).toEqual([]);
    expect(await insightsOfPostOf(729)).toHaveLength(1);
  });

  test("omits shares for an account type without them", async () => {
    const { get } = await simulator.connect("provider-c", "no-shares");
    const [post] = await publicPosts("no-shares");
    const insights = await get(`/${post?.id}/insights?metric=${METRICS}`);
    expect(insights.at("data.*.name")).toEqual(["views", "likes", "comments"]);
  });

  test("returns the reason if a post has no insights", async () => {
    const { get } = await simulator.connect("provider-c", "city-swifts");
    const responses = await Promise.all(
      (await publicPosts("city-swifts")).map((post) => get(`/${post.id}/insights?metric=${METRICS}`)),
    );
    const errors = responses
      .filter((response) => response.status !== 200)
      .map((response) => [response.at("error.code"), response.at("error.error_subcode")]);
    expect(errors).toContainEqual([10, undefined]);
    expect(errors).toContainEqual([100, 2_108_006]);
    expect(responses.filter((response) => response.status === 200).length).toBeGreaterThan(30);
  });

  test.each([
    "/me?fields=id,shoe_size",
    "/me/media?fields=id,plays",
    "/me/media?fields=children{id",
    "/me/media?fields=id&limit=101",
    "/me/media?fields=id&after=nonsense",
    "/17900000000000000/insights",
  ])("rejects %s", async (path) => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const response = await get(path);
    expect([response.status, response.at("error.code")]).toEqual([400, 100]);
  });

  test("accepts fields and metrics separated by commas, repeated, as JSON, or mixed", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const plain = (await get("/me?fields=id,username,name")).text;
    for (const first of ["id&fields=username", "id,username", encodeURIComponent('["id","username"]')])
      expect((await get(`/me?fields=${first}&fields=name`)).text).toBe(plain);
    const [post] = await publicPosts("tidepool-studio");
    const metrics = encodeURIComponent('["views","reach"]');
    expect((await get(`/${post?.id}/insights?metric=${metrics}`)).text).toBe(
      (await get(`/${post?.id}/insights?metric=views&metric=reach`)).text,
    );
    const page = await get("/v24.0/me/media?fields=id&fields=timestamp&limit=2");
    const next = await simulator.call(String(page.at("paging.next")));
    expect([next.status, Object.keys(next.at("data.0") as object)]).toEqual([200, ["id", "timestamp"]]);
  });

  test("rejects metrics that the provider has removed", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    const [post] = await publicPosts("tidepool-studio");
    for (const metric of ["plays", "impressions", "video_views"]) {
      expect((await get(`/${post?.id}/insights?metric=views,${metric}`)).at("error.code")).toBe(100);
    }
    expect((await get(`/${post?.id}/insights?metric=views`)).status).toBe(200);
  });

  test("returns 403 with code 4 over the application's limit", async () => {
    const { get } = await simulator.connect("provider-c", "tidepool-studio");
    await simulator.control("POST", "/limits", { callsPerHour: 1 });
    const response = await get("/me?fields=id");
    await simulator.control("POST", "/limits", { callsPerHour: 4_800 });
    expect([response.status, response.at("error.code"), response.at("error.is_transient")]).toEqual([403, 4, true]);
    simulator.clock.advance(SECOND_MS);
    expect((await get("/me?fields=id")).status).toBe(200);
  });
});
