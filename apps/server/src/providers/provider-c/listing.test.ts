import { EMPTY_CONTENT } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import { idsInPages, idsOf } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { list, media, more, recorded, setUp, WINDOW } from "./testAnswers.ts";

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
    expect(JSON.parse(cursor)).toEqual({ after: "after", seen: 2 });
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
    const whole = await providerC.listContent(read(), { ...WINDOW, maxItems: 1 });
    expect([idsOf(whole.items), whole.nextCursor]).toEqual([["8", "2", "9"], null]);
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
});
