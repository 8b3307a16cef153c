import { expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { messageTimeProblem, WEBHOOK_MAX_AGE_MS } from "./providerMessages.ts";

const NOW = new Date("2026-03-01T09:00:00.000Z");

test.each([
  ["now", 0, null],
  ["at most 5 minutes old", -5 * 60_000, null],
  ["a millisecond older", -5 * 60_000 - 1, "old"],
  ["a minute ahead", 60_000, null],
  ["further ahead", 60_001, "future"],
] as const)("a webhook that was signed %s", (_, offsetMs, problem) => {
  expect(messageTimeProblem(addMs(NOW, offsetMs), WEBHOOK_MAX_AGE_MS, NOW)).toBe(problem);
});
