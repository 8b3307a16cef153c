import { PAGE_INCOMPLETE_REASONS, SCAN_INCOMPLETE_REASONS } from "@social-connect/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { completeness, type ScanRecord } from "./coverage.ts";

const NOW = new Date("2026-03-31T00:00:00.000Z");
/** Days of March 2026, the end exclusive. */
const days = (from: number, to: number) => ({
  publishedAfter: new Date(Date.UTC(2026, 2, from)),
  publishedBefore: new Date(Date.UTC(2026, 2, to)),
});
const scan = (from: number, to: number, over: Partial<ScanRecord> = {}): ScanRecord => ({
  status: "SUCCEEDED",
  window: days(from, to),
  completeForWindow: true,
  incompleteReason: null,
  coveredSince: null,
  finishedAt: addMs(NOW, -HOUR),
  ...over,
});
const stopped = (over: Partial<ScanRecord> = {}) =>
  scan(10, 20, { completeForWindow: false, incompleteReason: "MAX_ITEMS_REACHED", ...over });
const inFlight = (over: Partial<ScanRecord> = {}) =>
  scan(10, 20, { status: "RUNNING", completeForWindow: false, finishedAt: null, ...over });

const WINDOW = days(10, 20);
const COMPLETE = { completeForWindow: true, incompleteReason: null };
const incomplete = (incompleteReason: string) => ({ completeForWindow: false, incompleteReason });

describe("a window is complete", () => {
  test.each([
    ["a scan of the window", [scan(10, 20)]],
    ["a scan of a wider window", [scan(1, 30)]],
    ["scans of adjoining windows, in any order", [scan(15, 20), scan(10, 15)]],
    ["scans of overlapping windows", [scan(8, 14), scan(12, 17), scan(16, 25)]],
    ["a wide scan with narrower scans inside", [scan(1, 30), scan(12, 13), scan(2, 3)]],
    ["a scan, although another is running", [scan(10, 20), inFlight()]],
    [
      "a scan, although a later one failed",
      [scan(10, 20), scan(10, 20, { status: "FAILED", completeForWindow: false, finishedAt: NOW })],
    ],
    ["a scan, although a later one stopped early", [scan(10, 20), stopped({ finishedAt: NOW })]],
  ])("by %s", (_, scans) => {
    expect(completeness(WINDOW, scans, NOW)).toEqual(COMPLETE);
  });

  test.each([
    [DAY - 1, true],
    [DAY, false],
    [DAY + 1, false],
  ])("by a scan that ended %i ms ago: %s", (ageMs, complete) => {
    const result = completeness(WINDOW, [scan(10, 20, { finishedAt: addMs(NOW, -ageMs) })], NOW);
    expect(result).toEqual(complete ? COMPLETE : incomplete("SCAN_STALE"));
  });

  test("by a chain of continuations only while its first scan is recent", () => {
    const chain = (ageMs: number) => [scan(10, 20, { coveredSince: addMs(NOW, -ageMs) })];
    expect(completeness(WINDOW, chain(DAY - 1), NOW)).toEqual(COMPLETE);
    expect(completeness(WINDOW, chain(DAY), NOW)).toEqual(incomplete("SCAN_STALE"));
  });
});

describe("a window is not complete", () => {
  test.each([
    ["never scanned", [], "NOT_SCANNED"],
    ["scanned elsewhere", [scan(1, 10), scan(20, 30)], "NOT_SCANNED"],
    ["a day at the start missing", [scan(11, 20)], "NOT_SCANNED"],
    ["a day at the end missing", [scan(10, 19)], "NOT_SCANNED"],
    ["a day between missing", [scan(10, 14), scan(15, 20)], "NOT_SCANNED"],
    ["its scan running", [inFlight()], "SCAN_RUNNING"],
    ["its scan queued", [inFlight({ status: "QUEUED" })], "SCAN_RUNNING"],
    ["its scan waiting for a retry", [inFlight({ status: "QUEUED", waitingToRetry: true })], "SCAN_FAILED"],
    ["its latest scan failed", [scan(10, 20, { status: "FAILED", completeForWindow: false })], "SCAN_FAILED"],
    ["its scan canceled", [scan(10, 20, { status: "CANCELED", completeForWindow: false })], "NOT_SCANNED"],
    ["a scan running that does not touch it", [inFlight({ window: days(20, 30) })], "NOT_SCANNED"],
    ["half of it scanned too long ago", [scan(10, 15), scan(15, 20, { finishedAt: addMs(NOW, -DAY) })], "SCAN_STALE"],
    ["an early stop too long ago", [stopped({ finishedAt: addMs(NOW, -DAY) })], "NOT_SCANNED"],
  ])("with %s", (_, scans, reason) => {
    expect(completeness(WINDOW, scans, NOW)).toEqual(incomplete(reason));
  });

  test.each(SCAN_INCOMPLETE_REASONS)("with a scan that stopped early for %s", (incompleteReason) => {
    expect(completeness(WINDOW, [stopped({ incompleteReason })], NOW)).toEqual(incomplete(incompleteReason));
  });

  test("goes by the latest scan of the window", () => {
    const failed = scan(10, 20, { status: "FAILED", completeForWindow: false, finishedAt: addMs(NOW, -2 * HOUR) });
    expect(completeness(WINDOW, [failed, stopped()], NOW)).toEqual(incomplete("MAX_ITEMS_REACHED"));
    expect(completeness(WINDOW, [stopped(), { ...failed, finishedAt: NOW }], NOW)).toEqual(incomplete("SCAN_FAILED"));
  });

  test("ignores a canceled scan, however late it was", () => {
    const canceled = scan(10, 20, { status: "CANCELED", completeForWindow: false, finishedAt: NOW });
    expect(completeness(WINDOW, [stopped(), canceled], NOW)).toEqual(incomplete("MAX_ITEMS_REACHED"));
  });

  test("with expired posts gives that reason, unless a scan has a better one", () => {
    const expired = { hasExpiredContent: true };
    const stale = scan(10, 20, { finishedAt: addMs(NOW, -DAY) });
    expect(completeness(WINDOW, [], NOW, expired)).toEqual(incomplete("CONTENT_EXPIRED"));
    expect(completeness(WINDOW, [stale], NOW, expired)).toEqual(incomplete("SCAN_STALE"));
    expect(completeness(WINDOW, [stale, inFlight()], NOW, expired)).toEqual(incomplete("SCAN_RUNNING"));
    expect(completeness(WINDOW, [scan(10, 20)], NOW, expired)).toEqual(COMPLETE);
  });

  test("ignores a scan that ended 7 days ago, whether or not it is purged", () => {
    const ended = (agoMs: number) => scan(10, 20, { finishedAt: addMs(NOW, -agoMs) });
    expect(completeness(WINDOW, [ended(7 * DAY - 1)], NOW)).toEqual(incomplete("SCAN_STALE"));
    expect(completeness(WINDOW, [ended(7 * DAY)], NOW)).toEqual(incomplete("NOT_SCANNED"));
    const failed = { ...ended(7 * DAY), status: "FAILED", completeForWindow: false } as const;
    expect(completeness(WINDOW, [failed], NOW)).toEqual(incomplete("NOT_SCANNED"));
  });

  test("for any of the reasons of the contract, each of which is reached", () => {
    const reached = [
      ...SCAN_INCOMPLETE_REASONS.map((incompleteReason) => completeness(WINDOW, [stopped({ incompleteReason })], NOW)),
      completeness(WINDOW, [], NOW),
      completeness(WINDOW, [inFlight()], NOW),
      completeness(WINDOW, [scan(10, 20, { status: "FAILED", completeForWindow: false })], NOW),
      completeness(WINDOW, [scan(10, 20, { finishedAt: addMs(NOW, -DAY) })], NOW),
      completeness(WINDOW, [], NOW, { hasExpiredContent: true }),
    ];
    expect(new Set(reached.map((result) => result.incompleteReason))).toEqual(new Set(PAGE_INCOMPLETE_REASONS));
  });
});

test("complete means that every day of the window is in some recent complete scan, compared with counting days", () => {
  const day = fc.integer({ min: 1, max: 29 });
  const window = fc
    .tuple(day, fc.integer({ min: 1, max: 6 }))
    .map(([from, length]) => [from, Math.min(30, from + length)] as const);
  fc.assert(
    fc.property(window, fc.array(fc.tuple(window, fc.boolean()), { maxLength: 8 }), ([from, to], parts) => {
      const scans = parts.map(([[a, b], recent]) => scan(a, b, { finishedAt: addMs(NOW, recent ? -HOUR : -DAY) }));
      const covered = (n: number) => parts.some(([[a, b], recent]) => recent && a <= n && n < b);
      const every = Array.from({ length: to - from }, (_, index) => from + index).every(covered);
      expect(completeness(days(from, to), scans, NOW).completeForWindow).toBe(every);
    }),
    { numRuns: 500 },
  );
});

test("does not change its input", () => {
  const scans = Object.freeze([scan(15, 20), scan(10, 15)]);
  completeness(WINDOW, scans, NOW);
  expect(scans.map(({ window }) => window.publishedAfter.getUTCDate())).toEqual([15, 10]);
});
