import { SYNC_STATUSES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { isScanFresh, SYNC_STATUS_AFTER, syncStatusAsRead } from "./syncStatus.ts";

test.each([
  [DAY - 1, true],
  [DAY, false],
  [DAY + 1, false],
])("a scan that ended %i ms ago is recent: %s", (ageMs, fresh) => {
  expect(isScanFresh(addMs(NOW, -ageMs), NOW)).toBe(fresh);
});

test("a connection without a scan is not fresh, and a stored success is STALE", () => {
  expect(isScanFresh(null, NOW)).toBe(false);
  expect(syncStatusAsRead("READY", null, NOW)).toBe("STALE");
});

test("every syncStatus is initial, follows an event of a scan, or follows from age", () => {
  expect(new Set(["PENDING", ...Object.values(SYNC_STATUS_AFTER), "STALE"])).toEqual(new Set(SYNC_STATUSES));
});

test.each([
  ["READY", "READY", "STALE"],
  ["PARTIAL", "PARTIAL", "STALE"],
  ["RUNNING", "RUNNING", "RUNNING"],
  ["FAILED", "FAILED", "FAILED"],
  ["PENDING", "PENDING", "PENDING"],
] as const)("a stored %s reads %s within 24 hours of a success and %s after", (stored, within, after) => {
  expect(syncStatusAsRead(stored, addMs(NOW, 1 - DAY), NOW)).toBe(within);
  expect(syncStatusAsRead(stored, addMs(NOW, -DAY), NOW)).toBe(after);
});
