import { LIMITS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { resolveSyncWindow } from "../content/window.ts";
import { NOW } from "../testing/time.ts";
import {
  catchUpDates,
  decideBackgroundReads,
  decideInitialReads,
  followingRead,
  type LatestScan,
  nextAfterLimit,
  nextBackgroundRead,
  shouldLeaveToSchedule,
} from "./backgroundReads.ts";

const HOUR_MS = 3_600_000;
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

test.each([0, 0.5, 0.999_999])("with the random number %d the next read is before the scan is stale", (random) => {
  const at = nextBackgroundRead(NOW, random);
  expect(at.getTime()).toBeGreaterThan(NOW.getTime());
  expect(at.getTime()).toBeLessThan(NOW.getTime() + LIMITS.scanFreshMs);
});

test("a due date is replaced by the next one, and any other stays", () => {
  expect(followingRead(null, NOW, 0)).toBe(null);
  expect(followingRead(after(1), NOW, 0)).toEqual(after(1));
  expect(followingRead(NOW, NOW, 0)).toEqual(after(20));
});

test("after publishing, what failed or was skipped is read soon, and nothing else", () => {
  const [at, until] = [after(0.1), after(0.2)];
  const planned = { nextScanAt: after(15), nextProfileAt: after(15), nextRetryAt: null };
  const last = { lastSuccessfulSyncAt: after(-7), profileObservedAt: after(-7), createdAt: after(-100) };
  const connection = { status: "CONNECTED", syncStatus: "READY", ...planned, ...last } as const;
  const dates = (changes: Partial<Parameters<typeof catchUpDates>[0]>) => {
    const moved = catchUpDates({ ...connection, ...changes }, at, until);
    return moved && [moved.nextScanAt, moved.nextProfileAt];
  };
  // The latest date after a success.
  const latest = nextBackgroundRead(NOW, 0.999_999_999);
  const scanned = { nextScanAt: latest, lastSuccessfulSyncAt: NOW, nextProfileAt: latest, profileObservedAt: NOW };
  expect(dates(scanned)).toBeNull();
  expect(dates({})).toBeNull();
  expect(dates({ lastSuccessfulSyncAt: after(-9) })).toEqual([at, after(15)]);
  expect(dates({ profileObservedAt: after(-9) })).toEqual([after(15), at]);
  expect(dates({ profileObservedAt: null, lastSuccessfulSyncAt: null })).toEqual([at, at]);
  expect(dates({ syncStatus: "FAILED" })).toEqual([at, after(15)]);
  expect(dates({ syncStatus: "FAILED", nextRetryAt: after(5) })).toBeNull();
  expect(dates({ syncStatus: "FAILED", nextScanAt: after(0.15) })).toBeNull();
  expect(dates({ syncStatus: "FAILED", nextScanAt: null })).toBeNull();
  expect(dates({ syncStatus: "FAILED", status: "RECONNECT_REQUIRED" })).toBeNull();
});

test("only a background read is left to the schedule, and only if it would wait long", () => {
  expect(shouldLeaveToSchedule({ background: true }, after(1), NOW)).toBe(true);
  expect(shouldLeaveToSchedule({ background: true }, after(0.2), NOW)).toBe(false);
  expect(shouldLeaveToSchedule({ background: false }, after(1), NOW)).toBe(false);
});

test("after a limit the earlier of the two dates counts", () => {
  const dates = { nextScanAt: after(5), nextProfileAt: null };
  expect(nextAfterLimit({ kind: "SCAN" }, dates, after(9))).toEqual({ nextScanAt: after(5), nextRetryAt: after(5) });
  expect(nextAfterLimit({ kind: "SCAN" }, dates, after(2))).toEqual({ nextScanAt: after(2), nextRetryAt: after(2) });
  expect(nextAfterLimit({ kind: "PROFILE" }, dates, after(2))).toEqual({ nextProfileAt: after(2) });
});

const PROFILE_READ = { target: { kind: "PROFILE" }, background: true, continues: null };
const DEFAULT_SCAN = {
  target: { kind: "SCAN", window: resolveSyncWindow(null, NOW) },
  background: true,
  continues: null,
};
const BOTH = ["PROFILE", "CONTENT_LIST"] as const;

describe("the first reads of a connection", () => {
  const decide = (facts: Partial<Parameters<typeof decideInitialReads>[0]>) =>
    decideInitialReads({ capabilities: BOTH, inFlight: [], startsScans: true, ...facts }, () => 0, NOW);

  test("are the profile and the default window, with the dates of the next ones", () => {
    expect(decide({})).toEqual({
      patch: { nextScanAt: after(20), nextProfileAt: after(20) },
      followUps: [PROFILE_READ, DEFAULT_SCAN],
    });
  });

  test("omit what is not granted, and scans that only callers start", () => {
    expect(decide({ capabilities: ["PROFILE"] })).toMatchObject({
      patch: { nextScanAt: null },
      followUps: [PROFILE_READ],
    });
    expect(decide({ capabilities: ["CONTENT_LIST"] })).toMatchObject({
      patch: { nextProfileAt: null },
      followUps: [DEFAULT_SCAN],
    });
    expect(decide({ startsScans: false })).toMatchObject({ patch: { nextScanAt: null }, followUps: [PROFILE_READ] });
  });

  test("are not repeated while in flight", () => {
    expect(decide({ inFlight: ["SCAN"] }).followUps).toEqual([PROFILE_READ]);
    expect(decide({ inFlight: ["SCAN", "PROFILE"] }).followUps).toEqual([]);
  });
});

describe("the background reads of a connection", () => {
  const connection = {
    status: "CONNECTED",
    nextScanAt: NOW,
    nextProfileAt: NOW,
    capabilities: BOTH,
    offeredCapabilities: BOTH,
    registrationStatus: "PUBLISHED",
  } as const;
  const scan: LatestScan = {
    ...{ kind: "SCAN", status: "SUCCEEDED", completeForWindow: false, finishedAt: NOW, background: true },
    ...{ incompleteReason: "UPSTREAM_RATE_LIMITED", hasCursor: true, window: resolveSyncWindow(null, after(-30)) },
  };
  type Facts = Parameters<typeof decideBackgroundReads<LatestScan>>;
  const decide = (over: Partial<Facts[0]> = {}, facts: Partial<Facts[1]> = {}) =>
    decideBackgroundReads(
      { ...connection, ...over },
      { inFlight: [], startsScans: true, latestScan: null, ...facts },
      () => 0,
      NOW,
    );

  test("are the due ones, and each gets its next date", () => {
    expect(decide()).toEqual({
      patch: { nextScanAt: after(20), nextProfileAt: after(20) },
      followUps: [DEFAULT_SCAN, PROFILE_READ],
    });
    expect(decide({ nextScanAt: after(1), nextProfileAt: null })).toEqual({
      patch: { nextScanAt: after(1), nextProfileAt: null },
      followUps: [],
    });
  });

  test.each([
    [{ status: "SUSPENDED" }, {}],
    [{ offeredCapabilities: [] }, {}],
    [{ registrationStatus: "PAUSED" }, {}],
    [{ registrationStatus: "DISABLED" }, {}],
    [{ capabilities: [] }, {}],
    [{}, { inFlight: ["SCAN", "PROFILE"] }],
  ] as const)("are skipped but stay scheduled for %j with %j", (over, facts) => {
    expect(decide(over, facts)).toEqual({
      patch: { nextScanAt: after(20), nextProfileAt: after(20) },
      followUps: [],
    });
  });

  test("do not include scans if only callers start them", () => {
    expect(decide({}, { startsScans: false }).followUps).toEqual([PROFILE_READ]);
  });

  test("continue a background scan that a limit stopped, and no other", () => {
    const first = (latestScan: Facts[1]["latestScan"]) => decide({}, { latestScan }).followUps[0];
    expect(first(scan)).toEqual({ target: { kind: "SCAN", window: scan.window }, background: true, continues: scan });
    expect(first({ ...scan, background: false })).toEqual(DEFAULT_SCAN);
    expect(first({ ...scan, finishedAt: after(-24) })).toEqual(DEFAULT_SCAN);
  });
});
