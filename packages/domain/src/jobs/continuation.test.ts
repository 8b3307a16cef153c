import { expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { checkContinuation } from "./continuation.ts";

const window = { publishedAfter: addMs(NOW, -3 * DAY), publishedBefore: NOW, maxItems: 100 };
const scan = { kind: "SCAN", status: "SUCCEEDED", completeForWindow: false, finishedAt: NOW, window } as const;

test("a scan is continued with no window or with its own, the default of maxItems filled in", () => {
  expect(checkContinuation(scan, null, NOW)).toBeNull();
  expect(checkContinuation(scan, window, NOW)).toBeNull();
  expect(checkContinuation(scan, { ...window, maxItems: null }, NOW)).toBeNull();
});

test.each([
  ["start", { publishedAfter: addMs(window.publishedAfter, 1) }],
  ["end", { publishedBefore: addMs(window.publishedBefore, 1) }],
  ["maxItems", { maxItems: 99 }],
])("a window with another %s is refused", (_, over) => {
  expect(checkContinuation(scan, { ...window, ...over }, NOW)).toMatchObject({ code: "BAD_USER_INPUT" });
});

test.each([
  [DAY - 1, true],
  [DAY, false],
  [DAY + 1, false],
])("a scan that ended %i ms ago can be continued: %s", (ageMs, fine) => {
  expect(checkContinuation(scan, null, addMs(NOW, ageMs)) === null).toBe(fine);
});

test.each([
  ["no scan", null],
  ["a failed scan", { ...scan, status: "FAILED" as const }],
  ["a scan in flight", { ...scan, status: "RUNNING" as const, finishedAt: null }],
  ["a scan that covered its window", { ...scan, completeForWindow: true }],
])("a cursor that leads to %s is refused", (_, found) => {
  expect(checkContinuation(found, null, NOW)).toMatchObject({ code: "BAD_USER_INPUT" });
});
