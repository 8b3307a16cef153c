import { describe, expect, it } from "vitest";
import { idsInPages, idsOf, untilGivenUp } from "../testing/replay.ts";
import { providerB } from "./adapter.ts";
import { list, OK, recorded, setUp, video, WINDOW } from "./testAnswers.ts";

describe("listing", () => {
  it("reads the documented page and ends at has_more false, even with a cursor", async () => {
    const { read } = setUp({ body: recorded("video-list--two-videos-with-share-and-old-embed-links.json") });
    const page = await providerB.listContent(read(), WINDOW);
    expect(idsOf(page.items)).toEqual(["7080213458555737986", "7080217258545735586"]);
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(page.items[0]).toMatchObject({ title: "video 1", description: "Test video 1" });
  });

  it("starts at the window's end, follows the cursor in time and stops at its start", async () => {
    const [middle, start] = ["2026-08-10T00:00:00Z", "2026-07-31T23:59:59Z"];
    const { upstream, read } = setUp(
      list([video("3", "2026-08-20T00:00:00Z"), video("2", middle)], { has_more: true, cursor: Date.parse(middle) }),
      list([video("1", "2026-08-01T00:00:00Z"), video("0", start)], {
        has_more: true,
        cursor: String(Date.parse(start)),
      }),
    );
    const first = await providerB.listContent(read(), WINDOW);
    const second = await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect([...idsOf(first.items), ...idsOf(second.items)]).toEqual(["3", "2", "1"]);
    expect(second).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(upstream.requests.map((request) => JSON.parse(request.body))).toEqual([
      { cursor: WINDOW.publishedBefore.getTime(), max_count: 20 },
      // From the end of the second in which the page ended: it can have more posts.
      { cursor: Date.parse(middle) + 1_000, max_count: 20 },
    ]);
  });

  it("asks for half of a page that is too large, down to 5, and keeps the size", async () => {
    const middle = "2026-08-10T00:00:00Z";
    const page = list([video("1", middle)], { has_more: true, cursor: Date.parse(middle) });
    const { upstream, read } = setUp({ status: 413 }, { status: 413 }, page, list([]));
    const first = await providerB.listContent(read(), WINDOW);
    await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    const sizes = upstream.requests.map(({ body }) => JSON.parse(body).max_count);
    expect(sizes).toEqual([20, 10, 5, 5]);
    const refused = setUp({ status: 413 }, { status: 413 }, { status: 413 });
    await expect(providerB.listContent(refused.read(), WINDOW)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it.each([
    ["seconds", Date.parse("2026-08-10T00:00:00Z") / 1_000],
    ["digits", String(Date.parse("2026-08-10T00:00:00Z"))],
  ])("follows a cursor in %s", async (_, cursor) => {
    const { upstream, read } = setUp(list([video("1", "2026-08-20T00:00:00Z")], { has_more: 1, cursor }), list([]));
    const first = await providerB.listContent(read(), WINDOW);
    await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(JSON.parse(upstream.requests[1]?.body ?? "").cursor).toBe(Date.parse("2026-08-10T00:00:01Z"));
  });

  it("continues after a page with fewer posts than requested, or none", async () => {
    const { read } = setUp(
      list([], { has_more: true, cursor: Date.parse("2026-08-20T00:00:00Z") }),
      list([video("1", "2026-08-05T00:00:00Z")]),
    );
    const first = await providerB.listContent(read(), WINDOW);
    expect(first.items).toEqual([]);
    const second = await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf(second.items)).toEqual(["1"]);
  });

  it("returns a page in parts when fewer posts are requested, and loses none", async () => {
    const ids = ["5", "4", "3", "2", "1"];
    const page = () => list(ids.map((id) => video(id, "2026-08-20T00:00:00Z")));
    const { read } = setUp(page(), page(), page());
    expect(await idsInPages(providerB, read, WINDOW)).toEqual(ids);
  });

  it("counts posts against maxItems, without undated entries", async () => {
    const undated = (id: string) => video(id, "2026-08-20T00:00:00Z", { create_time: 0 });
    const page = () =>
      list([undated("u1"), video("2", "2026-08-20T00:00:00Z"), undated("u2"), video("1", "2026-08-19T00:00:00Z")]);
    const { read } = setUp(page(), page());
    const one = await providerB.listContent(read(), { ...WINDOW, maxItems: 1 });
    expect([idsOf(one.items), one.nextCursor !== null]).toEqual([["u1", "2", "u2"], true]);
    const rest = await providerB.listContent(read(), { ...WINDOW, cursor: one.nextCursor, maxItems: 1 });
    expect([idsOf(rest.items), rest.nextCursor]).toEqual([["1"], null]);
  });

  it("stays within the window on an unordered page, e.g. with a pinned post", async () => {
    const posts = [video("pinned", "2025-01-01T00:00:00Z"), video("2", "2026-08-20T00:00:00Z")];
    const { read } = setUp(
      list(posts, { has_more: true, cursor: Date.parse("2026-08-20T00:00:00Z") }),
      list([video("1", "2026-08-05T00:00:00Z"), video("pinned", "2025-01-01T00:00:00Z")]),
    );
    const first = await providerB.listContent(read(), WINDOW);
    expect(idsOf(first.items)).toEqual(["2"]);
    const second = await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf(second.items)).toEqual(["1"]);
  });

  it("reads an account without posts", async () => {
    const read = setUp(list([])).read();
    const nothing = { items: [], nextCursor: null, incompleteReason: null };
    expect(await providerB.listContent(read, WINDOW)).toEqual(nothing);
  });

  it.each([{ videos: null, has_more: false }, {}])("does not take the data %j for the end of a list", async (data) => {
    const without = { body: { data, error: OK } };
    const { read } = setUp(
      without,
      list([video("1", "2026-08-05T00:00:00Z")], { has_more: true }),
      ...Array(3).fill(without),
    );
    expect(await providerB.listContent(read(), WINDOW)).toMatchObject({ items: [], isListMissing: true });
    const first = await providerB.listContent(read(), WINDOW);
    const { tries, end } = await untilGivenUp(providerB, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, end]).toEqual([3, { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" }]);
  });

  it("tries a cursor that the provider refuses in the middle twice more", async () => {
    const refused = { status: 400, body: { data: {}, error: { code: "invalid_params", message: "text" } } };
    const page = list([video("1", "2026-08-05T00:00:00Z")], { has_more: true });
    const { upstream, read } = setUp(page, ...Array(6).fill(refused));
    const first = await providerB.listContent(read(), WINDOW);
    const { tries, end } = await untilGivenUp(providerB, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, end]).toEqual([3, { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" }]);
    upstream.assertDone();
    // Control: the first position is the service's own.
    const own = setUp(refused, refused).read();
    await expect(providerB.listContent(own, WINDOW)).rejects.toMatchObject({ kind: "rejected" });
  });

  it("lists posts without the fields that the provider refuses, and does not request them again", async () => {
    const message = "Unknown fields: share_count,cover_image_url.";
    const refused = { status: 400, body: { data: {}, error: { code: "invalid_params", message } } };
    const shown = video("1", "2026-08-05T00:00:00Z", { share_count: undefined });
    const { upstream, read } = setUp(refused, list([shown], { has_more: true }), list([]));
    const first = await providerB.listContent(read(), WINDOW);
    expect(first.items[0]?.metrics.map(({ value, reason }) => value ?? reason)).toEqual([
      "10",
      "2",
      "1",
      "METRIC_NOT_GIVEN",
    ]);
    await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    const asked = upstream.requests.map(({ url }) => /share_count|cover/.test(url.searchParams.get("fields") ?? ""));
    expect(asked).toEqual([true, false, false]);
  });

  it.each([null, 0, -1, WINDOW.publishedBefore.getTime(), WINDOW.publishedBefore.getTime() + 1])(
    "continues at the last post's time when there is more and the cursor %j is unusable",
    async (cursor) => {
      const page = list([video("1", "2026-08-05T00:00:00Z")], { has_more: true, cursor });
      const { upstream, read } = setUp(page, list([video("1", "2026-08-05T00:00:00Z")]));
      const first = await providerB.listContent(read(), WINDOW);
      const second = await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
      expect([idsOf(first.items), idsOf(second.items)]).toEqual([["1"], []]);
      expect(JSON.parse(upstream.requests[1]?.body ?? "")).toMatchObject({
        cursor: Date.parse("2026-08-05T00:00:01Z"),
      });
    },
  );

  it.each([null, 0, WINDOW.publishedBefore.getTime()])(
    "reports an incomplete listing when an empty page has more and the cursor %j is unusable",
    async (cursor) => {
      const { read } = setUp(list([], { has_more: true, cursor }));
      const incomplete = { nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
      expect(await providerB.listContent(read(), WINDOW)).toMatchObject(incomplete);
    },
  );

  const AT = "2026-08-05T00:00:00Z";
  const SECOND = Date.parse(AT);
  const ofSecond = (from: number, count: number, at = AT) =>
    Array.from({ length: count }, (_, index) => video(String(from - index), at));

  it("loses no post of the second in which a page ends", async () => {
    const newer = ofSecond(100, 18, "2026-08-05T00:00:01Z");
    const { read } = setUp(
      list([...newer, ...ofSecond(82, 2)], { has_more: true, cursor: SECOND }),
      list([...ofSecond(82, 3), video("70", "2026-08-04T00:00:00Z")]),
    );
    const first = await providerB.listContent(read(), WINDOW);
    const second = await providerB.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf([...first.items, ...second.items])).toEqual([...newer.map(({ id }) => id), "82", "81", "80", "70"]);
    expect(second).toMatchObject({ nextCursor: null, incompleteReason: null });
  });

  it("continues before a second with more posts than a page, and reports that the window is not covered", async () => {
    const full = list(ofSecond(100, 20), { has_more: true, cursor: SECOND });
    const { upstream, read } = setUp(full, full, list([video("70", "2026-08-04T00:00:00Z")]));
    const ids: string[] = [];
    let page = await providerB.listContent(read(), WINDOW);
    ids.push(...idsOf(page.items));
    while (page.nextCursor !== null) {
      page = await providerB.listContent(read(), { ...WINDOW, cursor: page.nextCursor });
      ids.push(...idsOf(page.items));
    }
    expect(ids).toEqual([...ofSecond(100, 20).map(({ id }) => id), "70"]);
    expect(page.incompleteReason).toBe("UPSTREAM_PAGE_LIMIT");
    expect(upstream.requests.map(({ body }) => JSON.parse(body).cursor).slice(1)).toEqual([SECOND + 1_000, SECOND]);
  });
});
