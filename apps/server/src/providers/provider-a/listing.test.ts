import { describe, expect, it } from "vitest";
import type { ListRequest } from "../contract.ts";
import { idsInPages, idsOf, untilGivenUp } from "../testing/replay.ts";
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

  it.each(["public", "unlisted"])("does not take a %s entry without a video for deleted", async (privacyStatus) => {
    const { read } = setUp(
      channel(),
      list([entry("v1", "2026-08-15T00:00:00Z", { status: { privacyStatus } })]),
      list([]),
    );
    const { items } = await providerA.listContent(read(), WINDOW);
    expect(items).toMatchObject([{ providerContentId: "v1", availability: "AVAILABLE", reason: null }]);
    expect(items[0]?.metrics[0]).toMatchObject({ availability: "UNAVAILABLE", reason: "METRIC_NOT_GIVEN" });
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

  it.each([{ kind: "youtube#channelListResponse" }, { kind: "youtube#channelListResponse", items: [] }])(
    "does not treat a user without a channel as an empty channel",
    async (body) => {
      await expect(providerA.listContent(setUp({ body }).read(), WINDOW)).rejects.toMatchObject({
        kind: "account_unreadable",
      });
    },
  );

  const NOT_FOUND = said(404, "playlistItems.list--error-404-playlist-not-found-html-in-message.json");
  const GIVEN_UP = { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };

  it.each([
    ["no uploads list", list([{ id: CHANNEL, contentDetails: { relatedPlaylists: { likes: "", uploads: "" } } }])],
    ["no details", list([{ id: CHANNEL, contentDetails: null }])],
  ])("reports that the list is missing of a channel with %s, and reads the channel again", async (_name, answer) => {
    const { upstream, read } = setUp(answer, answer, answer);
    const first = await providerA.listContent(read(), WINDOW);
    expect(first).toMatchObject({ items: [], isListMissing: true, interruption: { kind: "unavailable" } });
    const { tries, end } = await untilGivenUp(providerA, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, end]).toEqual([2, GIVEN_UP]);
    upstream.assertDone();
  });

  it.each([
    ["playlistNotFound", NOT_FOUND],
    ["a response without items", { body: { kind: "youtube#playlistItemListResponse" } }],
  ])("tries a list twice more that ends with %s on the first page", async (_name, answer) => {
    const { upstream, read } = setUp(channel(), answer, answer, answer);
    const first = await providerA.listContent(read(), WINDOW);
    expect(first).toMatchObject({ items: [], isListMissing: true });
    const { tries, end } = await untilGivenUp(providerA, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, end]).toEqual([2, GIVEN_UP]);
    upstream.assertDone();
  });

  it("tries a list twice more that is not found in the middle, and counts again after a page", async () => {
    const page = (id: string, nextPageToken: string) => list([entry(id, "2026-08-20T00:00:00Z")], { nextPageToken });
    const videos = (id: string) => list([video(id, "2026-08-20T00:00:00Z")]);
    const { upstream, read } = setUp(
      ...[channel(), page("1", "T1"), videos("1")],
      ...[NOT_FOUND, NOT_FOUND, page("2", "T2"), videos("2")],
      ...[NOT_FOUND, NOT_FOUND, NOT_FOUND],
    );
    const first = await providerA.listContent(read(), WINDOW);
    const { tries, end: second } = await untilGivenUp(providerA, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, idsOf(second.items)]).toEqual([3, ["2"]]);
    const last = await untilGivenUp(providerA, read, { ...WINDOW, cursor: second.nextCursor });
    expect([last.tries, last.end]).toEqual([3, GIVEN_UP]);
    expect(last.end.isListMissing).toBeUndefined();
    upstream.assertDone();
  });

  it("lists posts without the parts that the provider refuses", async () => {
    const refusal = (part: string) => ({
      status: 400,
      body: {
        error: {
          code: 400,
          message: `'${part}'`,
          errors: [{ message: `'${part}'`, domain: "youtube.part", reason: "unknownPart", location: "part" }],
        },
      },
    });
    const shown = { ...video("1", "2026-08-20T00:00:00Z"), status: undefined, statistics: undefined };
    const { upstream, read } = setUp(
      ...[
        channel(),
        refusal("snippet"),
        list([entry("1", "2026-08-20T00:00:00Z", { snippet: undefined, status: { privacyStatus: "private" } })]),
      ],
      ...[refusal("statistics"), refusal("status"), list([shown])],
    );
    const { items } = await providerA.listContent(read(), WINDOW);
    expect(items).toMatchObject([{ providerContentId: "1", title: "Video 1", reason: "PRIVATE_AT_PROVIDER" }]);
    expect(items[0]?.metrics[0]?.reason).toBe("METRIC_NOT_GIVEN");
    expect(upstream.requests.map(({ url }) => url.searchParams.get("part"))).toEqual([
      "id,contentDetails",
      "contentDetails,snippet,status",
      "contentDetails,status",
      "snippet,status,statistics",
      "snippet,status",
      "snippet",
    ]);
  });

  it("fails for another 404", async () => {
    const body = { error: { code: 404, errors: [{ reason: "channelNotFound" }] } };
    const other = setUp(channel(), { status: 404, body });
    await expect(providerA.listContent(other.read(), WINDOW)).rejects.toMatchObject({ kind: "account_unreadable" });
  });

  it("never lists another channel than the connection's", async () => {
    const read = (channelId: string) => setUp(channel(channelId), list([])).read({ providerAccountId: CHANNEL });
    await expect(providerA.listContent(read("UCother"), WINDOW)).rejects.toMatchObject({ kind: "rejected" });
    // Control: its own channel is listed.
    await expect(providerA.listContent(read(CHANNEL), WINDOW)).resolves.toMatchObject({ items: [] });
  });

  describe("of a channel with many uploads", () => {
    const OLD = "2026-07-30T23:59:59Z";
    /** Pages of 50 old entries until the listing ends. */
    const pagesOf = async (request: ListRequest, at = OLD) => {
      let cursor: string | null = null;
      for (let pages = 1; ; pages += 1) {
        const entries = Array.from({ length: 50 }, (_, index) => entry(`old${pages}-${index}`, at));
        const page = list(entries, { nextPageToken: `P${pages}` });
        const { read } = setUp(...(cursor === null ? [channel()] : []), page);
        const { nextCursor, incompleteReason } = await providerA.listContent(read(), { ...request, cursor });
        if (nextCursor === null || pages === 60) return { pages, incompleteReason };
        cursor = nextCursor;
      }
    };

    it("ends after 100 posts that are more than a day older than the window", async () => {
      expect(await pagesOf(WINDOW)).toEqual({ pages: 2, incompleteReason: null });
      // Control: posts of the day before the window may have newer ones behind them.
      expect(await pagesOf(WINDOW, "2026-07-31T00:00:00Z")).toMatchObject({ pages: 60 });
    });

    it("reads further when it is deep", async () => {
      expect(await pagesOf({ ...WINDOW, isDeep: true })).toEqual({ pages: 45, incompleteReason: null });
    });
  });

  it("lists its only video as the playlist shows it when it cannot be read, unless a gateway responded", async () => {
    const listed = () => [channel(), list([entry("v1", "2026-08-20T00:00:00Z")])];
    const failed = { status: 500, body: { error: { code: 500, errors: [{ reason: "backendError" }] } } };
    const page = await providerA.listContent(setUp(...listed(), failed).read(), WINDOW);
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(page.items).toMatchObject([{ providerContentId: "v1", title: "Title v1", availability: "AVAILABLE" }]);
    const gateway = setUp(...listed(), { status: 502, body: "<html>" });
    await expect(providerA.listContent(gateway.read(), WINDOW)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("asks for half of a page that is too large, and keeps the size", async () => {
    const { upstream, read } = setUp(channel(), { status: 413 }, list([], { nextPageToken: "P2" }), list([]));
    const first = await providerA.listContent(read(), WINDOW);
    await providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    const sizes = upstream.requests.map(({ url }) => url.searchParams.get("maxResults"));
    expect(sizes).toEqual([null, "50", "25", "25"]);
  });

  it("begins again, once, when the provider rejects the page token", async () => {
    const refused = said(400, "error--400-invalid-page-token.json");
    const position = { playlistId: "UU1", pageToken: "GONE", oldPosts: 0, oldPages: 0 };
    const cursor = Buffer.from(JSON.stringify(position)).toString("base64url");
    const { upstream, read } = setUp(refused, list([], { nextPageToken: "P2" }), refused);
    const again = await providerA.listContent(read(), { ...WINDOW, cursor });
    const first = await providerA.listContent(read(), { ...WINDOW, cursor: again.nextCursor });
    const end = await providerA.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(end).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
    expect(upstream.requests.map(({ url }) => url.searchParams.get("pageToken"))).toEqual(["GONE", null, "P2"]);
  });

  describe("a video that makes the provider refuse a batch", () => {
    const AT = "2026-08-20T10:00:00Z";
    const ids = Array.from({ length: 50 }, (_, index) => `v${index}`);
    /** Refuses each batch with one of `bad`. */
    const providerWith = (bad: readonly string[], status = 500): ReturnType<typeof setUp>["read"] => {
      const { read } = setUp();
      const fetch: typeof globalThis.fetch = async (input) => {
        const url = new URL(String(input));
        if (url.pathname.endsWith("/channels")) return Response.json(channel().body);
        if (url.pathname.endsWith("/playlistItems")) {
          const entries = ids.map((id) => entry(id, AT, { snippet: { title: `listed ${id}`, publishedAt: AT } }));
          return Response.json(list(entries).body);
        }
        const asked = url.searchParams.get("id")?.split(",") ?? [];
        if (asked.some((id) => bad.includes(id))) return Response.json({ error: { code: status } }, { status });
        return Response.json(list(asked.map((id) => video(id, AT))).body);
      };
      return (overrides) => ({ ...read(overrides), registration: { ...read().registration, fetch } });
    };

    it("is returned as the list shows it, and all others completely", async () => {
      const page = await providerA.listContent(providerWith(["v17"])(), { ...WINDOW, withMetrics: true });
      expect(page).toMatchObject({ nextCursor: null, incompleteReason: null });
      expect(idsOf(page.items)).toEqual(ids);
      expect(page.items[17]).toMatchObject({ title: "listed v17", availability: "AVAILABLE" });
      expect(page.items[17]?.metrics[0]).toMatchObject({ value: null, reason: "METRIC_NOT_GIVEN" });
    });

    it("is an outage when the gateway fails", async () => {
      await expect(providerA.listContent(providerWith(ids, 503)(), WINDOW)).rejects.toMatchObject({
        kind: "unavailable",
      });
    });

    it("is an outage when every video fails", async () => {
      await expect(providerA.listContent(providerWith(ids)(), WINDOW)).rejects.toMatchObject({ kind: "unavailable" });
    });
  });

  it.each(["not base64 !", Buffer.from('{"pageToken":1}').toString("base64url")])(
    "rejects a foreign cursor",
    async (cursor) => {
      const refused = providerA.listContent(setUp().read(), { ...WINDOW, cursor });
      await expect(refused).rejects.toMatchObject({ kind: "rejected" });
    },
  );
});
