import { describe, expect, it } from "vitest";
import type { ReplayAnswer } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { list, media, more, pathsOf, recorded, setUp } from "./testAnswers.ts";

describe("account", () => {
  it("reads the recorded account, flat, without its own user_id", async () => {
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

  it("takes the account's user_id, as a list of one and as a large number too", async () => {
    const body = '{"data":[{"id":"27760000000000001","user_id":17841400000000000001,"username":"a"}]}';
    expect(await providerC.readAccount(setUp({ body }).read())).toMatchObject({
      providerAccountId: "17841400000000000001",
      providerUserKey: "27760000000000001",
    });
  });

  it("asks for the profile only when it was granted", async () => {
    const { upstream, read } = setUp({ body: { user_id: "1", id: "2" } });
    await providerC.readAccount(read({ capabilities: ["CONTENT_LIST"] }));
    expect(upstream.requests[0]?.url.searchParams.get("fields")).toBe("id,user_id");
  });
});

describe("posts by id and by short code", () => {
  it("leaves out posts that are gone, and never asks for what is no id", async () => {
    const gone = {
      status: 400,
      body: { error: { code: 100, error_subcode: 33, type: "GraphMethodException", message: "x" } },
    };
    const { upstream, read } = setUp(gone, {
      status: 404,
      body: recorded("error--803-ig-api-exception-object-missing.json"),
    });
    expect(
      await providerC.readContent(read(), { providerContentIds: ["1", "2", "../me"], withMetrics: false }),
    ).toEqual([]);
    expect(pathsOf(upstream)).toEqual(["/1", "/2"]);
  });

  it("does not take one post's answer for another's", async () => {
    const { read } = setUp({ body: media("18", "2026-07-15T00:00:00+0000") });
    await expect(
      providerC.readContent(read(), { providerContentIds: ["17"], withMetrics: false }),
    ).rejects.toMatchObject({ kind: "unavailable" });
  });

  const look = (value: string, ...answers: ReplayAnswer[]) => {
    const { upstream, read } = setUp(...answers);
    const request = { target: { kind: "shortcode", value } as const, withMetrics: false };
    return { upstream, result: providerC.lookupContent(read(), request) };
  };

  it("finds an own post by its short code, page after page", async () => {
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

  it("reads the short code out of the address where the provider gives none", async () => {
    const reel = media("1", "2026-07-15T00:00:00+0000", {
      shortcode: undefined,
      permalink: "https://www.instagram.com/reel/AbC_-1/",
    });
    expect(await look("AbC_-1", list([reel])).result).toMatchObject({ outcome: "found" });
    expect(await look("abc_-1", list([reel])).result).toEqual({ outcome: "not-found" });
  });
});
