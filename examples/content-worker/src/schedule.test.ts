import { expect, test } from "vitest";
import { nextRefreshMs, nextTryMs } from "./schedule.ts";

const HOUR_MS = 3_600_000;

test("refreshes that began together spread out, and none comes later than its interval", () => {
  expect(nextRefreshMs(1_000, 6 * HOUR_MS, 0)).toBe(1_000 + 6 * HOUR_MS);
  expect(nextRefreshMs(1_000, 6 * HOUR_MS, 0.999)).toBeGreaterThan(1_000 + 4.8 * HOUR_MS);
});

test("failures in a row are followed by longer and longer delays, up to a bound", () => {
  const delays = [1, 2, 3, 50].map((failures) => nextTryMs(0, failures, 0.5));
  expect(delays).toEqual([30_000, 60_000, 120_000, 3 * HOUR_MS]);
});

test("what the service asks for is never undercut", () => {
  expect(nextTryMs(5_000, 1, 0, 90)).toBe(95_000);
  // The control: if the service requests no delay, the random delay may be zero.
  expect(nextTryMs(5_000, 1, 0)).toBe(5_000);
});
