import { formatDateTime } from "@social-connect/domain";
import { expect, test } from "vitest";
import { writeDateTime } from "./scalars.ts";

test.each([
  "2026-01-31T08:15:30+00:00",
  "2026-01-31T08:15:30.1+00:00",
  "2026-01-31T08:15:30.120Z",
  "2026-01-31T08:15:30.120001+00:00",
  "2026-01-31T08:15:30.999999+00:00",
  "0001-01-01T00:00:00+00:00",
  "2026-01-31T08:15:30.5+05:30",
  "2026-01-31T08:15:30-11:00",
])("the time %s is written as the Date of the same time", (text) => {
  expect(writeDateTime(text)).toBe(formatDateTime(new Date(text)));
  expect(writeDateTime(new Date(text))).toBe(writeDateTime(text));
});

test.each(["yesterday", "", Number.NaN, null, {}])("%j is not written as a DateTime", (value) => {
  expect(() => writeDateTime(value)).toThrow("DateTime can only serialize");
});
