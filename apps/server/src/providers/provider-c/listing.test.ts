import { EMPTY_CONTENT } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import { idsInPages, idsOf, untilGivenUp } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { insight, list, media, more, recorded, said, setUp, WINDOW } from "./testAnswers.ts";

describe("listing", () => {
  it("reads recorded posts: no caption, no thumbnail, no title", async () => {
    const { read } = setUp({ body: recorded("me-media--caption-missing-next-url-holds-the-token.json") });
    const [publishedAfter, publishedBefore] = [new Date("2021-08-01T00:00:00Z"), new Date("2021-09-01T00:00:00Z")];
    const page = await providerC.listContent(read(), { ...WINDOW, publishedAfter, publishedBefore });
    expect(page.items[0]).toEqual({
      ...EMPTY_CONTENT,
      providerContentId: "17895700000000001",
      kind: "IMAGE",
      canonicalUrl: "https://www.instagram.com/p/CSgfake1wVq/",
      publishedAt: new Date("2021-08-13T08:25:28Z"),
      availability: "AVAILABLE",
      reason: null,
      metrics: [],
    });
    // The provider's URL of the next page contains the token; our cursor contains only the position.
    const cursor = Buffer.from(page.nextCursor ?? "", "base64url").toString();
    expect(JSON.parse(cursor)).toMatchObject({ after: "after", seen: 2 });
  });

  it.each([
    ["me-media--carousel-cursors-before-only.json", "CAROUSEL", "2021-03-03T22:48:39.000Z"],
    ["me-media--image-no-thumbnail-cursors-without-next.json", "IMAGE", "2026-07-20T21:30:04.000Z"],
    ["media-children--images-without-caption-or-counts.json", "IMAGE", "2021-08-19T09:00:21.000Z"],
  ])("ends where the provider has no next page: %s", async (name, kind, publishedAt) => {
    const window = { ...WINDOW, publishedAfter: new Date("2021-01-01T00:00:00Z") };
    const page = await providerC.listContent(setUp({ body: recorded(name) }).read(), window);
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(page.items[0]?.kind).toBe(kind);
    expect(page.items[0]?.publishedAt?.toISOString()).toBe(publishedAt);
  });

  it("counts posts against maxItems, without undated entries", async () => {
    const undated = (id: string) => media(id, "", { timestamp: undefined });
    const posts = [undated("8"), media("2", "2026-07-20T00:00:00+0000"), undated("9")];
    const { read } = setUp(list([...posts, media("1", "2026-07-19T00:00:00+0000")]), list(posts));
    const one = await providerC.listContent(read(), { ...WINDOW, maxItems: 1 });
    expect([idsOf(one.items), one.nextCursor !== null]).toEqual([["8", "2", "9"], true]);
    const rest = await providerC.listContent(read(), { ...WINDOW, cursor: one.nextCursor, maxItems: 1 });
    expect([idsOf(rest.items), rest.nextCursor]).toEqual([[], null]);
  });

  it("skips pages newer than the window and stops after a page that is older", async () => {
    const { upstream, read } = setUp(
      list([media("5", "2026-08-05T00:00:00+0000")], more("A1")),
      list([media("4", "2026-08-01T00:00:00+0000"), media("3", "2026-07-15T00:00:00+0000")], more("A2")),
      list([media("2", "2026-07-01T00:00:00+0000"), media("1", "2026-06-30T23:59:59+0000")], more("A3")),
      list([media("0", "2026-06-01T00:00:00+0000")], more("A4")),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await providerC.listContent(read(), { ...WINDOW, cursor });
      expect(Buffer.from(page.nextCursor ?? "", "base64url").toString()).not.toContain("canary");
      seen.push(...idsOf(page.items));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(["3", "2"]);
    expect(upstream.requests.map((request) => request.url.searchParams.get("after"))).toEqual([null, "A1", "A2", "A3"]);
  });

  it("returns a page in parts when fewer posts are requested, and loses none", async () => {
    const ids = ["5", "4", "3", "2", "1"];
    const page = () => list(ids.map((id) => media(id, "2026-07-15T00:00:00+0000")));
    const { read } = setUp(page(), page(), page());
    expect(await idsInPages(providerC, read, WINDOW)).toEqual(ids);
  });

  it("reports an incomplete listing when the provider's limit of 10,000 posts ended it before the window", async () => {
    const cursor = Buffer.from(JSON.stringify({ after: "A", seen: 9_999 })).toString("base64url");
    const newest = [media("1", "2026-08-15T00:00:00+0000")];
    const capped = await providerC.listContent(setUp(list(newest)).read(), { ...WINDOW, cursor });
    expect(capped).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_WINDOW_LIMIT" });
    // Control: a short list that ends is an account without older posts.
    expect(await providerC.listContent(setUp(list(newest)).read(), WINDOW)).toMatchObject({ incompleteReason: null });
  });

  it("does not follow a cursor that points to itself", async () => {
    const cursor = Buffer.from(JSON.stringify({ after: "A", seen: 1 })).toString("base64url");
    const { read } = setUp(list([media("1", "2026-07-15T00:00:00+0000")], more("A")));
    const page = await providerC.listContent(read(), { ...WINDOW, cursor });
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
  });

  it("reports an incomplete listing when the next page has no cursor", async () => {
    const paging = { next: "https://graph.instagram.com/v1/me/media?access_token=canary" };
    const { read } = setUp(list([media("1", "2026-07-15T00:00:00+0000")], paging));
    const page = await providerC.listContent(read(), WINDOW);
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
  });

  const TOO_MUCH = {
    status: 500,
    body: { error: { code: 1, message: "Please reduce the amount of data you're asking for, then retry" } },
  };

  it("asks for half of a page that is too large, and keeps the size", async () => {
    const { upstream, read } = setUp(
      TOO_MUCH,
      list([media("2", "2026-07-16T00:00:00+0000")], more("A1")),
      list([media("1", "2026-07-15T00:00:00+0000")]),
    );
    const first = await providerC.listContent(read(), WINDOW);
    const second = await providerC.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(idsOf([...first.items, ...second.items])).toEqual(["2", "1"]);
    expect(upstream.requests.map(({ url }) => url.searchParams.get("limit"))).toEqual(["50", "25", "25"]);
  });

  it("is unavailable when a page of five is too large, too", async () => {
    const { upstream, read } = setUp(...Array(6).fill(TOO_MUCH));
    await expect(providerC.listContent(read(), WINDOW)).rejects.toMatchObject({ kind: "unavailable" });
    expect(upstream.requests.map(({ url }) => url.searchParams.get("limit"))).toEqual(["50", "25", "12", "6", "5"]);
  });

  it("begins again, once, when the provider rejects the cursor of a deleted page", async () => {
    const refused = { status: 400, body: { error: { code: 100, message: "Invalid cursor" } } };
    const cursor = Buffer.from(JSON.stringify({ after: "GONE", seen: 50 })).toString("base64url");
    const { upstream, read } = setUp(refused, list([media("1", "2026-07-15T00:00:00+0000")], more("A1")), refused);
    const again = await providerC.listContent(read(), { ...WINDOW, cursor });
    expect(again).toMatchObject({ items: [], incompleteReason: null });
    const first = await providerC.listContent(read(), { ...WINDOW, cursor: again.nextCursor });
    expect(idsOf(first.items)).toEqual(["1"]);
    const end = await providerC.listContent(read(), { ...WINDOW, cursor: first.nextCursor });
    expect(end).toMatchObject({ nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" });
    expect(upstream.requests.map(({ url }) => url.searchParams.get("after"))).toEqual(["GONE", null, "A1"]);
  });
});

describe("a list that the provider does not find", () => {
  const missing = said(400, "error--100-33-object-missing-or-not-accessible.json");

  it("is tried twice more in the middle", async () => {
    const { upstream, read } = setUp(
      list([media("1", "2026-07-15T00:00:00+0000")], more("A1")),
      ...Array(3).fill(missing),
    );
    const first = await providerC.listContent(read(), WINDOW);
    const { tries, end } = await untilGivenUp(providerC, read, { ...WINDOW, cursor: first.nextCursor });
    expect([tries, end]).toEqual([3, { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" }]);
    upstream.assertDone();
  });

  it("is a refusal of unknown cause on the first page", async () => {
    await expect(providerC.listContent(setUp(missing).read(), WINDOW)).rejects.toMatchObject({ kind: "rejected" });
  });
});

describe("a page with a post whose insights fail", () => {
  const posts = ["4", "3", "2", "1"].map((id) => media(id, "2026-07-15T00:00:00+0000"));
  const BROKEN = { status: 500, body: { error: { code: 1, message: "An unknown error has occurred." } } };
  const LIMIT = { status: 403, body: { error: { code: 4, message: "Application request limit reached" } } };
  const NUMBERS = { body: { data: [insight("views", 9)] } };
  const withMetrics = { ...WINDOW, withMetrics: true };

  it("has the post without these numbers, and all others", async () => {
    const { read } = setUp(list(posts), NUMBERS, BROKEN, NUMBERS, NUMBERS);
    const page = await providerC.listContent(read(), withMetrics);
    expect(page).toMatchObject({ nextCursor: null, incompleteReason: null });
    expect(page.items.map(({ metrics: [views] }) => [views?.value, views?.reason])).toEqual([
      ["9", null],
      [null, "METRIC_NOT_GIVEN"],
      ["9", null],
      ["9", null],
    ]);
    // The post's own counts are separate fields.
    expect(page.items[1]?.metrics[1]).toMatchObject({ value: "3", sourceField: "like_count" });
  });

  it("has its only post without these numbers, unless a gateway responded", async () => {
    const { read } = setUp(list(posts.slice(0, 1)), BROKEN);
    const page = await providerC.listContent(read(), withMetrics);
    expect([idsOf(page.items), page.nextCursor, page.interruption]).toEqual([["4"], null, undefined]);
    expect(page.items[0]?.metrics[0]).toMatchObject({ name: "VIEWS", reason: "METRIC_NOT_GIVEN" });
    const gateway = setUp(list(posts.slice(0, 1)), { status: 503, body: "<html>" });
    await expect(providerC.listContent(gateway.read(), withMetrics)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it.each([3, 10])("is not refused as a whole when the provider refuses one of them with code %i", async (code) => {
    const refused = { status: 400, body: { error: { code, message: "x" } } };
    const { read } = setUp(list(posts), refused, NUMBERS, NUMBERS, NUMBERS);
    const page = await providerC.listContent(read(), withMetrics);
    expect([idsOf(page.items), page.interruption]).toEqual([["4", "3", "2", "1"], undefined]);
    const all = setUp(list(posts), refused, refused, refused, refused);
    const refusal = { kind: "application_refused" };
    await expect(providerC.listContent(all.read(), withMetrics)).rejects.toMatchObject(refusal);
  });

  it("is interrupted when most posts fail, and continues with the failed ones", async () => {
    const { upstream, read } = setUp(
      ...[list(posts), NUMBERS, BROKEN, BROKEN, BROKEN],
      ...[list(posts), NUMBERS, NUMBERS, NUMBERS],
    );
    const first = await providerC.listContent(read(), withMetrics);
    expect([idsOf(first.items), first.interruption?.kind]).toEqual([["4"], "unavailable"]);
    const rest = await providerC.listContent(read(), { ...withMetrics, cursor: first.nextCursor });
    expect([idsOf(rest.items), rest.nextCursor, rest.interruption]).toEqual([["3", "2", "1"], null, undefined]);
    upstream.assertDone();
  });

  it("is interrupted by a limit, and reads no post twice afterwards", async () => {
    const many = Array.from({ length: 10 }, (_, index) => media(String(90 - index), "2026-07-15T00:00:00+0000"));
    const { upstream, read } = setUp(
      ...[list(many), ...Array(4).fill(NUMBERS), ...Array(4).fill(LIMIT)],
      ...[list(many), ...Array(6).fill(NUMBERS)],
    );
    const first = await providerC.listContent(read(), withMetrics);
    expect(first.interruption).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 3_600 });
    expect(idsOf(first.items)).toEqual(["90", "89", "88", "87"]);
    const rest = await providerC.listContent(read(), { ...withMetrics, cursor: first.nextCursor });
    expect(idsOf(rest.items)).toEqual(["86", "85", "84", "83", "82", "81"]);
    upstream.assertDone();
  });
});
