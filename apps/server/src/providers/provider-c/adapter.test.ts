import { describe, expect, it } from "vitest";
import { NOTHING_SHOWN, type ReplayAnswer } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { list, media, more, NO_INSIGHTS, pathsOf, recorded, said, setUp, WINDOW } from "./testAnswers.ts";

describe("account", () => {
  it("reads the recorded flat account with its own user_id", async () => {
    const { upstream, read } = setUp({ body: recorded("me--flat-app-scoped-id-emoji-biography.json") });
    expect(await providerC.readAccount(read())).toEqual({
      providerAccountId: "27760000000000001",
      providerUserKey: "27760000000000001",
      displayName: "Example Person | Example Brand",
      handle: "example_account",
      avatarUrl: "https://scontent-iad3-1.cdninstagram.com/v/t51.75761-19/...",
      profileUrl: "https://www.instagram.com/example_account/",
      description: "🎤 Example host for years\n🙋🏼‍♀️ Topics | More topics\n👇🏻See my example page",
    });
    expect(upstream.requests[0]?.url.href).not.toContain("canary");
    expect(upstream.requests[0]?.headers.get("authorization")).toBe("Bearer access-token-canary");
  });

  it("reads the account's user_id from a list of one and as a large number", async () => {
    const body = '{"data":[{"id":"27760000000000001","user_id":17841400000000000001,"username":"a"}]}';
    expect(await providerC.readAccount(setUp({ body }).read())).toMatchObject({
      providerAccountId: "17841400000000000001",
      providerUserKey: "27760000000000001",
    });
  });

  it.each([
    [{ id: "2", username: null, name: "", biography: null, profile_picture_url: "" }, "2"],
    [{ id: 27_760_000_000_001, user_id: "17841400000000001", account_type: "NEW", more: {} }, "17841400000000001"],
  ])("reads the account %j, with missing strings as null", async (body, providerAccountId) => {
    expect(await providerC.readAccount(setUp({ body }).read())).toEqual({
      ...NOTHING_SHOWN,
      providerAccountId,
      providerUserKey: String(body.id),
    });
  });

  const nonexisting = (field: string) => ({
    status: 400,
    body: {
      error: {
        message: `(#100) Tried accessing nonexisting field (${field}) on node type (IGUser)`,
        type: "OAuthException",
        code: 100,
      },
    },
  });

  it("reads the profile without the fields that the provider refuses", async () => {
    const { upstream, read } = setUp(nonexisting("biography"), nonexisting("name"), {
      body: { id: "2", user_id: "1", username: "a", profile_picture_url: "https://a.example/1.jpg" },
    });
    const known = { providerAccountId: "1", handle: "a", avatarUrl: "https://a.example/1.jpg", description: null };
    expect(await providerC.readAccount(read())).toMatchObject({ ...known, displayName: null });
    expect(upstream.requests.map(({ url }) => url.searchParams.get("fields"))).toEqual([
      "id,user_id,username,name,biography,profile_picture_url",
      "id,user_id,username,name,profile_picture_url",
      "id,user_id,username,profile_picture_url",
    ]);
  });

  it("fails without a field that names the account", async () => {
    const { read } = setUp(...Array(2).fill(nonexisting("user_id")));
    await expect(providerC.readAccount(read())).rejects.toMatchObject({ kind: "rejected" });
  });

  it("lists and reads posts without a count that the provider refuses, which is not hidden", async () => {
    const shown = media("17", "2026-07-15T00:00:00+0000", { like_count: undefined, comments_count: undefined });
    const { upstream, read } = setUp(
      ...[nonexisting("like_count"), list([shown], more("A1")), NO_INSIGHTS, list([]), nonexisting("like_count")],
      ...[{ body: shown }, NO_INSIGHTS],
    );
    const window = { ...WINDOW, withMetrics: true };
    const listed = await providerC.listContent(read(), window);
    await providerC.listContent(read(), { ...window, cursor: listed.nextCursor });
    const byId = await providerC.readContent(read(), { providerContentIds: ["17"], withMetrics: true });
    for (const item of [...listed.items, ...byId.items]) {
      const reasons = item.metrics.map(({ reason }) => reason);
      expect(reasons).toEqual(["METRIC_NOT_GIVEN", "METRIC_NOT_GIVEN", "METRIC_HIDDEN", "METRIC_NOT_GIVEN"]);
    }
    upstream.assertDone();
  });

  it.each([{}, { data: [] }, { data: {} }, { username: "a" }])("rejects %j as an account response", async (body) => {
    await expect(providerC.readAccount(setUp({ body }).read())).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("requests the profile only when it was granted", async () => {
    const { upstream, read } = setUp({ body: { user_id: "1", id: "2" } });
    await providerC.readAccount(read({ capabilities: ["CONTENT_LIST"] }));
    expect(upstream.requests[0]?.url.searchParams.get("fields")).toBe("id,user_id");
  });
});

describe("posts by id and by short code", () => {
  it("does not take a post that is missing or not accessible for deleted, and never requests an invalid id", async () => {
    const { upstream, read } = setUp(
      said(400, "error--100-33-object-missing-or-not-accessible.json"),
      said(404, "error--803-ig-api-exception-object-missing.json"),
    );
    const request = { providerContentIds: ["1", "2", "../me"], withMetrics: false };
    expect(await providerC.readContent(read(), request)).toEqual({ items: [], unreadable: [], unproven: ["1", "2"] });
    expect(pathsOf(upstream)).toEqual(["/1", "/2"]);
  });

  it.each([
    { code: 100, error_subcode: 33, message: "x" },
    { code: 100, message: "Object with ID '17' does not exist, cannot be loaded due to missing permissions" },
    { code: 803, message: "(#803) Some of the aliases you requested do not exist: 17" },
  ])("does not prove with %j that a post is deleted", async (error) => {
    const request = { target: { kind: "id", value: "17" } as const, withMetrics: true };
    const { read } = setUp({ status: 400, body: { error } });
    expect(await providerC.lookupContent(read(), request)).toEqual({ outcome: "unproven" });
  });

  it("does not accept the response for another post", async () => {
    const { read } = setUp({ body: media("18", "2026-07-15T00:00:00+0000") });
    const refused = providerC.readContent(read(), { providerContentIds: ["17"], withMetrics: false });
    await expect(refused).rejects.toMatchObject({ kind: "unavailable" });
  });

  const thumbnailUrl = "https://cdn.example.test/t.jpg?oe=1";
  it.each<[{ thumbnail_url?: string | null } & Record<string, unknown>, string]>([
    [{ media_type: "VIDEO", media_product_type: "REELS", thumbnail_url: thumbnailUrl }, "VIDEO"],
    [{ media_type: "VIDEO", media_product_type: "STORY", thumbnail_url: null }, "VIDEO"],
    [{ media_type: "CAROUSEL_ALBUM", media_product_type: "AD", children: { data: [] } }, "CAROUSEL"],
    [{ media_type: "IMAGE", media_url: undefined, caption: null, permalink: null, timestamp: null }, "IMAGE"],
    [{ media_type: "A_NEW_ONE" }, "UNKNOWN"],
    [{ media_type: null }, "UNKNOWN"],
  ])("reads the post %j", async (more, kind) => {
    const wire = media("17", "2026-07-15T00:00:00+0000", more);
    const read = setUp({ body: wire }).read();
    const [post] = (await providerC.readContent(read, { providerContentIds: ["17"], withMetrics: false })).items;
    expect(post).toMatchObject({
      kind,
      availability: "AVAILABLE",
      title: null,
      description: null,
      thumbnailUrl: more.thumbnail_url ?? null,
      canonicalUrl: wire.permalink,
      publishedAt: wire.timestamp === null ? null : new Date("2026-07-15T00:00:00Z"),
    });
  });

  it("preserves ids that exceed a double, and escaped captions", async () => {
    const body = String.raw`{"id":17895700000000001999,"caption":"\u00e9\ud83c\udfa4 \ud83c","like_count":0}`;
    const request = { providerContentIds: ["17895700000000001999"], withMetrics: false };
    const [post] = (await providerC.readContent(setUp({ body }).read(), request)).items;
    expect(post).toMatchObject({ providerContentId: "17895700000000001999", description: "é🎤 \ufffd" });
  });

  const look = (value: string, ...answers: ReplayAnswer[]) => {
    const { upstream, read } = setUp(...answers);
    const request = { target: { kind: "shortcode", value } as const, withMetrics: false };
    return { upstream, result: providerC.lookupContent(read(), request) };
  };

  it("finds the account's own post by its short code, page by page", async () => {
    const { upstream, result } = look(
      "CODE1",
      list([media("3", "2026-07-15T00:00:00+0000")], more("A1")),
      list([
        media("1", "2020-07-15T00:00:00+0000", { media_type: "VIDEO", thumbnail_url: "https://cdn.example/t.jpg" }),
      ]),
    );
    expect(await result).toMatchObject({
      outcome: "found",
      item: { providerContentId: "1", kind: "VIDEO", thumbnailUrl: "https://cdn.example/t.jpg" },
    });
    expect(upstream.requests[1]?.url.searchParams.get("after")).toBe("A1");
  });

  it("extracts the short code from the URL where the provider sends none", async () => {
    const reel = media("1", "2026-07-15T00:00:00+0000", {
      shortcode: undefined,
      permalink: "https://www.instagram.com/reel/AbC_-1/",
    });
    expect(await look("AbC_-1", list([reel])).result).toMatchObject({ outcome: "found" });
    expect(await look("abc_-1", list([reel])).result).toEqual({ outcome: "not-found" });
  });
});
