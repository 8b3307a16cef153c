import { EMPTY_CONTENT } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import type { ContentObservation, ProviderSession } from "../contract.ts";
import { idsOf, metric, type ReplayAnswer } from "../testing/replay.ts";
import { providerA } from "./adapter.ts";
import { CHANNEL, channel, list, recorded, setUp, video } from "./testAnswers.ts";

describe("account", () => {
  it("reads the grant's channel", async () => {
    const { upstream, read } = setUp({ body: recorded("channels.list--handle-custom-url-no-statistics.json") });
    expect(await providerA.readAccount(read())).toEqual({
      providerAccountId: CHANNEL,
      providerUserKey: null,
      displayName: "Example Builders",
      handle: "examplebuilders",
      avatarUrl: expect.stringContaining("=s800-"),
      profileUrl: `https://www.youtube.com/channel/${CHANNEL}`,
      description: "An example channel about building things.\n\nMore → https://example.test/a\n",
    });
    const [request] = upstream.requests;
    expect(request?.url.pathname).toBe("/youtube/v3/channels");
    expect(request?.url.searchParams.get("mine")).toBe("true");
    expect(request?.headers.get("authorization")).toBe("Bearer access-token-canary");
  });

  it.each([
    [{ thumbnails: {} }, null, null],
    [{ thumbnails: null, customUrl: "" }, null, null],
    [
      { thumbnails: { default: { url: "https://yt3.example.test/s88" } }, customUrl: "examplebuilders" },
      "https://yt3.example.test/s88",
      "examplebuilders",
    ],
    [{ thumbnails: { high: { url: "//yt3.example.test/s800" } } }, "https://yt3.example.test/s800", null],
  ])("reads a channel with the snippet %j", async (snippet, avatarUrl, handle) => {
    const { read } = setUp(list([{ id: CHANNEL, snippet, statistics: { hiddenSubscriberCount: true } }]));
    expect(await providerA.readAccount(read())).toMatchObject({ displayName: null, avatarUrl, handle });
  });

  it("reads the connection's channel when the response has several", async () => {
    const { read } = setUp(list([{ id: "UCother" }, { id: CHANNEL }]));
    const account = await providerA.readAccount(read({ providerAccountId: CHANNEL }));
    expect(account.providerAccountId).toBe(CHANNEL);
  });

  it.each([{ kind: "youtube#channelListResponse" }, { kind: "youtube#channelListResponse", items: [] }])(
    "rejects a user without a channel",
    async (body) => {
      await expect(providerA.readAccount(setUp({ body }).read())).rejects.toMatchObject({ kind: "account_unreadable" });
    },
  );
});

const AT = "2026-08-05T00:00:00Z";
const values = (item: ContentObservation | undefined) => item?.metrics.map(({ value }) => value);

describe("observations", () => {
  const readOne = async (body: unknown, id: string, overrides?: Partial<ProviderSession>) => {
    const { upstream, read } = setUp(typeof body === "string" ? list([JSON.parse(body)]) : { body });
    const [item] = (await providerA.readContent(read(overrides), { providerContentIds: [id], withMetrics: true }))
      .items;
    return { item, upstream };
  };

  it("reads a hidden like count as unavailable and shares as unsupported", async () => {
    const { item } = await readOne(recorded("videos.item--like-count-hidden-key-absent.json"), "abc123");
    expect(item).toEqual({
      ...EMPTY_CONTENT,
      providerContentId: "abc123",
      kind: "VIDEO",
      canonicalUrl: "https://www.youtube.com/watch?v=abc123",
      availability: "AVAILABLE",
      reason: null,
      metrics: [
        metric("VIEWS", "1000", "AVAILABLE", null, "statistics.viewCount"),
        metric("LIKES", null, "UNAVAILABLE", "METRIC_HIDDEN", "statistics.likeCount"),
        metric("COMMENTS", "5", "AVAILABLE", null, "statistics.commentCount"),
        metric("SHARES", null, "UNSUPPORTED", "METRIC_NOT_OFFERED", null),
      ],
    });
  });

  it("reads a private scheduled video as unavailable with the reason private", async () => {
    const { item } = await readOne(recorded("videos.item--private-scheduled-status.json"), "aB3dE5gH7_-");
    expect(item).toMatchObject({ availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" });
    expect(item?.metrics.map(({ availability, value, reason }) => [availability, value, reason])).toEqual([
      ...Array(3).fill(["UNAVAILABLE", null, "METRIC_NOT_GIVEN"]),
      ["UNSUPPORTED", null, "METRIC_NOT_OFFERED"],
    ]);
  });

  it("preserves titles and descriptions", async () => {
    const body = recorded("videos.item--just-uploaded-not-yet-processed-korean-text.json");
    const { item } = await readOne(body, "fAkE_15-vId");
    const title = "도전에 관한 예시 7가지 #도전 #예시";
    expect(item).toMatchObject({ title, availability: "AVAILABLE", thumbnailUrl: null });
    expect(item?.description).toContain("\n\nAn example text");
  });

  it("reads a live video without a snippet", async () => {
    const body = JSON.parse(recorded("videos.list--live-now-details-concurrent-viewers-string.json"));
    const { item } = await readOne(body, "fAkE_14-vId");
    expect(item).toMatchObject({ kind: "VIDEO", publishedAt: null, availability: "AVAILABLE" });
    expect(item?.metrics[0]).toMatchObject({ value: null, availability: "UNAVAILABLE" });
  });

  it.each([
    ["an upcoming premiere", { liveBroadcastContent: "upcoming" }, {}, [null, null, null]],
    ["a live stream", { liveBroadcastContent: "live" }, { statistics: { viewCount: "7" } }, ["7", null, null]],
    ["a video without counts", {}, { statistics: { favoriteCount: "0" } }, [null, null, null]],
    ["zeros", {}, { statistics: { viewCount: "0", likeCount: "0", commentCount: "0" } }, ["0", "0", "0"]],
    ["counts as numbers", {}, { statistics: { viewCount: 12, likeCount: 3, commentCount: 0 } }, ["12", "3", "0"]],
    [
      "invalid counts",
      {},
      { statistics: { viewCount: null, likeCount: "1.2K", commentCount: -1 } },
      Array(3).fill(null),
    ],
  ])("never invents a number: %s", async (_name, snippet, more, expected) => {
    const wire = video("v1", AT, { contentDetails: { duration: "P0D" }, statistics: undefined, ...more });
    const { item } = await readOne(JSON.stringify({ ...wire, snippet: { ...wire.snippet, ...snippet } }), "v1");
    expect(item).toMatchObject({ kind: "VIDEO", availability: "AVAILABLE" });
    expect(values(item)?.slice(0, 3)).toEqual(expected);
  });

  it.each([
    [{ privacyStatus: "unlisted", uploadStatus: "processed" }, "AVAILABLE", null],
    [{ privacyStatus: "a-new-one", uploadStatus: "a-new-one" }, "AVAILABLE", null],
    [{ privacyStatus: "public", uploadStatus: "deleted" }, "UNAVAILABLE", "DELETED_AT_PROVIDER"],
    [{ privacyStatus: "public", uploadStatus: "rejected", rejectionReason: "copyright" }, "UNAVAILABLE", null],
    [{ privacyStatus: "public", uploadStatus: "failed", failureReason: "codec" }, "UNAVAILABLE", null],
    [null, "AVAILABLE", null],
  ])("reads the status %j as %s", async (status, availability, reason) => {
    const { item } = await readOne(JSON.stringify(video("v1", AT, { status })), "v1");
    expect(item).toMatchObject({ availability, reason });
  });

  it("treats the documented 404 for unknown ids as a missing video, and no other 404", async () => {
    const missing = { status: 404, body: { error: { code: 404, errors: [{ reason: "videoNotFound" }] } } };
    const ask = (ids: string[]) =>
      providerA.readContent(setUp(missing, missing, missing).read(), { providerContentIds: ids, withMetrics: false });
    expect(await ask(["v1"])).toEqual({ items: [], unreadable: [] });
    // The response does not say which of several it concerns, so each is requested.
    expect(await ask(["v1", "v2"])).toEqual({ items: [], unreadable: [] });
  });

  it("distinguishes the refusal of a video from an outage", async () => {
    const answer = (status: number, reason: string) => ({
      status,
      body: { error: { code: status, errors: [{ reason }] } },
    });
    const request = { providerContentIds: ["v1"], withMetrics: true };
    const forbidden = setUp(answer(403, "forbidden"), answer(403, "forbidden")).read();
    expect(await providerA.readContent(forbidden, request)).toEqual({ items: [], unreadable: ["v1"] });
    const target = { kind: "id", value: "v1" } as const;
    expect(await providerA.lookupContent(forbidden, { target, withMetrics: true })).toEqual({ outcome: "refused" });
    const failing = setUp(answer(500, "backendError")).read();
    await expect(providerA.readContent(failing, request)).rejects.toMatchObject({ kind: "unavailable" });
    const limited = setUp(answer(403, "quotaExceeded")).read();
    await expect(providerA.readContent(limited, request)).rejects.toMatchObject({ kind: "rate_limited" });
  });

  it("reads counts of several videos", async () => {
    const ids = ["08", "09", "10", "11", "12", "13"].map((number) => `fAkE_${number}-vId`);
    const { upstream, read } = setUp({ body: recorded("videos.list--statistics-part-only-six-items.json") });
    const { items } = await providerA.readContent(read(), { providerContentIds: ids, withMetrics: true });
    const views = ["53741", "400017", "241903", "49982", "99763", "348587"];
    expect(items.map((item) => values(item)?.[0])).toEqual(views);
    expect(upstream.requests[0]?.url.searchParams.get("id")).toBe(ids.join(","));
  });

  it("requests no statistics without the capability and reports each metric as not granted", async () => {
    const body = JSON.stringify(video("v1", AT));
    const { item, upstream } = await readOne(body, "v1", { capabilities: ["CONTENT_LIST"] });
    expect(upstream.requests[0]?.url.searchParams.get("part")).not.toContain("statistics");
    const availabilities = item?.metrics.map(({ availability }) => availability);
    expect(availabilities).toEqual([...Array(3).fill("NOT_GRANTED"), "UNSUPPORTED"]);
  });

  it("omits ids that the provider does not return, and never requests an invalid id", async () => {
    const { upstream, read } = setUp(list([video("v1", AT)]));
    const request = { providerContentIds: ["v1", "gone", "v1,v2"], withMetrics: false };
    const { items } = await providerA.readContent(read(), request);
    expect(idsOf(items)).toEqual(["v1"]);
    expect(items[0]?.metrics).toEqual([]);
    expect(upstream.requests[0]?.url.searchParams.get("id")).toBe("v1,gone");
  });
});

describe("lookup", () => {
  const target = { kind: "id", value: "v1" } as const;
  const look = (answers: ReplayAnswer[], overrides: Partial<ProviderSession> = { providerAccountId: CHANNEL }) =>
    providerA.lookupContent(setUp(...answers).read(overrides), { target, withMetrics: true });

  it("finds a video of the connection's channel", async () => {
    const found = await look([list([video("v1", AT)])]);
    expect(found).toMatchObject({ outcome: "found", item: { providerContentId: "v1" } });
  });

  it("finds a private video too and reports it as private", async () => {
    const hidden = video("v1", AT, { status: { privacyStatus: "private" } });
    expect(await look([list([hidden])])).toMatchObject({ outcome: "found", item: { reason: "PRIVATE_AT_PROVIDER" } });
  });

  it("distinguishes another channel's video from a missing one", async () => {
    const foreign = { ...video("v1", AT), snippet: { channelId: "UCother" } };
    expect(await look([list([foreign])])).toEqual({ outcome: "not-owned" });
    expect(await look([list([])])).toEqual({ outcome: "not-found" });
  });

  it("requests the channel when the session does not name it", async () => {
    const inChannel = (id?: string) => look([list([video("v1", AT)]), channel(id)], {});
    expect(await inChannel()).toMatchObject({ outcome: "found" });
    expect(await inChannel("UCother")).toEqual({ outcome: "not-owned" });
  });
});
