import { describe, expect, it } from "vitest";
import type { ReplayAnswer } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { insight, list, media, NO_INSIGHTS, pathsOf, recorded, said, setUp, WINDOW } from "./testAnswers.ts";

describe("metrics", () => {
  const post = (extra: object = {}) => ({ body: media("17", "2026-07-15T00:00:00+0000", extra) });
  const metricsOf = async (...answers: ReplayAnswer[]) => {
    const { upstream, read } = setUp(...answers);
    const [item] = (await providerC.readContent(read(), { providerContentIds: ["17"], withMetrics: true })).items;
    upstream.assertDone();
    const metrics = item?.metrics ?? [];
    return metrics.map(({ value, availability, reason, sourceField }) => [value, availability, reason, sourceField]);
  };
  const graphError = (code: number, message = "text") => ({
    status: 400,
    body: { error: { message, type: "OAuthException", code } },
  });

  const one = (name: string, value: number) => ({ body: { data: [insight(name, value)] } });

  it("reads a recorded reel's insights in any order", async () => {
    expect(await metricsOf(post(), { body: recorded("media-insights--reel-2026-seven-metrics.json") })).toEqual([
      ["21159", "AVAILABLE", null, "insights.views.values[0].value"],
      ["580", "AVAILABLE", null, "insights.likes.values[0].value"],
      ["10", "AVAILABLE", null, "insights.comments.values[0].value"],
      ["202", "AVAILABLE", null, "insights.shares.values[0].value"],
    ]);
  });

  it("requests only current metric names, and uses no value of a replaced metric", async () => {
    const older = ["plays", "video_views", "impressions", "clips_replays_count", "ig_reels_aggregated_all_plays_count"];
    const body = { data: [...older.map((name) => insight(name, 900)), insight("likes", 5), insight("shares", 2)] };
    const { upstream, read } = setUp(post(), { body });
    const [item] = (await providerC.readContent(read(), { providerContentIds: ["17"], withMetrics: true })).items;
    expect(item?.metrics.map(({ name, value }) => [name, value])).toEqual([
      ["VIEWS", null],
      ["LIKES", "5"],
      ["COMMENTS", "1"],
      ["SHARES", "2"],
    ]);
    expect(upstream.requests[1]?.url.searchParams.get("metric")).toBe("views,likes,comments,shares");
  });

  it("reads a value sent as a total", async () => {
    const body = { data: [{ name: "views", total_value: { value: 7 } }, insight("shares", 0)] };
    const metrics = await metricsOf(post(), { body });
    expect(metrics[0]).toEqual(["7", "AVAILABLE", null, "insights.views.total_value.value"]);
    expect(metrics[3]).toEqual(["0", "AVAILABLE", null, "insights.shares.values[0].value"]);
  });

  it("reads an empty set as missing numbers, never as zeros, and falls back to the post's own counts", async () => {
    expect(await metricsOf(post(), NO_INSIGHTS)).toEqual([
      [null, "UNAVAILABLE", "METRIC_NOT_GIVEN", "insights.views.values[0].value"],
      ["3", "AVAILABLE", null, "like_count"],
      ["1", "AVAILABLE", null, "comments_count"],
      [null, "UNAVAILABLE", "METRIC_NOT_GIVEN", "insights.shares.values[0].value"],
    ]);
  });

  it("reads counts that the owner hides as hidden", async () => {
    const metrics = await metricsOf(post({ like_count: undefined, comments_count: undefined }), NO_INSIGHTS);
    expect(metrics[1]).toEqual([null, "UNAVAILABLE", "METRIC_HIDDEN", "like_count"]);
    expect(metrics[2]).toEqual([null, "UNAVAILABLE", "METRIC_HIDDEN", "comments_count"]);
  });

  it("reads code 10 as too few viewers where the message states it, and otherwise by whose permission is missing", async () => {
    const few = await metricsOf(post(), said(400, "media-insights--error-10-not-enough-viewers.json"));
    expect(few[0]).toEqual([null, "UNAVAILABLE", "METRIC_NOT_GIVEN", null]);
    const withdrawn = "(#10) The user has not authorized the application to perform this action";
    const forbidden = await metricsOf(post(), graphError(10, withdrawn));
    expect(forbidden[0]).toEqual([null, "NOT_GRANTED", "NOT_GRANTED", null]);
    expect(forbidden[1]).toEqual(["3", "AVAILABLE", null, "like_count"]);
    const granted = graphError(10, "(#10) Application does not have permission for this action");
    await expect(metricsOf(post(), granted)).rejects.toMatchObject({ kind: "application_refused" });
  });

  it("does not lose a post whose insights are missing or forbidden, or that is older than the professional account", async () => {
    const gone = await metricsOf(post(), said(400, "media-insights--error-100-33-object-missing-user-msg-only.json"));
    expect(gone[0]).toEqual([null, "UNAVAILABLE", "METRIC_NOT_GIVEN", null]);
    const before = said(400, "media-insights--error-100-2108006-before-conversion.json");
    const older = await metricsOf(post(), before);
    expect(older[0]).toEqual([null, "UNSUPPORTED", "METRIC_NOT_OFFERED", null]);
    expect(older[1]).toEqual(["3", "AVAILABLE", null, "like_count"]);
    const unmarked = "The media was posted before the user's account was converted to a business account.";
    expect(await metricsOf(post(), graphError(10, unmarked))).toEqual(older);
  });

  it("requests a metric that a kind of post lacks separately", async () => {
    const lacking = said(400, "media-insights--error-100-metric-not-for-this-kind-of-post.json");
    const rest = { body: { data: [insight("likes", 4), insight("comments", 2), insight("shares", 0)] } };
    const metrics = await metricsOf(post(), lacking, lacking, rest);
    expect(metrics.map(([value, availability]) => [value, availability])).toEqual([
      [null, "UNSUPPORTED"],
      ["4", "AVAILABLE"],
      ["2", "AVAILABLE"],
      ["0", "AVAILABLE"],
    ]);
  });

  it.each(["text", "must be one of: views, likes, comments, shares"])(
    "requests each metric separately when the refusal %j names none",
    async (message) => {
      const refused = graphError(100, message);
      const metrics = await metricsOf(post(), refused, one("views", 9), refused, one("comments", 2), refused);
      expect(metrics.map(([value, , , field]) => [value, field])).toEqual([
        ["9", "insights.views.values[0].value"],
        ["3", "like_count"],
        ["2", "insights.comments.values[0].value"],
        [null, null],
      ]);
    },
  );

  it("does not rely on the message: named metrics are still requested", async () => {
    const wrong = graphError(100, "the views metric");
    const metrics = await metricsOf(
      post(),
      ...[wrong, one("views", 9), wrong, one("likes", 4), one("comments", 2), wrong],
    );
    expect(metrics.map(([value]) => value)).toEqual(["9", "4", "2", null]);
  });

  it("does not report a missing capability of the application as a missing permission of the person", async () => {
    await expect(metricsOf(post(), graphError(3))).rejects.toMatchObject({ kind: "application_refused" });
  });

  it.each([
    [{ name: "views", values: [{ value: { a: 1 } }] }, null],
    [{ name: "views", values: [{ value: -1 }] }, null],
    [{ name: "views", values: [{ value: 1.5 }], total_value: null }, null],
    [{ name: "views", values: null, total_value: { value: "9007199254740993" } }, "9007199254740993"],
    [{ name: null, values: [{ value: 5 }] }, null],
  ])("never invents a number: %j", async (entry, value) => {
    const metrics = await metricsOf(post(), { body: { data: [entry, null, "x"] } });
    expect(metrics[0]?.slice(0, 2)).toEqual([value, value === null ? expect.stringMatching(/^UN/) : "AVAILABLE"]);
  });

  it("fails the read, not the metric, on a rate limit or a revoked grant", async () => {
    const limit = said(403, "error--4-application-limit-transient-http-403.json");
    await expect(metricsOf(post(), limit)).rejects.toMatchObject({ kind: "rate_limited" });
    const passing = { status: 403, body: { error: { code: 10, type: "OAuthException", is_transient: true } } };
    await expect(metricsOf(post(), passing)).rejects.toMatchObject({ kind: "unavailable" });
    const removed = said(400, "error--190-458-app-removed-by-user.json");
    await expect(metricsOf(post(), removed)).rejects.toMatchObject({ kind: "grant_gone", appRemoved: true });
  });

  it("fails the read, not the metric, when the application is blocked", async () => {
    const blocked = graphError(200, "API access blocked.");
    await expect(metricsOf(post(), blocked)).rejects.toMatchObject({ kind: "application_refused" });
  });

  it("reads a metric that is missing from a non-empty set as unsupported, e.g. shares", async () => {
    const metrics = await metricsOf(post(), { body: { data: [insight("views", 9), insight("likes", 4)] } });
    expect(metrics[2]).toEqual(["1", "AVAILABLE", null, "comments_count"]);
    expect(metrics[3]).toEqual([null, "UNSUPPORTED", "METRIC_NOT_OFFERED", null]);
    // Control: likes and comments that are missing everywhere are hidden by their owner, not unsupported.
    const hidden = await metricsOf(post({ comments_count: undefined }), { body: { data: [insight("views", 9)] } });
    expect(hidden[2]).toEqual([null, "UNAVAILABLE", "METRIC_HIDDEN", "comments_count"]);
  });

  it("reads an entry without a value as unavailable", async () => {
    const metrics = await metricsOf(post(), { body: { data: [insight("views", 9), { name: "shares", values: [] }] } });
    expect(metrics[3]).toEqual([null, "UNAVAILABLE", "METRIC_NOT_GIVEN", "insights.shares.values[0].value"]);
  });

  it("requests no insights without the capability", async () => {
    const { upstream, read } = setUp(list([media("1", "2026-07-15T00:00:00+0000")]));
    const request = { ...WINDOW, withMetrics: true };
    const page = await providerC.listContent(read({ capabilities: ["CONTENT_LIST"] }), request);
    expect(page.items[0]?.metrics.map((metric) => metric.availability)).toEqual(Array(4).fill("NOT_GRANTED"));
    expect(pathsOf(upstream)).toEqual(["/me/media"]);
    expect(upstream.requests[0]?.url.searchParams.get("fields")).not.toContain("like_count");
  });
});
