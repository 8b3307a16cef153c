import { describe, expect, test } from "vitest";
import { resolveSyncWindow } from "../content/window.ts";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { checkInFlightReadJobs, checkRefreshArguments, decideRefresh, type ReadTarget } from "./refresh.ts";

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

const decide = (inFlight: ReturnType<typeof job>[], target: ReadTarget, inFlightOfApplication = 0) =>
  decideRefresh(inFlight, inFlightOfApplication, { target });
const created = (target: ReadTarget) => ({ create: { target, background: false, continues: null } });

describe("a request for a read in flight", () => {
  const targets = [scanOf(3), metricsOf("post-1"), lookupOf("post-1"), lookupOf("post-1", "shortcode")];

  test.each(targets)("returns the same job for %j, at the limit too", (target) => {
    const jobs = targets.map(job);
    const expected = { existing: jobs[targets.indexOf(target)] };
    expect(decide(jobs, structuredClone(target), 0)).toEqual(expected);
    expect(decide(jobs, structuredClone(target), 20)).toEqual(expected);
  });

  test("returns the same job to two callers without a window, a minute apart", () => {
    const running = job(defaultScan(NOW));
    expect(decide([running], defaultScan(addMs(NOW, 60_000)))).toEqual({ existing: running });
  });
});

describe("a request for another read", () => {
  test("creates a job when nothing is in flight", () => {
    expect(decide([], scanOf(3))).toEqual(created(scanOf(3)));
  });

  test.each([
    ["another window", scanOf(4)],
    ["no window", defaultScan(NOW)],
  ])("finds the connection busy while a scan is in flight: %s", (_, request) => {
    expect(decide([job(scanOf(3))], request)).toMatchObject({ code: "SYNC_WINDOW_BUSY" });
  });

  test("refuses a busy connection before the limit counts", () => {
    expect(decide([job(scanOf(3))], scanOf(4), 20)).toMatchObject({ code: "SYNC_WINDOW_BUSY" });
  });

  test.each([
    [scanOf(3), [metricsOf("post-1"), lookupOf("post-1")]],
    [metricsOf("post-1"), [scanOf(3)]],
    [lookupOf("post-1"), [scanOf(3)]],
    [metricsOf("post-2"), [metricsOf("post-1")]],
    [lookupOf("post-1"), [metricsOf("post-1")]],
  ])("creates %j while other reads are in flight", (target, inFlight) => {
    expect(decide(inFlight.map(job), target)).toEqual(created(target));
  });

  test("continues a scan", () => {
    const continues = { id: "scan-1" };
    expect(decideRefresh([], 0, { target: scanOf(3), continues })).toMatchObject({ create: { continues } });
  });

  test.each([
    [19, null],
    [20, 60],
    [21, 60],
  ])("with %i read jobs of the application in flight asks to wait %s seconds", (count, retryAfterSeconds) => {
    const violation = checkInFlightReadJobs(count);
    expect(violation).toEqual(
      retryAfterSeconds === null ? null : { code: "RATE_LIMITED", message: expect.any(String), retryAfterSeconds },
    );
    expect(decide([], scanOf(3), count)).toEqual(violation ?? created(scanOf(3)));
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
