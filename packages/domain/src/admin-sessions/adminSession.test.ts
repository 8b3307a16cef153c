import { expect, it } from "vitest";
import { addMs } from "../time/time.ts";
import { CONFIRMATION_AGE_MS, isSessionAlive, needsConfirmation, SESSION_IDLE_MS } from "./adminSession.ts";

const NOW = new Date("2026-05-01T12:00:00Z");

it("a confirmation is good for five minutes and not a millisecond longer", () => {
  expect(needsConfirmation(addMs(NOW, -CONFIRMATION_AGE_MS), NOW)).toBe(false);
  expect(needsConfirmation(addMs(NOW, -CONFIRMATION_AGE_MS - 1), NOW)).toBe(true);
});

it("a session ends at its end, or after an hour in which nothing was done", () => {
  const session = { expiresAt: addMs(NOW, 1), lastSeenAt: addMs(NOW, 1 - SESSION_IDLE_MS) };
  expect(isSessionAlive(session, NOW)).toBe(true);
  expect(isSessionAlive({ ...session, expiresAt: NOW }, NOW)).toBe(false);
  expect(isSessionAlive({ ...session, lastSeenAt: addMs(NOW, -SESSION_IDLE_MS) }, NOW)).toBe(false);
});
