import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../shared/clock.ts";
import type { TestSimulator } from "../../testing/testSimulator.ts";
import { startTestSimulator } from "../../testing/testSimulator.ts";

const ALL_SCOPES = "user.info.basic,user.info.profile,video.list";
const VIDEO_FIELDS = "id,create_time,title,cover_image_url,share_url,view_count,like_count,comment_count,share_count";
let simulator: TestSimulator;

beforeAll(async () => {
  simulator = await startTestSimulator();
});
afterAll(() => simulator.close());

describe("sign-in", () => {
  test("a code buys a flat answer with both tokens and the account's id", async () => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes" });
    expect(consent.callback.searchParams.get("scopes")).toBe(ALL_SCOPES);
    // Escaped in the address, so a reader who forgets to decode it fails.
    expect(consent.callback.search).toContain("%21");
    const answer = await simulator.exchange(consent);
    const account = await simulator.control("GET", "/accounts/provider-b/paper-cranes");
    expect(JSON.parse(answer.text)).toEqual({
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
    ["another redirect address", { redirect_uri: "http://127.0.0.1:65000/other" }, "invalid_request"],
    ["another secret", { client_secret: "wrong" }, "invalid_client"],
    ["client_id in place of client_key", { client_key: null, client_id: "test-client" }, "invalid_client"],
  ])("an exchange with %s is refused, and the right one works once", async (_case, fields, error) => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes" });
    const refused = await simulator.exchange(consent, fields);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect([refused.at("error"), typeof refused.at("log_id")]).toEqual([error, "string"]);
    expect((await simulator.exchange(consent)).status).toBe(200);
    expect((await simulator.exchange(consent)).at("error")).toBe("invalid_grant");
  });

  test("a challenge in base64url gets through the consent page, and the exchange refuses its code", async () => {
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

  test("a title and a description have 150 characters at most", async () => {
    const { post } = await simulator.connect("provider-b", "empty");
    const long = { title: "t".repeat(200), text: "d".repeat(200) };
    await simulator.control("POST", "/accounts/provider-b/empty/posts", long);
    const list = await post("/video/list/?fields=title,video_description", {});
    expect(list.at("data.videos.0")).toEqual({ title: "t".repeat(150), video_description: "d".repeat(150) });
  });

  test("fields are a list with commas, repeated, or both", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    const user = (fields: string) => get(`/user/info/?${fields}`);
    const expected = (await user("fields=open_id,username,display_name")).at("data");
    for (const fields of [
      "fields=open_id&fields=username&fields=display_name",
      "fields=open_id,username&fields=display_name",
    ])
      expect((await user(fields)).at("data")).toEqual(expected);
  });

  test("the consent page is at the same address without the slash at its end", async () => {
    const url = simulator.authorizationUrl("provider-b");
    url.pathname = url.pathname.slice(0, -1);
    expect((await fetch(url)).headers.get("content-type")).toMatch("text/html");
  });

  test("one scope that is unknown refuses the whole request", async () => {
    const url = simulator.authorizationUrl("provider-b", { scope: "user.info.basic,video.upload" });
    const answer = await fetch(url, { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: "invalid_scope",
      error_type: "scope",
      state: "the-state",
    });
  });

  test("a person may grant fewer scopes than asked for, but not without the basic one", async () => {
    const consent = await simulator.consent("provider-b", { account: "paper-cranes", scopes: ["video.list"] });
    expect((await simulator.exchange(consent)).at("scope")).toBe("user.info.basic,video.list");
  });
});

describe("refresh", () => {
  test("each refresh replaces the refresh token, and the old one is dead", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "paper-cranes");
    const first = await simulator.refresh("provider-b", refreshToken);
    expect(first.at("refresh_token")).not.toBe(refreshToken);
    expect((await simulator.refresh("provider-b", refreshToken)).at("error")).toBe("invalid_grant");
    expect((await simulator.refresh("provider-b", String(first.at("refresh_token")))).status).toBe(200);
  });

  test("the refresh token's end is counted from the first issue", async () => {
    const { refreshToken } = await simulator.connect("provider-b", "street-baker");
    simulator.clock.advance(DAY_MS);
    const second = await simulator.refresh("provider-b", refreshToken);
    expect(second.at("refresh_expires_in")).toBe(31_536_000 - 86_400);
    simulator.clock.advance(364 * DAY_MS - SECOND_MS);
    const third = await simulator.refresh("provider-b", String(second.at("refresh_token")));
    expect(third.at("refresh_expires_in")).toBe(1);
    simulator.clock.advance(SECOND_MS);
    expect((await simulator.refresh("provider-b", String(third.at("refresh_token")))).at("error")).toBe(
      "invalid_grant",
    );
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
  test("takes the access token, answers with nothing, and ends this grant alone", async () => {
    const one = await simulator.connect("provider-b", "sibling-1");
    const other = await simulator.connect("provider-b", "sibling-2");
    const refused = await one.revoke(one.refreshToken);
    expect(refused.at("error")).toBe("invalid_grant");
    const answer = await one.revoke();
    expect([answer.status, answer.text]).toEqual([200, ""]);
    const dead = await one.get("/user/info/?fields=open_id");
    expect([dead.status, dead.at("error.code"), dead.at("data")]).toEqual([401, "access_token_invalid", {}]);
    expect((await simulator.refresh("provider-b", one.refreshToken)).at("error")).toBe("invalid_grant");
    expect((await other.get("/user/info/?fields=open_id")).status).toBe(200);
  });
});

describe("reads", () => {
  test("the user has the fields that were asked for and granted", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    const answer = await get("/user/info/?fields=open_id,username,bio_description");
    expect(Object.keys(answer.at("data.user") as object)).toEqual(["open_id", "bio_description", "username"]);
    expect(answer.at("error.code")).toBe("ok");
    const basicOnly = await simulator.connect("provider-b", "paper-cranes", ["user.info.basic"]);
    expect((await basicOnly.get("/user/info/?fields=open_id,username")).at("error.code")).toBe("scope_not_authorized");
    expect((await basicOnly.get("/user/info/?fields=open_id,display_name")).status).toBe(200);
  });

  test("siblings share their union id, strangers do not", async () => {
    const unionId = async (account: string) =>
      (await (await simulator.connect("provider-b", account)).get("/user/info/?fields=union_id")).at(
        "data.user.union_id",
      );
    expect(await unionId("sibling-1")).toBe(await unionId("sibling-2"));
    expect(await unionId("sibling-1")).not.toBe(await unionId("paper-cranes"));
  });

  test("the list is walked by time, every public video once, with pages that are short before the end", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const { posts } = JSON.parse((await simulator.control("GET", "/accounts/provider-b/paper-cranes/posts")).text);
    const ids: unknown[] = [];
    const sizes: number[] = [];
    let cursor: unknown;
    let hasMore: unknown = true;
    while (hasMore === true) {
      const page = await post(`/video/list/?fields=${VIDEO_FIELDS}`, {
        max_count: 20,
        ...(cursor !== undefined && { cursor }),
      });
      const found = page.at("data.videos.*.id") as unknown[];
      ids.push(...found);
      sizes.push(found.length);
      cursor = page.at("data.cursor");
      hasMore = page.at("data.has_more");
      expect(typeof cursor).toBe("number");
      expect(sizes.length).toBeLessThan(10);
    }
    const expected = posts
      .filter((each: { visibility: string }) => each.visibility === "public")
      .map((each: { id: string }) => each.id);
    expect(ids).toEqual(expected);
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

  test("a query gives the caller's own public videos among the ids", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const postsOf = async (account: string) =>
      JSON.parse((await simulator.control("GET", `/accounts/provider-b/${account}/posts`)).text).posts;
    const own = await postsOf("paper-cranes");
    const foreign = await postsOf("street-baker");
    const idOf = (posts: { id: string; visibility: string }[], visibility: string) =>
      posts.find((each) => each.visibility === visibility)?.id;
    const ids = [idOf(own, "public"), idOf(own, "private"), idOf(foreign, "public")];
    const answer = await post("/video/query/?fields=id,view_count", { filters: { video_ids: ids } });
    expect(answer.at("data.videos.*.id")).toEqual([idOf(own, "public")]);
    expect(answer.at("data.cursor")).toBeUndefined();
    expect(typeof answer.at("data.videos.0.view_count")).toBe("number");
  });

  test.each([
    ["no fields", "/video/list/", {}, "invalid_params"],
    ["an unknown field", "/video/list/?fields=id,plays", {}, "invalid_params"],
    ["21 a page", "/video/list/?fields=id", { max_count: 21 }, "invalid_params"],
    ["a cursor that is text", "/video/list/?fields=id", { cursor: "1" }, "invalid_params"],
    [
      "21 ids",
      "/video/query/?fields=id",
      { filters: { video_ids: Array.from({ length: 21 }, (_, index) => `${index}`) } },
      "invalid_params",
    ],
    ["no ids", "/video/query/?fields=id", {}, "invalid_params"],
  ])("%s is refused", async (_case, path, body, code) => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const answer = await post(path, body);
    expect([answer.status, answer.at("error.code"), answer.at("data")]).toEqual([400, code, {}]);
  });

  test("videos need their scope", async () => {
    const { post } = await simulator.connect("provider-b", "partial-scopes");
    const answer = await post("/video/list/?fields=id", {});
    expect([answer.status, answer.at("error.code")]).toEqual([401, "scope_not_authorized"]);
  });

  test("one call too many within a minute is refused, and a minute later it is not", async () => {
    const { get } = await simulator.connect("provider-b", "paper-cranes");
    await simulator.control("POST", "/limits", { callsPerMinute: 1 });
    simulator.clock.advance(60 * SECOND_MS);
    expect((await get("/user/info/?fields=open_id")).status).toBe(200);
    const refused = await get("/user/info/?fields=open_id");
    expect([refused.status, refused.at("error.code")]).toEqual([429, "rate_limit_exceeded"]);
    simulator.clock.advance(60 * SECOND_MS);
    expect((await get("/user/info/?fields=open_id")).status).toBe(200);
    await simulator.control("POST", "/limits", { callsPerMinute: 600 });
  });

  test("a cover picture is there for six hours, and a query gives a new address", async () => {
    const { post } = await simulator.connect("provider-b", "paper-cranes");
    const page = await post("/video/list/?fields=id,cover_image_url", { max_count: 1 });
    const cover = String(page.at("data.videos.0.cover_image_url"));
    const picture = await fetch(cover);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect((await fetch(cover.replace("x-signature=", "x-signature=A"))).status).toBe(403);
    simulator.clock.advance(6 * HOUR_MS);
    expect((await fetch(cover)).status).toBe(403);
    const again = await post("/video/query/?fields=cover_image_url", {
      filters: { video_ids: [page.at("data.videos.0.id")] },
    });
    expect((await fetch(String(again.at("data.videos.0.cover_image_url")))).status).toBe(200);
  });
});
