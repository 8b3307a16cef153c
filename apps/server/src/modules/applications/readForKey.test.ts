import { formatDateTime } from "@social-connect/domain";
import { expect, test } from "vitest";
import { writtenDateTime } from "./readForKey.ts";

test.each([
  "2026-01-31T08:15:30+00:00",
  "2026-01-31T08:15:30.1+00:00",
  "2026-01-31T08:15:30.12+00:00",
  "2026-01-31T08:15:30.120001+00:00",
  "2026-01-31T08:15:30.999999+00:00",
  "0001-01-01T00:00:00+00:00",
  "2026-01-31T08:15:30.5+05:30",
  "2026-01-31T08:15:30-11:00",
])("the timestamp %s is written as a DateTime", (timestamp) => {
  expect(writtenDateTime(timestamp).text).toBe(formatDateTime(new Date(timestamp)));
});
