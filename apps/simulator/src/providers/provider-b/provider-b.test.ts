import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import { OTHER_REDIRECT_URI, startTestSimulator } from "../../testing/testSimulator.ts";

const ALL_SCOPES = "user.info.basic,user.info.profile,video.list";
const VIDEO_FIELDS = "id,create_time,title,cover_image_url,share_url,view_count,like_count,comment_count,share_count";
const USER = "/user/info/?fields=open_id";
const simulator = await startTestSimulator();

afterAll(() => simulator.close());

describe("sign-in", () => {
  test("a code exchange returns a flat object with both tokens and the account's id", async () => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes" });
    expect(consent.callback.searchParams.get("scopes")).toBe(ALL_SCOPES);
    // Escaped in the URL, so clients must decode it.
    expect(consent.callback.search).toContain("%21");
    const response = await simulator.exchange(consent);
    const account = await simulator.control("GET", "/accounts/provider-b/paper-cranes");
    expect(JSON.parse(response.text)).toEqual({
      access_token: expect.stringMatching(/^act\./),
      expires_in: 86_400,
      open_id: account.at("accountId"),
      refresh_expires_in: 31_536_000,
      refresh_token: expect.stringMatching(/^rft\./),
      scope: ALL_SCOPES,
      token_type: "Bearer",
    });
  });

  test.each([
    ["another verifier", { code_verifier: "v".repeat(43) }, "invalid_request"],
    ["another redirect address", { redirect_uri: OTHER_REDIRECT_URI }, "invalid_request"],
    ["another secret", { client_secret: "wrong" }, "invalid_client"],
    ["client_id in place of client_key", { client_key: null, client_id: "test-client" }, "invalid_client"],
  ])("rejects an exchange with %s, after which a correct one succeeds once", async (_case, fields, error) => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes" });
    const refused = await simulator.exchange(consent, fields);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect([refused.at("error"), typeof refused.at("log_id")]).toEqual([error, "string"]);
    expect((await simulator.exchange(consent)).status).toBe(200);
    expect((await simulator.exchange(consent)).at("error")).toBe("invalid_grant");
  });

  test("the exchange rejects a base64url challenge that the consent page accepted", async () => {
    const codeVerifier = "v".repeat(43);
    const challengeIn = (encoding: "base64url" | "hex") => createHash("sha256").update(codeVerifier).digest(encoding);
    const exchangeWith = async (encoding: "base64url" | "hex") => {
      const parameters = { code_challenge: challengeIn(encoding), code_challenge_method: "S256" };
      const consent = await simulator.consent("provider-b", { account: "paper-cranes" }, parameters);
      return simulator.exchange({ ...consent, codeVerifier });
    };
    const refused = await exchangeWith("base64url");
    expect([refused.status, refused.at("error")]).toEqual([400, "invalid_request"]);
    expect((await exchangeWith("hex")).status).toBe(200);
  });

  test("titles and descriptions have at most 150 characters", async () => {
    const { post } = await simulator.connect("provider-b", "empty");
    const long = { title: "t".repeat(200), text: "d".repeat(200) };
    await simulator.control("POST", "/accounts/provider-b/empty/posts", long);
    const list = await post("/video/list/?fields=title,video_description", {});
    expect(list.at("data.videos.0")).toEqual({ title: "t".repeat(150), video_description: "d".repeat(150) });
  });

  test("accepts fields separated by commas, repeated, or both", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    const user = (fields: string) => get(`/user/info/?${fields}`);
    const expected = (await user("fields=open_id,username,display_name")).at("data");
    for (const fields of ["open_id&fields=username&fields=display_name", "open_id,username&fields=display_name"])
      expect((await user(`fields=${fields}`)).at("data")).toEqual(expected);
  });

  test("serves the consent page also without the trailing slash", async () => {
    const url = simulator.authorizationUrl("provider-b");
    url.pathname = url.pathname.slice(0, -1);
    expect((await fetch(url)).headers.get("content-type")).toMatch("text/html");
  });

  test("rejects a request with an unknown scope", async () => {
    const url = simulator.authorizationUrl("provider-b", { scope: "user.info.basic,video.upload" });
    const response = await fetch(url, { redirect: "manual" });
    const back = Object.fromEntries(new URL(response.headers.get("location") ?? "").searchParams);
    expect(back).toEqual({ error: "invalid_scope", error_type: "scope", state: "the-state" });
  });

  test("users can decline scopes, except the basic one", async () => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes", scopes: ["video.list"] });
    expect((await simulator.exchange(consent)).at("scope")).toBe("user.info.basic,video.list");
  });
});

describe("refresh", () => {
  test("replaces the refresh token and invalidates the old one", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "paper-cranes");
    const first = await simulator.refresh("provider-b", refreshToken);
    expect(first.at("refresh_token")).not.toBe(refreshToken);
    expect((await simulator.refresh("provider-b", refreshToken)).at("error")).toBe("invalid_grant");
    expect((await simulator.refresh("provider-b", String(first.at("refresh_token")))).status).toBe(200);
  });

  test("does not extend the lifetime of the refresh token", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "street-baker");
    simulator.clock.advance(DAY_MS);
    const second = await simulator.refresh("provider-b", refreshToken);
    expect(second.at("refresh_expires_in")).toBe(31_536_000 - 86_400);
    simulator.clock.advance(364 * DAY_MS - SECOND_MS);
    const third = await simulator.refresh("provider-b", String(second.at("refresh_token")));
    expect(third.at("refresh_expires_in")).toBe(1);
    simulator.clock.advance(SECOND_MS);
    const late = await simulator.refresh("provider-b", String(third.at("refresh_token")));
    expect(late.at("error")).toBe("invalid_grant");
  });

  test("a replayed refresh token ends the grant of rotating-refresh", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "rotating-refresh");
    const next = await simulator.refresh("provider-b", refreshToken);
    expect(next.at("expires_in")).toBe(30);
    await simulator.refresh("provider-b", refreshToken);
    expect((await simulator.refresh("provider-b", String(next.at("refresh_token")))).at("error")).toBe("invalid_grant");
  });
});

describe("revocation", () => {
  test("takes the access token, returns an empty body, and ends only this grant", async () => {
    const one = await simulator.connect("provider-b", "sibling-1");
    const other = await simulator.connect("provider-b", "sibling-2");
    const refused = await one.revoke(one.refreshToken);
    expect(refused.at("error")).toBe("invalid_grant");
    const response = await one.revoke();
    expect([response.status, response.text]).toEqual([200, ""]);
    const dead = await one.get(USER);
    expect([dead.status, dead.at("error.code"), dead.at("data")]).toEqual([401, "access_token_invalid", {}]);
    expect((await simulator.refresh("provider-b", one.refreshToken)).at("error")).toBe("invalid_grant");
    expect((await other.get(USER)).status).toBe(200);
  });
});

describe("reads", () => {
  test("the user has the fields that were requested and granted", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    const response = await get("/user/info/?fields=open_id,username,bio_description");
    expect(Object.keys(response.at("data.user") as object)).toEqual(["open_id", "bio_description", "username"]);
    expect(response.at("error.code")).toBe("ok");
    const basicOnly = await simulator.connect("provider-b", "paper-cranes", ["user.info.basic"]);
    expect((await basicOnly.get("/user/info/?fields=open_id,username")).at("error.code")).toBe("scope_not_authorized");
    expect((await basicOnly.get("/user/info/?fields=open_id,display_name")).status).toBe(200);
  });

  test("only siblings share a union id", async () => {
    const unionId = async (account: string) => {
      const { get } = await simulator.connect("provider-b", account);
      return (await get("/user/info/?fields=union_id")).at("data.user.union_id");
    };
    expect(await unionId("sibling-1")).toBe(await unionId("sibling-2"));
    expect(await unionId("sibling-1")).not.toBe(await unionId("paper-cranes"));
  });

  test("paginates the list by time, each public video once, with short pages before the end", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const ids: unknown[] = [];
    const sizes: number[] = [];
    let cursor: unknown;
    let hasMore: unknown = true;
    while (hasMore === true) {
      const page = await post(`/video/list/?fields=${VIDEO_FIELDS}`, { max_count: 20, cursor });
      const found = page.at("data.videos.*.id") as unknown[];
      ids.push(...found);
      sizes.push(found.length);
      cursor = page.at("data.cursor");
      hasMore = page.at("data.has_more");
      expect(typeof cursor).toBe("number");
      expect(sizes.length).toBeLessThan(10);
    }
    const posts = await simulator.posts("provider-b", "paper-cranes", "public");
    expect(ids).toEqual(posts.map((each) => each.id));
    expect(sizes.slice(0, -1).some((size) => size < 20)).toBe(true);
  });

  test("a time as cursor starts the list before it", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const before = simulator.clock.now().getTime() - 30 * DAY_MS;
    const page = await post(`/video/list/?fields=${VIDEO_FIELDS}`, { cursor: before, max_count: 20 });
    const times = page.at("data.videos.*.create_time") as number[];
    expect(times.length).toBeGreaterThan(10);
    expect(Math.max(...times) * 1_000).toBeLessThan(before);
  });

  test("a query returns the caller's own public videos by id", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const [own] = await simulator.posts("provider-b", "paper-cranes", "public");
    const [hidden] = await simulator.posts("provider-b", "paper-cranes", "private");
    const [foreign] = await simulator.posts("provider-b", "street-baker", "public");
    const filters = { video_ids: [own?.id, hidden?.id, foreign?.id] };
    const response = await post("/video/query/?fields=id,view_count", { filters });
    expect(response.at("data.videos.*.id")).toEqual([own?.id]);
    expect(response.at("data.cursor")).toBeUndefined();
    expect(typeof response.at("data.videos.0.view_count")).toBe("number");
  });

  test.each([
    ["no fields", "/video/list/", {}],
    ["an unknown field", "/video/list/?fields=id,plays", {}],
    ["21 a page", "/video/list/?fields=id", { max_count: 21 }],
    ["a cursor that is text", "/video/list/?fields=id", { cursor: "1" }],
    ["21 ids", "/video/query/?fields=id", { filters: { video_ids: Array.from("abcdefghijklmnopqrstu") } }],
    ["no ids", "/video/query/?fields=id", {}],
  ])("rejects %s", async (_case, path, body) => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const response = await post(path, body);
    expect([response.status, response.at("error.code"), response.at("data")]).toEqual([400, "invalid_params", {}]);
  });

  test("videos need their scope", async () => {
    const { post } = await simulator.connect("provider-b", "partial-scopes");
    const response = await post("/video/list/?fields=id", {});
    expect([response.status, response.at("error.code")]).toEqual([401, "scope_not_authorized"]);
  });

  test("rejects calls over the limit per minute", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    await simulator.control("POST", "/limits", { callsPerMinute: 1 });
    simulator.clock.advance(60 * SECOND_MS);
    expect((await get(USER)).status).toBe(200);
    const refused = await get(USER);
    expect([refused.status, refused.at("error.code")]).toEqual([429, "rate_limit_exceeded"]);
    simulator.clock.advance(60 * SECOND_MS);
    expect((await get(USER)).status).toBe(200);
    await simulator.control("POST", "/limits", { callsPerMinute: 600 });
  });

  test("a cover URL expires after six hours, and a query returns a new one", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const page = await post("/video/list/?fields=id,cover_image_url", { max_count: 1 });
    const cover = String(page.at("data.videos.0.cover_image_url"));
    const picture = await fetch(cover);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect((await fetch(cover.replace("x-signature=", "x-signature=A"))).status).toBe(403);
    simulator.clock.advance(6 * HOUR_MS);
    expect((await fetch(cover)).status).toBe(403);
    const filters = { video_ids: page.at("data.videos.*.id") };
    const again = await post("/video/query/?fields=cover_image_url", { filters });
    expect((await fetch(String(again.at("data.videos.0.cover_image_url")))).status).toBe(200);
  });
});
