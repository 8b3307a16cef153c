import { expect, test } from "vitest";
import { Expectations } from "./expectation.ts";

const job = { status: "FAILED", errorCode: "DISCONNECTED", nextRetryAt: null };

test("a comparison of some fields ignores the others, and counts as one", () => {
  const t = new Expectations();
  t.shows(job, { status: "FAILED", nextRetryAt: null }, "the job");
  expect(t.count).toBe(1);
});

test.each([
  ["another value", job, { status: "CANCELED" }],
  ["no record", null, { status: "FAILED" }],
  ["no record, even where a missing field is expected", undefined, { status: undefined }],
])("a comparison of some fields fails for %s", (_, actual, expected) => {
  expect(() => new Expectations().shows(actual, expected, "the job")).toThrow("the job");
});
