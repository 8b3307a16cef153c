import { describe, expect, it } from "vitest";
import { idsInPages, idsOf } from "../testing/replay.ts";
import { providerA } from "./adapter.ts";
import { CHANNEL, channel, entry, list, recorded, said, setUp, video, WINDOW } from "./testAnswers.ts";

describe("listing", () => {
  it("reads the uploads playlist and then the videos by id, with their own publication time", async () => {
    const { upstream, read } = setUp(
      channel(),
      list([entry("v1", "2026-08-20T10:00:00Z"), entry("v2", "2026-08-10T10:00:00Z")], { nextPageToken: "PAGE2" }),
      list([video("v1", "2026-08-20T10:00:00Z"), video("v2", "2026-08-10T10:00:00Z")]),
      list([entry("v3", "2026-08-05T10:00:00Z")]),
      list([video("v3", "2026-08-05T10:00:00Z")]),
    );
    const first = await providerA.listContent(read(), WINDOW);
    expect(first.items.map((item) => item.publishedAt?.toISOString())).toEqual([
      "2026-08-20T10:00:00.000Z",
      "2026-08-10T10:00:00.000Z",
    ]);
    expect(first.nextCursor).not.toContain("canary");
    const second = await providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(second).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(idsOf(second.items)).toEqual(["v3"]);
    const page = ["playlistItems", "videos"];
    const paths = upstream.requests.map((request) => request.url.pathname.split("/").at(-1));
    expect(paths).toEqual(["channels", ...page, ...page]);
    expect(upstream.requests[1]?.url.searchParams.get("maxResults")).toBe("50");
    expect(upstream.requests[3]?.url.searchParams.get("pageToken")).toBe("PAGE2");
  });

  it("finds a video that was uploaded long ago and published in the window, deep in the list", async () => {
    const { read } = setUp(
      channel(),
      list([entry("old1", "2026-07-01T00:00:00Z"), entry("old2", "2026-06-01T00:00:00Z")], { nextPageToken: "P2" }),
      list([entry("old3", "2025-01-01T00:00:00Z"), entry("late", "2026-08-15T00:00:00Z")]),
      list([video("late", "2026-08-15T00:00:00Z")]),
    );
    const first = await providerA.listContent(read(), WINDOW);
    expect(first).toMatchObject({ items: [], incompleteReason: null });
    expect(first.nextCursor).not.toBeNull();
    const second = await providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf(second.items)).toEqual(["late"]);
  });

  it("requests entries without a publication time", async () => {
    const { read } = setUp(
      channel(),
      list([entry("a"), entry("b")]),
      list([video("a", "2026-08-15T00:00:00Z"), video("b", "2020-08-15T00:00:00Z")]),
    );
    expect(idsOf((await providerA.listContent(read(), WINDOW)).items)).toEqual(["a"]);
  });

  it("uses the video's publication time, not the playlist's", async () => {
    const { read } = setUp(
      channel(),
      list([entry("a", "2026-08-15T00:00:00Z"), entry("b", "2026-08-16T00:00:00Z")]),
      list([video("a", "2026-08-20T00:00:00Z"), video("b", "2026-01-01T00:00:00Z")]),
    );
    const { items } = await providerA.listContent(read(), WINDOW);
    expect(items.map((item) => [item.providerContentId, item.publishedAt?.toISOString()])).toEqual([
      ["a", "2026-08-20T00:00:00.000Z"],
    ]);
  });

  it("includes the window's start and excludes its end", async () => {
    const { read } = setUp(
      channel(),
      list([entry("end", "2026-09-01T00:00:00Z"), entry("start", "2026-08-01T00:00:00Z")]),
      list([video("start", "2026-08-01T00:00:00Z"), video("end", "2026-09-01T00:00:00Z")]),
    );
    expect(idsOf((await providerA.listContent(read(), WINDOW)).items)).toEqual(["start"]);
  });

  it("returns a page in parts when fewer posts are requested, and loses none", async () => {
    const ids = ["v1", "v2", "v3", "v4", "v5"];
    const page = () => list(ids.map((id) => entry(id, "2026-08-20T10:00:00Z")));
    const videos = () => list(ids.map((id) => video(id, "2026-08-20T10:00:00Z")));
    const { read } = setUp(channel(), page(), videos(), page(), videos(), page(), videos());
    expect(await idsInPages(providerA, read, WINDOW)).toEqual(ids);
  });

  it("reads a tombstone of the playlist as a deleted post", async () => {
    const tombstone = { body: recorded("playlistItems.list--deleted-video-no-owner-no-thumbnails.json") };
    const { read } = setUp(channel(), tombstone, list([]));
    const { items } = await providerA.listContent(read(), WINDOW);
    const deleted = { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" };
    expect(items).toMatchObject([{ providerContentId: "v9", title: null, ...deleted, publishedAt: null }]);
    expect(items[0]?.metrics.every((metric) => metric.value === null)).toBe(true);
  });

  it("counts posts against maxItems, without deleted and undated entries", async () => {
    const answers = () => [
      channel(),
      list([
        entry("d1"),
        entry("v3", "2026-08-20T10:00:00Z"),
        entry("d2", "2026-08-19T10:00:00Z"),
        entry("v2"),
        entry("v1", "2026-08-17T10:00:00Z"),
      ]),
      list([
        video("v3", "2026-08-20T10:00:00Z"),
        video("v2", "2026-08-18T10:00:00Z"),
        video("v1", "2026-08-17T10:00:00Z"),
      ]),
    ];
    const listed = async (maxItems: number) => {
      const page = await providerA.listContent(setUp(...answers()).read(), { ...WINDOW, maxItems });
      return [idsOf(page.items), page.nextCursor !== null];
    };
    expect(await listed(2)).toEqual([["d1", "v3", "d2", "v2"], true]);
    expect(await listed(3)).toEqual([["d1", "v3", "d2", "v2", "v1"], false]);
  });

  it("distinguishes private from deleted videos where the playlist does", async () => {
    const { read } = setUp(
      channel(),
      list([
        entry("hidden", "2026-08-15T00:00:00Z", { status: { privacyStatus: "private" } }),
        entry("gone", "2026-08-15T00:00:00Z"),
      ]),
      list([]),
    );
    const { items } = await providerA.listContent(read(), WINDOW);
    expect(items.map((item) => item.reason)).toEqual(["PRIVATE_AT_PROVIDER", "DELETED_AT_PROVIDER"]);
  });

  it("reads a private entry without a video as private", async () => {
    const hidden = { body: recorded("playlistItems.list--private-video-empty-thumbnails.json") };
    const { items } = await providerA.listContent(setUp(channel(), hidden, list([])).read(), WINDOW);
    const post = { providerContentId: "fAkE_16-vId", title: null, description: null, reason: "PRIVATE_AT_PROVIDER" };
    expect(items).toMatchObject([post]);
  });

  it("follows page tokens, regardless of the page's own counts", async () => {
    const { read } = setUp(
      channel(),
      list([], { nextPageToken: "P2", pageInfo: { totalResults: 0, resultsPerPage: 50 } }),
      list([entry("v1", "2026-08-20T10:00:00Z")], { nextPageToken: "P2", pageInfo: { totalResults: 1 } }),
      list([video("v1", "2026-08-20T10:00:00Z")]),
    );
    const first = await providerA.listContent(read(), WINDOW);
    expect(first).toMatchObject({ items: [], incompleteReason: null });
    // A token that points to itself would be followed forever.
    const second = await providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf(second.items)).toEqual(["v1"]);
    expect(second).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
  });

  it("fails for a page token that the provider rejects and does not report the window as covered", async () => {
    const first = await providerA.listContent(setUp(channel(), list([], { nextPageToken: "P2" })).read(), WINDOW);
    const { read } = setUp(said(400, "error--400-invalid-page-token.json"));
    const refused = providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    await expect(refused).rejects.toMatchObject({ kind: "rejected", refusal: { code: "invalidPageToken" } });
  });

  it.each([{ kind: "youtube#channelListResponse" }, { kind: "youtube#channelListResponse", items: [] }])(
    "does not treat a user without a channel as an empty channel",
    async (body) => {
      await expect(providerA.listContent(setUp({ body }).read(), WINDOW)).rejects.toMatchObject({ kind: "rejected" });
    },
  );

  it.each([{ contentDetails: { relatedPlaylists: { likes: "", uploads: "" } } }, { contentDetails: null }])(
    "reads a channel without an uploads list as empty",
    async (rest) => {
      const { upstream, read } = setUp(list([{ id: CHANNEL, ...rest }]));
      expect(await providerA.listContent(read(), WINDOW)).toMatchObject({ items: [], nextCursor: null });
      upstream.assertDone();
    },
  );

  it("reads a channel without uploads as empty", async () => {
    const { read } = setUp(
      channel(),
      said(404, "playlistItems.list--error-404-playlist-not-found-html-in-message.json"),
    );
    const empty = { items: [], nextCursor: null, incompleteReason: null };
    expect(await providerA.listContent(read(), WINDOW)).toEqual(empty);
    // Control: another 404 is a failure.
    const body = { error: { code: 404, errors: [{ reason: "channelNotFound" }] } };
    const other = setUp(channel(), { status: 404, body });
    await expect(providerA.listContent(other.read(), WINDOW)).rejects.toMatchObject({ kind: "rejected" });
  });

  it("never lists another channel than the connection's", async () => {
    const read = (channelId: string) => setUp(channel(channelId), list([])).read({ providerAccountId: CHANNEL });
    await expect(providerA.listContent(read("UCother"), WINDOW)).rejects.toMatchObject({ kind: "rejected" });
    // Control: its own channel is listed.
    await expect(providerA.listContent(read(CHANNEL), WINDOW)).resolves.toMatchObject({ items: [] });
  });

  it("stops after many old pages and reports that the window may not be covered", async () => {
    let cursor: string | null = null;
    let pages = 0;
    let reason: string | null = null;
    do {
      const upstream = setUp(
        ...(cursor === null ? [channel()] : []),
        list([entry(`old${pages}`, "2020-01-01T00:00:00Z")], { nextPageToken: `P${pages}` }),
      );
      const page = await providerA.listContent(upstream.read(), { ...WINDOW, cursor });
      cursor = page.nextCursor;
      reason = page.incompleteReason;
      pages += 1;
    } while (cursor !== null && pages < 1_000);
    expect(pages).toBe(100);
    expect(reason).toBe("UPSTREAM_WINDOW_LIMIT");
  });

  it.each(["not base64 !", Buffer.from('{"pageToken":1}').toString("base64url")])(
    "rejects a foreign cursor",
    async (cursor) => {
      const refused = providerA.listContent(setUp().read(), { ...WINDOW, cursor });
      await expect(refused).rejects.toMatchObject({ kind: "rejected" });
    },
  );
});
