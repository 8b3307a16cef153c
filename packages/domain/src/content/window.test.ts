import { describe, expect, test } from "vitest";
import { addMs, nextUtcDay } from "../time/time.ts";
import {
  checkConnectionsPage,
  checkContentWindow,
  checkSyncWindow,
  isInsideWindow,
  resolveSyncWindow,
  sameWindow,
} from "./window.ts";

const AFTER = new Date("2026-01-01T00:00:00.000Z");
const DAY = 24 * 60 * 60_000;
const span = (ms: number) => ({ publishedAfter: AFTER, publishedBefore: addMs(AFTER, ms) });

const kinds = [
  ["a scan", (window: ReturnType<typeof span>) => checkSyncWindow(window)],
  ["stored posts", (window: ReturnType<typeof span>) => checkContentWindow({ ...window, first: 50 })],
] as const;

describe.each(kinds)("a window of %s", (_, check) => {
  test.each([1, DAY, 90 * DAY - 1, 90 * DAY])("may span %i ms", (ms) => {
    expect(check(span(ms))).toBeNull();
  });

  test.each([
    ["empty", 0],
    ["reversed", -1],
    ["longer than 90 days", 90 * DAY + 1],
    ["without a date", Number.NaN],
  ])("must not be %s", (_, ms) => {
    expect(check(span(ms))).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test("may be in the future", () => {
    expect(check({ publishedAfter: new Date("2999-01-01"), publishedBefore: new Date("2999-02-01") })).toBeNull();
  });
});

test.each([
  [0, false],
  [1, true],
  [100, true],
  [101, false],
  [-1, false],
  [1.5, false],
  [null, true],
  [undefined, true],
])("maxItems of a scan may be %s: %s", (maxItems, fine) => {
  expect(checkSyncWindow({ ...span(1), maxItems }) === null).toBe(fine);
});

test.each([
  [0, false],
  [1, true],
  [50, true],
  [51, false],
  [-1, false],
  [1.5, false],
])("first of stored posts may be %s: %s", (first, fine) => {
  expect(checkContentWindow({ ...span(1), first }) === null).toBe(fine);
});

test.each([
  [0, false],
  [1, true],
  [100, true],
  [101, false],
  [null, true],
  [undefined, true],
])("first of connections may be %s: %s", (first, fine) => {
  expect(checkConnectionsPage(first) === null).toBe(fine);
});

describe("the window of a scan", () => {
  const now = new Date("2026-03-08T12:00:00.000Z");

  test("is by default the last 7 days, until the end of the day on which the scan stops being recent, and 100 posts", () => {
    const expected = {
      publishedAfter: new Date("2026-03-01T12:00:00.000Z"),
      publishedBefore: new Date("2026-03-10T00:00:00.000Z"),
      maxItems: 100,
      isDefault: true,
    };
    expect(resolveSyncWindow(null, now)).toEqual(expected);
    expect(resolveSyncWindow(undefined, now)).toEqual(expected);
  });

  test.each([
    ["2026-03-08T00:00:00.000Z", "2026-03-10T00:00:00.000Z"],
    ["2026-12-30T23:59:59.999Z", "2027-01-01T00:00:00.000Z"],
  ])(
    "by default covers the 7 whole days that end on the day of each time in the next 24 hours, from %s",
    (from, end) => {
      const { publishedAfter, publishedBefore } = resolveSyncWindow(null, new Date(from));
      expect(publishedBefore).toEqual(new Date(end));
      for (const later of [0, DAY - 1].map((ms) => addMs(new Date(from), ms))) {
        const days = { publishedAfter: addMs(nextUtcDay(later), -7 * DAY), publishedBefore: nextUtcDay(later) };
        expect(publishedAfter <= days.publishedAfter && days.publishedBefore <= publishedBefore).toBe(true);
      }
    },
  );

  test("has 100 posts at most when no other number is named", () => {
    expect(resolveSyncWindow({ ...span(1), maxItems: null }, now)).toEqual({
      ...span(1),
      maxItems: 100,
      isDefault: false,
    });
    expect(resolveSyncWindow({ ...span(1), maxItems: 7 }, now)).toMatchObject({ maxItems: 7 });
  });

  test("is the same as another only with equal times and maxItems", () => {
    const window = resolveSyncWindow(span(DAY), now);
    expect(sameWindow(window, resolveSyncWindow({ ...span(DAY), maxItems: 100 }, now))).toBe(true);
    expect(sameWindow(window, resolveSyncWindow(span(DAY + 1), now))).toBe(false);
    expect(sameWindow(window, resolveSyncWindow({ ...span(DAY), maxItems: 99 }, now))).toBe(false);
    expect(sameWindow(window, { ...window, publishedAfter: addMs(AFTER, -1) })).toBe(false);
  });

  test("is the same for two who named none, although time has passed between", () => {
    const earlier = resolveSyncWindow(null, now);
    const later = resolveSyncWindow(null, addMs(now, 60_000));
    expect(sameWindow(earlier, later)).toBe(true);
    expect(sameWindow(earlier, { ...later, isDefault: false })).toBe(false);
    expect(sameWindow(earlier, { ...earlier, isDefault: false })).toBe(true);
  });
});

test.each([
  [-1, false],
  [0, true],
  [DAY - 1, true],
  [DAY, false],
])("a post published %i ms after the start of a day's window is inside: %s", (ms, inside) => {
  expect(isInsideWindow(addMs(AFTER, ms), span(DAY))).toBe(inside);
});
