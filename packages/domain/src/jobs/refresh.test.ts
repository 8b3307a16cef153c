import { describe, expect, test } from "vitest";
import { resolveSyncWindow } from "../content/window.ts";
import { addMs } from "../time/time.ts";
import type { ReadTarget } from "./refresh.ts";
import { checkInFlightReadJobs, checkRefreshArguments, decideRefresh } from "./refresh.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const DAY = 24 * 60 * 60_000;
const scanOf = (days: number): ReadTarget => ({
  kind: "SCAN",
  window: resolveSyncWindow({ publishedAfter: addMs(NOW, -days * DAY), publishedBefore: NOW }, NOW),
});
const defaultScan = (at: Date): ReadTarget => ({ kind: "SCAN", window: resolveSyncWindow(null, at) });
const metricsOf = (providerContentId: string): ReadTarget => ({ kind: "METRICS", providerContentId });
const lookupOf = (value: string, kind: "id" | "shortcode" = "id"): ReadTarget => ({
  kind: "LOOKUP",
  lookup: { kind, value },
});
const job = (target: ReadTarget) => ({ id: JSON.stringify(target), target });

describe("asking for what is in flight", () => {
  const targets = [scanOf(3), metricsOf("post-1"), lookupOf("post-1"), lookupOf("post-1", "shortcode")];

  test.each(targets)("gives the same job for %j, at the limit too", (target) => {
    const jobs = targets.map(job);
    const expected = { outcome: "existing", job: jobs[targets.indexOf(target)] };
    expect(decideRefresh(jobs, structuredClone(target), 0)).toEqual(expected);
    expect(decideRefresh(jobs, structuredClone(target), 20)).toEqual(expected);
  });

  test("gives the same job to two who named no window, a minute apart", () => {
    const running = job(defaultScan(NOW));
    expect(decideRefresh([running], defaultScan(addMs(NOW, 60_000)), 0)).toEqual({ outcome: "existing", job: running });
  });
});

describe("asking for something else", () => {
  test("makes a job when nothing is in flight", () => {
    expect(decideRefresh([], scanOf(3), 0)).toEqual({ outcome: "create" });
  });

  test.each([
    ["another window", scanOf(4)],
    ["no window", defaultScan(NOW)],
  ])("finds the connection busy while a scan is in flight: %s", (_, request) => {
    expect(decideRefresh([job(scanOf(3))], request, 0)).toMatchObject({
      outcome: "refused",
      violation: { code: "SYNC_WINDOW_BUSY" },
    });
  });

  test("tells busy before the limit", () => {
    expect(decideRefresh([job(scanOf(3))], scanOf(4), 20)).toMatchObject({ violation: { code: "SYNC_WINDOW_BUSY" } });
  });

  test("does not mind other kinds of jobs, nor a scan when it is no scan itself", () => {
    expect(decideRefresh([job(metricsOf("post-1")), job(lookupOf("post-1"))], scanOf(3), 0)).toEqual({
      outcome: "create",
    });
    expect(decideRefresh([job(scanOf(3))], metricsOf("post-1"), 0)).toEqual({ outcome: "create" });
    expect(decideRefresh([job(scanOf(3))], lookupOf("post-1"), 0)).toEqual({ outcome: "create" });
    expect(decideRefresh([job(metricsOf("post-1"))], metricsOf("post-2"), 0)).toEqual({ outcome: "create" });
    expect(decideRefresh([job(metricsOf("post-1"))], lookupOf("post-1"), 0)).toEqual({ outcome: "create" });
  });

  test.each([
    [19, null],
    [20, 60],
    [21, 60],
  ])("with %i read jobs of the application in flight says to wait %s seconds", (count, retryAfterSeconds) => {
    const violation = checkInFlightReadJobs(count);
    expect(violation).toEqual(
      retryAfterSeconds === null ? null : { code: "RATE_LIMITED", message: expect.any(String), retryAfterSeconds },
    );
    expect(decideRefresh([], scanOf(3), count)).toEqual(
      violation === null ? { outcome: "create" } : { outcome: "refused", violation },
    );
  });
});

describe("the arguments of a refresh", () => {
  const window = { publishedAfter: NOW, publishedBefore: NOW };

  test.each([
    {},
    { providerContentId: "post-1" },
    { providerContentId: "post-1", window: null, continuationCursor: null },
    { window },
    { continuationCursor: "cursor" },
    { window, continuationCursor: "cursor" },
  ])("may be %j", (args) => {
    expect(checkRefreshArguments(args)).toBeNull();
  });

  test.each([
    { providerContentId: "post-1", window },
    { providerContentId: "post-1", continuationCursor: "cursor" },
    { providerContentId: "", window },
    { providerContentId: "post-1", continuationCursor: "" },
  ])("must not be %j", (args) => {
    expect(checkRefreshArguments(args)).toMatchObject({ code: "BAD_USER_INPUT" });
  });
});
