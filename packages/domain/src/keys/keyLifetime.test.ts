import { expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { expiresSoon, isKeyActive, KEY_EXPIRY_NOTICE_MS, keyExpiry } from "./keyLifetime.ts";

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

test.each([
  ["expires at the end of the notice", { expiresAt: addMs(NOW, KEY_EXPIRY_NOTICE_MS) }, true],
  ["expires later", { expiresAt: addMs(NOW, KEY_EXPIRY_NOTICE_MS + 1) }, false],
  ["expired", { expiresAt: NOW }, false],
  ["was revoked", { ...expiring, revokedAt: NOW }, false],
  ["never expires", {}, false],
])("whether a key that %s expires soon: %j", (_, change, soon) => {
  expect(expiresSoon({ ...unlimited, ...change }, NOW)).toBe(soon);
});

test("a key of one day expires 24 hours later", () => {
  expect(keyExpiry(NOW, 1)).toEqual(new Date("2026-03-11T12:00:00.000Z"));
});
