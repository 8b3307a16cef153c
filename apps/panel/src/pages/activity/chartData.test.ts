import { expect, test } from "vitest";
import type { ActivityQuery } from "../../_generated/activity.ts";
import { eventsOf, quotasOf, rateText, statesOf } from "./chartData.ts";

type Count = ActivityQuery["activity"]["counts"][number];

function activity(...counts: readonly Partial<Count>[]): ActivityQuery["activity"] {
  const usual: Count = {
    series: "CONNECT_ATTEMPTS",
    at: "2026-03-10T12:00:00.000Z",
    provider: "PROVIDER_A",
    label: "COMPLETED",
    count: 1,
  };
  return {
    from: "2026-03-10T11:30:00.000Z",
    lastStepAt: "2026-03-10T12:00:00.000Z",
    stepSeconds: 900,
    counts: counts.map((count) => ({ ...usual, ...count })),
  };
}

test("sums events of all providers, and steps without events are 0", () => {
  const data = eventsOf(
    activity(
      { count: 2 },
      { provider: "PROVIDER_B" },
      { label: "FAILED", at: "2026-03-10T11:30:00.000Z" },
      { series: "API_CALLS" },
    ),
    "CONNECT_ATTEMPTS",
  );
  expect(data.times.map((time) => new Date(time * 1_000).toISOString().slice(11, 16))).toEqual([
    "11:30",
    "11:45",
    "12:00",
  ]);
  expect(data.lines).toEqual([
    { label: "COMPLETED", tone: "good", values: [0, 0, 3] },
    { label: "FAILED", tone: "bad", values: [1, 0, 0] },
  ]);
  expect(rateText(data, "COMPLETED", "completed")).toBe("75 % of 4 completed");
  expect(rateText(eventsOf(activity(), "API_CALLS"), "OK", "succeeded")).toBeNull();
});

test("a state that was not read is unknown, not 0", () => {
  const data = statesOf(activity({ series: "CONNECTIONS", label: "CONNECTED", count: 7 }), "CONNECTIONS");
  expect(data.lines).toEqual([{ label: "CONNECTED", tone: "good", values: [null, null, 7] }]);
});

test("a state that was 0 in the whole range has no line", () => {
  expect(statesOf(activity({ series: "CONNECTIONS", label: "CONNECTED", count: 0 }), "CONNECTIONS").lines).toEqual([]);
});

test("each budget has its use and its limit", () => {
  const data = quotasOf(
    activity(
      { series: "QUOTA_USED", label: "r client", count: 80 },
      { series: "QUOTA_UNITS", label: "r client", count: 100 },
      { series: "QUOTA_USED", label: "s read /list", provider: "PROVIDER_B", count: 5 },
    ),
  );
  expect(data.lines.map(({ label, tone, values }) => [label, tone, values[2]])).toEqual([
    ["PROVIDER_A · YouTube Data API v3: used", "idle", 80],
    ["PROVIDER_B · TikTok Display API v2 read /list: used", "idle", 5],
    ["PROVIDER_A · YouTube Data API v3: limit", "ceiling", 100],
  ]);
});

test("a job's failure that requires no action is not shown as a problem", () => {
  const data = eventsOf(
    activity(
      { series: "JOB_ATTEMPTS", label: "FAILED REVOKE_UNSUPPORTED" },
      { series: "JOB_ATTEMPTS", label: "FAILED UPSTREAM_UNAVAILABLE" },
      { series: "JOB_ATTEMPTS", label: "QUEUED QUOTA" },
    ),
    "JOB_ATTEMPTS",
  );
  expect(data.lines.map(({ label, tone }) => [label, tone])).toEqual([
    ["Expected failure: REVOKE_UNSUPPORTED", "idle"],
    ["QUEUED QUOTA", "waiting"],
    ["FAILED UPSTREAM_UNAVAILABLE", "bad"],
  ]);
});
