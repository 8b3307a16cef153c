import { expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { isKeyActive, keyExpiry } from "./keyLifetime.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const unlimited = { revokedAt: null, expiresAt: null };
const expiring = { ...unlimited, expiresAt: addMs(NOW, 1) };

test.each([
  ["without expiry", unlimited, true],
  ["that expires in a millisecond", expiring, true],
  ["that expires now", { ...unlimited, expiresAt: NOW }, false],
  ["that expired a millisecond ago", { ...unlimited, expiresAt: addMs(NOW, -1) }, false],
  ["that was revoked", { ...unlimited, revokedAt: NOW }, false],
  ["that was revoked before it would have expired", { ...expiring, revokedAt: NOW }, false],
])("a key %s is active: %s", (_, key, active) => {
  expect(isKeyActive(key, NOW)).toBe(active);
});

test("a key of one day expires 24 hours later", () => {
  expect(keyExpiry(NOW, 1)).toEqual(new Date("2026-03-11T12:00:00.000Z"));
});
