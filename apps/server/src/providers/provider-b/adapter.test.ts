import { EMPTY_CONTENT } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import { idsOf, metric, NOTHING_SHOWN } from "../testing/replay.ts";
import { providerB } from "./adapter.ts";
import { list, OK, recorded, setUp, video, WINDOW } from "./testAnswers.ts";

describe("account", () => {
  it("reads the returned fields and the rest as null", async () => {
    const { upstream, read } = setUp({ body: recorded("user-info--three-fields.json") });
    const id = "723f24d7-e717-40f8-a2b6-cb8464cd23b4";
    const account = { ...NOTHING_SHOWN, providerAccountId: id, providerUserKey: id };
    expect(await providerB.readAccount(read())).toEqual({ ...account, avatarUrl: expect.stringMatching(/^https:/) });
    expect(upstream.requests[0]?.url.pathname).toBe("/v2/user/info/");
    expect(upstream.requests[0]?.url.searchParams.get("fields")).toContain("username");
  });

  it("requests no field beyond the granted scopes", async () => {
    const { upstream, read } = setUp({ body: recorded("user-info--three-fields.json") });
    await providerB.readAccount(read({ capabilities: ["CONTENT_LIST"] }));
    expect(upstream.requests[0]?.url.searchParams.get("fields")).toBe("open_id");
  });

  it("reads an empty name as null and does not use the union id", async () => {
    const user = { open_id: "o", union_id: "u", display_name: "", avatar_url: null, bio_description: "", username: 5 };
    const { read } = setUp({ body: { data: { user }, error: OK } });
    const account = { ...NOTHING_SHOWN, providerAccountId: "o", providerUserKey: "o" };
    expect(await providerB.readAccount(read())).toEqual(account);
  });

  it.each([{}, { user: null }, { user: {} }, { user: { display_name: "A" } }])(
    "rejects the data %j as an account response",
    async (data) => {
      const { read } = setUp({ body: { data, error: OK } });
      const refused = providerB.readAccount(read({ providerAccountId: "o" }));
      await expect(refused).rejects.toMatchObject({ kind: "unavailable" });
    },
  );

  it("uses the id of the token response where even the basic fields are refused", async () => {
    const refusal = { status: 401, body: { data: {}, error: { code: "scope_not_authorized", message: "" } } };
    const session = setUp(refusal).read({ providerAccountId: "open-1", capabilities: ["CONTENT_LIST"] });
    const account = await providerB.readAccount(session);
    expect(account).toMatchObject({ providerAccountId: "open-1", displayName: null });
    // Control: without that id the read fails.
    const unknown = setUp(refusal, refusal).read();
    await expect(providerB.readAccount(unknown)).rejects.toMatchObject({ kind: "scope_missing" });
  });

  it.each(["invalid_params", "scope_permission_missed"])(
    "reads the profile without a field that the provider refuses with %s",
    async (code) => {
      const refusal = { status: 400, body: { data: {}, error: { code, message: "One or more fields is invalid." } } };
      const answered = (user: object) => ({ body: { data: { user: { open_id: "o", ...user } }, error: OK } });
      const { upstream, read } = setUp(
        ...[refusal, answered({}), answered({ display_name: "A" }), refusal],
        answered({ display_name: "A", avatar_url: "https://a.example/1.jpg", profile_deep_link: "https://a.example" }),
      );
      const known = { displayName: "A", avatarUrl: "https://a.example/1.jpg", description: null };
      expect(await providerB.readAccount(read())).toMatchObject(known);
      expect(upstream.requests.map(({ url }) => url.searchParams.get("fields")?.replace("open_id", "id"))).toEqual([
        "id,display_name,avatar_url,username,bio_description,profile_deep_link",
        "id",
        "id,display_name,avatar_url,username",
        "id,display_name,avatar_url,username,bio_description",
        "id,display_name,avatar_url,username,profile_deep_link",
      ]);
      upstream.assertDone();
    },
  );
});

describe("observations", () => {
  it("reads a recorded post: title unchanged, URL without tracking, missing counts unavailable", async () => {
    const item = JSON.parse(recorded("video-list--item-unicode-hashtags-title-trailing-space.json"));
    const { read } = setUp({ body: { data: { videos: [item] }, error: OK } });
    const [post] = (await providerB.readContent(read(), { providerContentIds: [item.id], withMetrics: true })).items;
    expect(post).toEqual({
      ...EMPTY_CONTENT,
      providerContentId: "7141300000000000573",
      kind: "VIDEO",
      canonicalUrl: "https://www.tiktok.com/@example_user/video/7141300000000000573",
      thumbnailUrl: item.cover_image_url,
      title: "#1 #приклад #example #ваннапис #фрукт #топодин #топ #one #рек #длятебе #foryou #аніме ",
      availability: "AVAILABLE",
      reason: null,
      metrics: [
        metric("VIEWS", "48134", "AVAILABLE", null, "view_count"),
        metric("LIKES", "2200", "AVAILABLE", null, "like_count"),
        metric("COMMENTS", null, "UNAVAILABLE", "METRIC_NOT_GIVEN", "comment_count"),
        metric("SHARES", "3", "AVAILABLE", null, "share_count"),
      ],
    });
  });

  it("reads a query response, which has no cursor", async () => {
    const ids = ["1234123412345678567", "1010102020203030303"];
    const { upstream, read } = setUp({ body: recorded("video-query--two-videos-no-cursor.json") });
    const { items: posts } = await providerB.readContent(read(), { providerContentIds: ids, withMetrics: false });
    expect(idsOf(posts)).toEqual(ids);
    const [request] = upstream.requests;
    expect(request?.method).toBe("POST");
    expect(request?.url.pathname).toBe("/v2/video/query/");
    expect(JSON.parse(request?.body ?? "")).toEqual({ filters: { video_ids: ids } });
    expect(request?.url.searchParams.get("fields")).not.toContain("view_count");
  });

  it("preserves ids and counts that exceed a double", async () => {
    const body = `{"data":{"videos":[{"id":12345678901234567890,"view_count":9007199254740993}]},"error":{"code":"ok"}}`;
    const { read } = setUp({ body });
    const request = { providerContentIds: ["12345678901234567890"], withMetrics: true };
    const [post] = (await providerB.readContent(read(), request)).items;
    expect(post).toMatchObject({ providerContentId: "12345678901234567890" });
    expect(post?.metrics[0]?.value).toBe("9007199254740993");
  });

  it("does not classify a photo post under a video URL as a video", async () => {
    const photo = JSON.parse(recorded("video-list--item-photo-post-under-a-video-address.json"));
    const asVideo = { ...photo, cover_image_url: photo.cover_image_url.replaceAll("photomode", "video") };
    for (const [post, kind] of [[photo, "UNKNOWN"] as const, [asVideo, "VIDEO"] as const]) {
      const request = { providerContentIds: [photo.id], withMetrics: false };
      const [found] = (await providerB.readContent(setUp(list([post])).read(), request)).items;
      expect(found).toMatchObject({ kind, title: null, thumbnailUrl: post.cover_image_url });
      expect(found?.canonicalUrl).toBe("https://www.tiktok.com/@example_user/video/7517900000000000838");
    }
  });

  it("does not classify a photo post as a video", async () => {
    const photo = video("5", "2026-08-10T00:00:00Z", { share_url: "https://www.tiktok.com/@a/photo/5?utm_source=x" });
    const request = { providerContentIds: ["5"], withMetrics: false };
    const [post] = (await providerB.readContent(setUp(list([photo])).read(), request)).items;
    expect(post).toMatchObject({ kind: "UNKNOWN", canonicalUrl: "https://www.tiktok.com/@a/photo/5" });
  });

  it.each([
    [undefined, null, "VIDEO"],
    ["https://m.tiktok.com/v/5.html?u_code=a", "https://m.tiktok.com/v/5.html", "VIDEO"],
    ["https://www.tiktok.com/@a.b_c/video/5?lang=en#x", "https://www.tiktok.com/@a.b_c/video/5", "VIDEO"],
    ["not an address", null, "VIDEO"],
  ])("reads the share URL %j", async (shareUrl, canonicalUrl, kind) => {
    const post = video("5", "2026-08-10T00:00:00Z", { share_url: shareUrl, cover_image_url: "", duration: 0 });
    const read = setUp(list([post])).read();
    const [found] = (await providerB.readContent(read, { providerContentIds: ["5"], withMetrics: false })).items;
    expect(found).toMatchObject({ canonicalUrl, kind, thumbnailUrl: null });
  });

  it.each([
    [{ view_count: undefined, like_count: null }, [null, null, "1", "0"]],
    [{ view_count: "48134", share_count: -1 }, ["48134", "2", "1", null]],
    [{ view_count: 1.5, comment_count: {} }, [null, "2", null, "0"]],
  ])("never invents a number: %j", async (counts, values) => {
    const read = setUp(list([video("5", "2026-08-10T00:00:00Z", counts)])).read();
    const [post] = (await providerB.readContent(read, { providerContentIds: ["5"], withMetrics: true })).items;
    expect(post?.metrics.map(({ value }) => value)).toEqual(values);
    expect(post?.metrics.map(({ availability }) => availability)).toEqual(
      values.map((value) => (value === null ? "UNAVAILABLE" : "AVAILABLE")),
    );
  });

  it.each([{ videos: [] }, { videos: null }, {}])(
    "omits unknown ids from a response with the data %j",
    async (data) => {
      const read = setUp({ body: { data, error: OK } }).read();
      expect((await providerB.readContent(read, { providerContentIds: ["5"], withMetrics: true })).items).toEqual([]);
    },
  );

  it("reports each metric as not granted and does not request it", async () => {
    const { upstream, read } = setUp(list([video("5", "2026-08-10T00:00:00Z")]));
    const page = await providerB.listContent(read({ capabilities: ["CONTENT_LIST"] }), WINDOW);
    expect(page.items[0]?.metrics.map((metric) => metric.reason)).toEqual(Array(4).fill("NOT_GRANTED"));
    expect(upstream.requests[0]?.url.searchParams.get("fields")).not.toContain("count");
  });
});

describe("lookup", () => {
  it("finds the account's own post, and cannot distinguish a foreign post from a missing one", async () => {
    const target = { kind: "id", value: "5" } as const;
    const look = (...videos: object[]) =>
      providerB.lookupContent(setUp(list(videos)).read(), { target, withMetrics: true });
    const found = await look(video("5", "2026-08-05T00:00:00Z"));
    expect(found).toMatchObject({ outcome: "found", item: { providerContentId: "5" } });
    expect(await look()).toEqual({ outcome: "unproven" });
  });
});
