import { expect, test } from "vitest";
import type { ActivityQuery } from "../../_generated/activity.ts";
import { eventsOf } from "./chartData.ts";
import { versionStepSeconds, versionsOf } from "./versionRows.ts";

test("lists libraries and versions with their calls and the end of the step of the latest call", () => {
  const count = (hour: number, label: string, calls: number) => ({
    series: "CLIENT_VERSIONS" as const,
    at: `2026-03-10T${hour}:00:00.000Z`,
    provider: null,
    label,
    count: calls,
  });
  const activity: ActivityQuery["activity"] = {
    from: "2026-03-10T10:00:00.000Z",
    lastStepAt: "2026-03-10T13:00:00.000Z",
    stepSeconds: 3_600,
    counts: [
      count(10, "sdk 0.1.0", 5),
      count(11, "sdk 0.1.0", 5),
      count(12, "sdk 0.2.0", 40),
      count(10, "none", 1),
      { ...count(10, "OK", 900), series: "API_CALLS" },
    ],
  };
  const rows = versionsOf(eventsOf(activity, "CLIENT_VERSIONS"));
  expect(rows.map(({ library, version, seenUntil }) => [library, version, seenUntil])).toEqual([
    ["SDK", "0.2.0", "2026-03-10T13:00:00.000Z"],
    ["SDK", "0.1.0", "2026-03-10T12:00:00.000Z"],
    ["Unknown library", "unknown", "2026-03-10T11:00:00.000Z"],
  ]);
});

test("counts versions by hour, also in a range with shorter steps", () => {
  expect([versionStepSeconds([0, 900]), versionStepSeconds([0, 7_200])]).toEqual([3_600, 7_200]);
});
