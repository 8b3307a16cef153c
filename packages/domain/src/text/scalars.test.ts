import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDateTime, isDecimalCount, parseDateTime } from "./scalars.ts";

describe("a DateTime argument", () => {
  test.each([
    ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500Z"],
    ["2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123Z"],
    ["2026-03-01T12:00:00+05:30", "2026-03-01T06:30:00.000Z"],
    ["2026-03-01T00:00:00-08:00", "2026-03-01T08:00:00.000Z"],
    ["2026-03-01T00:00:00+00:00", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01T00:00:00-23:59", "2026-03-01T23:59:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is read", (text, moment) => {
    expect(parseDateTime(text)?.toISOString()).toBe(moment);
  });

  test.each([
    "",
    "now",
    "2026-03-01",
    "2026-03-01T12:00Z",
    "2026-03-01T12:00:00",
    "2026-03-01 12:00:00Z",
    "2026-03-01t12:00:00z",
    " 2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00Z\n",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-03-00T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T12:60:00Z",
    "2026-12-31T23:59:60Z",
    "2026-03-01T12:00:00.Z",
    "2026-03-01T12:00:00.1234567890Z",
    "2026-03-01T12:00:00+24:00",
    "2026-03-01T12:00:00+05:60",
    "2026-03-01T12:00:00+0530",
    "+002026-03-01T12:00:00Z",
    "12026-03-01T12:00:00Z",
    "1772366400000",
    "0000-12-31T23:59:59.999Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
  ])("%j is refused", (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  test("comes back from its own output", () => {
    const moments = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseDateTime(formatDateTime(moment))).toEqual(moment);
      }),
    );
  });
});

test.each([
  ["0", true],
  ["7", true],
  ["12345678901234567890", true],
  ["", false],
  ["-1", false],
  ["+1", false],
  ["01", false],
  ["1.0", false],
  ["1e3", false],
  [" 1", false],
  ["1\n", false],
  ["١", false],
])("%j is a DecimalCount: %s", (text, expected) => {
  expect(isDecimalCount(text)).toBe(expected);
});
