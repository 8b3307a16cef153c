import { EMPTY_CONTENT } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import type { ProviderSession } from "../contract.ts";
import type { ReplayAnswer } from "../testing/replay.ts";
import { providerA } from "./adapter.ts";
import { CHANNEL, channel, list, recorded, setUp, video } from "./testAnswers.ts";

describe("account", () => {
  it("reads the grant's channel", async () => {
    const { upstream, read } = setUp({ body: recorded("channels.list--handle-custom-url-no-statistics.json") });
    expect(await providerA.readAccount(read())).toEqual({
      providerAccountId: CHANNEL,
      providerUserKey: null,
      displayName: "Example Builders",
      handle: "@examplebuilders",
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
    [{ thumbnails: { high: { url: "//yt3.example.test/s800" } } }, null, null],
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
      await expect(providerA.readAccount(setUp({ body }).read())).rejects.toMatchObject({ kind: "rejected" });
    },
  );
});

describe("observations", () => {
  const readOne = async (body: unknown, id: string, overrides?: Partial<ProviderSession>) => {
    const { upstream, read } = setUp(typeof body === "string" ? list([JSON.parse(body)]) : { body });
    const [item] = await providerA.readContent(read(overrides), { providerContentIds: [id], withMetrics: true });
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
        { name: "VIEWS", value: "1000", availability: "AVAILABLE", reason: null, sourceField: "statistics.viewCount" },
        {
          name: "LIKES",
          value: null,
          availability: "UNAVAILABLE",
          reason: "METRIC_HIDDEN",
          sourceField: "statistics.likeCount",
        },
        {
          name: "COMMENTS",
          value: "5",
          availability: "AVAILABLE",
          reason: null,
          sourceField: "statistics.commentCount",
        },
        { name: "SHARES", value: null, availability: "UNSUPPORTED", reason: "METRIC_NOT_OFFERED", sourceField: null },
      ],
    });
  });

  it("reads a private scheduled video as unavailable with the reason private", async () => {
    const { item } = await readOne(recorded("videos.item--private-scheduled-status.json"), "aB3dE5gH7_-");
    expect(item).toMatchObject({ availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" });
    expect(item?.metrics.map((metric) => [metric.availability, metric.value, metric.reason])).toEqual([
      ["UNAVAILABLE", null, "METRIC_NOT_GIVEN"],
      ["UNAVAILABLE", null, "METRIC_NOT_GIVEN"],
      ["UNAVAILABLE", null, "METRIC_NOT_GIVEN"],
      ["UNSUPPORTED", null, "METRIC_NOT_OFFERED"],
    ]);
  });

  it("preserves titles and descriptions", async () => {
    const { item } = await readOne(
      recorded("videos.item--just-uploaded-not-yet-processed-korean-text.json"),
      "fAkE_15-vId",
    );
    expect(item).toMatchObject({
      title: "도전에 관한 예시 7가지 #도전 #예시",
      availability: "AVAILABLE",
      thumbnailUrl: null,
    });
    expect(item?.description).toContain("\n\nAn example text");
  });

  it("reads a live video without a snippet", async () => {
    const { item } = await readOne(
      JSON.parse(recorded("videos.list--live-now-details-concurrent-viewers-string.json")),
      "fAkE_14-vId",
    );
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
      [null, null, null],
    ],
  ])("never invents a number: %s", async (_name, snippet, more, values) => {
    const wire = video("v1", "2026-08-05T00:00:00Z", {
      contentDetails: { duration: "P0D" },
      statistics: undefined,
      ...more,
    });
    const { item } = await readOne(JSON.stringify({ ...wire, snippet: { ...wire.snippet, ...snippet } }), "v1");
    expect(item).toMatchObject({ kind: "VIDEO", availability: "AVAILABLE" });
    expect(item?.metrics.slice(0, 3).map((metric) => metric.value)).toEqual(values);
  });

  it.each([
    [{ privacyStatus: "unlisted", uploadStatus: "processed" }, "AVAILABLE", null],
    [{ privacyStatus: "a-new-one", uploadStatus: "a-new-one" }, "AVAILABLE", null],
    [{ privacyStatus: "public", uploadStatus: "deleted" }, "UNAVAILABLE", "DELETED_AT_PROVIDER"],
    [{ privacyStatus: "public", uploadStatus: "rejected", rejectionReason: "copyright" }, "UNAVAILABLE", null],
    [{ privacyStatus: "public", uploadStatus: "failed", failureReason: "codec" }, "UNAVAILABLE", null],
    [null, "AVAILABLE", null],
  ])("reads the status %j as %s", async (status, availability, reason) => {
    const { item } = await readOne(JSON.stringify(video("v1", "2026-08-05T00:00:00Z", { status })), "v1");
    expect(item).toMatchObject({ availability, reason });
  });

  it("treats the documented 404 for unknown ids as a missing video, and no other 404", async () => {
    const missing = { status: 404, body: { error: { code: 404, errors: [{ reason: "videoNotFound" }] } } };
    const ask = (ids: string[]) =>
      providerA.readContent(setUp(missing).read(), { providerContentIds: ids, withMetrics: false });
    expect(await ask(["v1"])).toEqual([]);
    // The response does not say which of several it concerns.
    await expect(ask(["v1", "v2"])).rejects.toMatchObject({ kind: "rejected" });
  });

  it("reads counts of several videos", async () => {
    const ids = ["08", "09", "10", "11", "12", "13"].map((number) => `fAkE_${number}-vId`);
    const { upstream, read } = setUp({ body: recorded("videos.list--statistics-part-only-six-items.json") });
    const items = await providerA.readContent(read(), { providerContentIds: ids, withMetrics: true });
    expect(items.map((item) => item.metrics[0]?.value)).toEqual([
      "53741",
      "400017",
      "241903",
      "49982",
      "99763",
      "348587",
    ]);
    expect(upstream.requests[0]?.url.searchParams.get("id")).toBe(ids.join(","));
  });

  it("requests no statistics without the capability and reports each metric as not granted", async () => {
    const { item, upstream } = await readOne(JSON.stringify(video("v1", "2026-08-05T00:00:00Z")), "v1", {
      capabilities: ["CONTENT_LIST"],
    });
    expect(upstream.requests[0]?.url.searchParams.get("part")).not.toContain("statistics");
    expect(item?.metrics.map((metric) => metric.availability)).toEqual([
      "NOT_GRANTED",
      "NOT_GRANTED",
      "NOT_GRANTED",
      "UNSUPPORTED",
    ]);
  });

  it("omits ids that the provider does not return, and never requests an invalid id", async () => {
    const { upstream, read } = setUp(list([video("v1", "2026-08-05T00:00:00Z")]));
    const items = await providerA.readContent(read(), {
      providerContentIds: ["v1", "gone", "v1,v2"],
      withMetrics: false,
    });
    expect(items.map((item) => item.providerContentId)).toEqual(["v1"]);
    expect(items[0]?.metrics).toEqual([]);
    expect(upstream.requests[0]?.url.searchParams.get("id")).toBe("v1,gone");
  });
});

describe("lookup", () => {
  const target = { kind: "id", value: "v1" } as const;
  const look = (answers: ReplayAnswer[], overrides: Partial<ProviderSession> = { providerAccountId: CHANNEL }) =>
    providerA.lookupContent(setUp(...answers).read(overrides), { target, withMetrics: true });

  it("finds a video of the connection's channel", async () => {
    expect(await look([list([video("v1", "2026-08-05T00:00:00Z")])])).toMatchObject({
      outcome: "found",
      item: { providerContentId: "v1" },
    });
  });

  it("finds a private video too and reports it as private", async () => {
    const hidden = video("v1", "2026-08-05T00:00:00Z", { status: { privacyStatus: "private" } });
    expect(await look([list([hidden])])).toMatchObject({ outcome: "found", item: { reason: "PRIVATE_AT_PROVIDER" } });
  });

  it("distinguishes another channel's video from a missing one", async () => {
    const foreign = { ...video("v1", "2026-08-05T00:00:00Z"), snippet: { channelId: "UCother" } };
    expect(await look([list([foreign])])).toEqual({ outcome: "not-owned" });
    expect(await look([list([])])).toEqual({ outcome: "not-found" });
  });

  it("requests the channel when the session does not name it", async () => {
    const answers = () => [list([video("v1", "2026-08-05T00:00:00Z")]), channel()];
    expect(await look(answers(), {})).toMatchObject({ outcome: "found" });
    expect(await look([list([video("v1", "2026-08-05T00:00:00Z")]), channel("UCother")], {})).toEqual({
      outcome: "not-owned",
    });
  });
});
