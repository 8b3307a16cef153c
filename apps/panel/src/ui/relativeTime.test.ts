import { expect, test } from "vitest";
import { formatRelativeTime } from "./relativeTime.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const SECOND = 1_000;
const DAY = 86_400_000;

test.each([
  [0, "just now"],
  [-9 * SECOND, "just now"],
  [-10 * SECOND, "10 seconds ago"],
  [-59 * SECOND, "59 seconds ago"],
  [-60 * SECOND, "1 minute ago"],
  [-3_599 * SECOND, "59 minutes ago"],
  [3_600 * SECOND, "in 1 hour"],
  [-DAY, "yesterday"],
  [DAY, "tomorrow"],
  [12 * DAY, "in 12 days"],
  [30 * DAY - SECOND, "in 30 days"],
  [45 * DAY, "24 Apr 2026"],
  [-400 * DAY, "3 Feb 2025"],
])("%d ms from now is %s", (distanceMs, text) => {
  expect(formatRelativeTime(new Date(NOW.getTime() + distanceMs), NOW)).toBe(text);
});
