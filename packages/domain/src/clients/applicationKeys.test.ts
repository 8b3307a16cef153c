import { expect, test } from "vitest";
import { isKeyActive } from "../keys/keyLifetime.ts";
import { addMs } from "../time/time.ts";
import { checkApplicationKeyLifetime, checkNewApplicationKey } from "./applicationKeys.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const unlimited = { revokedAt: null, expiresAt: null };
const revoked = { ...unlimited, revokedAt: NOW };
const expired = { ...unlimited, expiresAt: NOW };
const expiring = { ...unlimited, expiresAt: addMs(NOW, 1) };

test.each([
  ["without expiry", unlimited, true],
  ["that expires in a millisecond", expiring, true],
  ["that expires now", expired, false],
  ["that expired a millisecond ago", { ...unlimited, expiresAt: addMs(NOW, -1) }, false],
  ["that was revoked", revoked, false],
  ["that was revoked and would not have expired", { ...expiring, revokedAt: NOW }, false],
])("whether a key %s is active", (_, key, active) => {
  expect(isKeyActive(key, NOW)).toBe(active);
});

test("an application may have two active keys, to rotate from one to the other, and not three", () => {
  expect(checkNewApplicationKey([], NOW)).toBeNull();
  expect(checkNewApplicationKey([unlimited], NOW)).toBeNull();
  expect(checkNewApplicationKey([unlimited, expiring], NOW)).toBe("KEY_LIMIT");
});

test("revoked and expired keys leave room for new ones", () => {
  expect(checkNewApplicationKey([unlimited, revoked, expired, revoked], NOW)).toBeNull();
  expect(checkNewApplicationKey([unlimited, revoked, expiring], NOW)).toBe("KEY_LIMIT");
});

test.each([null, 1, 3_650])("an application key may live for %s days", (days) => {
  expect(checkApplicationKeyLifetime(days)).toBe(null);
});

test.each([0, -1, 1.5, 3_651, Number.NaN])("and not for %s", (days) => {
  expect(checkApplicationKeyLifetime(days)).toMatchObject({ code: "BAD_USER_INPUT" });
});
