import { expect, test } from "vitest";
import { quotaWindow } from "./quotaWindow.ts";

const HOUR = 3_600_000;

test.each([
  ["minute", "2026-03-10T12:00:59.999Z", "2026-03-10T12:00:00.000Z", "2026-03-10T12:01:00.000Z"],
  ["minute", "2026-03-10T12:01:00.000Z", "2026-03-10T12:01:00.000Z", "2026-03-10T12:02:00.000Z"],
  ["day", "2026-03-10T23:59:59.999Z", "2026-03-10T00:00:00.000Z", "2026-03-11T00:00:00.000Z"],
  // Standard time is 8 hours behind UTC, daylight saving time 7.
  ["pacific-day", "2026-01-15T07:59:59.999Z", "2026-01-14T08:00:00.000Z", "2026-01-15T08:00:00.000Z"],
  ["pacific-day", "2026-01-15T08:00:00.000Z", "2026-01-15T08:00:00.000Z", "2026-01-16T08:00:00.000Z"],
  ["pacific-day", "2026-07-01T06:59:59.999Z", "2026-06-30T07:00:00.000Z", "2026-07-01T07:00:00.000Z"],
  ["pacific-day", "2026-12-31T12:00:00.000Z", "2026-12-31T08:00:00.000Z", "2027-01-01T08:00:00.000Z"],
  // The clocks go forward, and back, at two in the morning.
  ["pacific-day", "2026-03-08T20:00:00.000Z", "2026-03-08T08:00:00.000Z", "2026-03-09T07:00:00.000Z"],
  ["pacific-day", "2026-11-01T20:00:00.000Z", "2026-11-01T07:00:00.000Z", "2026-11-02T08:00:00.000Z"],
] as const)("the %s of %s goes from %s to %s", (kind, now, start, endsAt) => {
  expect(quotaWindow(kind, new Date(now))).toEqual({ start: new Date(start), endsAt: new Date(endsAt) });
});

test("one window begins where the one before ended, all year round", () => {
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 2); at += 7 * HOUR) {
    const { start, endsAt } = quotaWindow("pacific-day", new Date(at));
    expect(start.getTime()).toBeLessThanOrEqual(at);
    expect(endsAt.getTime()).toBeGreaterThan(at);
    expect(quotaWindow("pacific-day", endsAt).start).toEqual(endsAt);
    expect(quotaWindow("pacific-day", new Date(endsAt.getTime() - 1)).start).toEqual(start);
  }
});
