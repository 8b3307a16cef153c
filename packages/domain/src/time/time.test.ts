import { expect, test } from "vitest";
import { addMs, durationText, hasPassed, isOlderThan, isSameMoment, retryAfterSecondsUntil } from "./time.ts";

const NOON = new Date("2026-03-01T12:00:00.000Z");

test.each([
  [-1, false],
  [0, true],
  [1, true],
])("a deadline seen %i ms after its time has passed: %s", (offsetMs, passed) => {
  expect(hasPassed(NOON, addMs(NOON, offsetMs))).toBe(passed);
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
])("something %i ms beyond an age is older than it: %s", (offsetMs, older) => {
  expect(isOlderThan(NOON, 1_000, addMs(NOON, 1_000 + offsetMs))).toBe(older);
});

test.each([
  [1, 1],
  [999, 1],
  [1_000, 1],
  [1_001, 2],
  [599_999, 600],
  [600_000, 600],
  [0, 1],
  [-5_000, 1],
])("%i ms from now the caller must wait %i seconds: rounded up, at least 1", (ms, seconds) => {
  expect(retryAfterSecondsUntil(addMs(NOON, ms), NOON)).toBe(seconds);
});

test("times are compared by value", () => {
  expect(isSameMoment(NOON, new Date(NOON))).toBe(true);
  expect(isSameMoment(NOON, addMs(NOON, 1))).toBe(false);
});

test.each([
  [30 * 24 * 60 * 60_000, "30 days"],
  [24 * 60 * 60_000, "24 hours"],
  [90 * 60_000, "90 minutes"],
  [60_000, "1 minute"],
  [1_500, "1500 milliseconds"],
])("writes %i ms as %s", (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text);
});
