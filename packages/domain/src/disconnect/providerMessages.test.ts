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

test("a message without a time is refused; a message without a maximum age may be old, not from the future", () => {
  for (const maxAgeMs of [WEBHOOK_MAX_AGE_MS, null]) expect(messageTimeProblem(null, maxAgeMs, NOW)).toBe("untimed");
  expect(messageTimeProblem(new Date(0), null, NOW)).toBeNull();
  expect(messageTimeProblem(addMs(NOW, 60_001), null, NOW)).toBe("future");
});
