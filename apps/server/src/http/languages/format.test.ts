import { expect, test } from "vitest";
import { format } from "./format.ts";

const DAYS = "{count, plural, one {# Tag} other {# Tage}}";

test("a text is filled in with the numbers and the days of the language, and without a time of day", () => {
  expect(format("de", DAYS, { count: 1 })).toBe("1 Tag");
  expect(format("de", DAYS, { count: 12_345 })).toBe("12.345 Tage");
  const lateEvening = new Date("2026-03-01T23:59:00.000Z");
  expect(format("de-AT", "am {time, date, long}", { time: lateEvening })).toBe("am 1. März 2026");
  expect(format("en-GB", "on {time, date, long}", { time: lateEvening })).toBe("on 1 March 2026");
});

test("a value with placeholders or markup is not read again, and a name from right to left is isolated", () => {
  expect(format("en", "{application} at {host}", { application: "{host}", host: "<b>" })).toBe("{host} at <b>");
  expect(format("en", "Back to {application}", { application: "שלום" })).toBe("Back to \u2068שלום\u2069");
});
