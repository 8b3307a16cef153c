import { LIMITS } from "@social-connect/contract";
import { expect, test } from "vitest";
import { followingRead, nextAfterLimit, nextBackgroundRead, shouldLeaveToSchedule } from "./backgroundReads.ts";

const HOUR_MS = 3_600_000;
const NOW = new Date("2026-03-01T12:00:00.000Z");
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

test.each([0, 0.5, 0.999_999])("with the random number %d a re-read comes before a scan is stale", (random) => {
  const at = nextBackgroundRead(NOW, random);
  expect(at.getTime()).toBeGreaterThan(NOW.getTime());
  expect(at.getTime()).toBeLessThan(NOW.getTime() + LIMITS.scanFreshMs);
});

test("a date that has come is planned anew, and any other stays", () => {
  expect(followingRead(null, NOW, 0)).toBe(null);
  expect(followingRead(after(1), NOW, 0)).toEqual(after(1));
  expect(followingRead(NOW, NOW, 0)).toEqual(after(20));
});

test("only a re-read that nobody asked for is left to the schedule, and only when it would wait long", () => {
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
