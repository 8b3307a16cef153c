import { expect, test } from "vitest";
import { checkAdminKeyLabel, checkAdminKeyLifetime, checkNewAdminKey, keyExpiry } from "./adminKeys.ts";

const now = new Date("2026-03-10T12:00:00.000Z");
const live = { revokedAt: null, expiresAt: new Date("2026-03-10T12:00:00.001Z") };

test("an admin's sixth active key is refused, and dead keys do not count", () => {
  const dead = [
    { revokedAt: now, expiresAt: live.expiresAt },
    { revokedAt: null, expiresAt: now },
  ];
  expect(checkNewAdminKey([live, live, live, live, ...dead], now)).toBeNull();
  expect(checkNewAdminKey([live, live, live, live, live, ...dead], now)).toBe("KEY_LIMIT");
});

test.each([
  [1, "live", true],
  [30, "live", true],
  [31, "live", false],
  [90, "sandbox", true],
  [91, "sandbox", false],
  [0, "sandbox", false],
  [-1, "sandbox", false],
  [1.5, "sandbox", false],
  [Number.NaN, "sandbox", false],
] as const)("a key of %s days in %s mode: allowed is %s", (days, mode, allowed) => {
  expect(checkAdminKeyLifetime(days, mode) === null).toBe(allowed);
});

test("a key of one day ends 24 hours later", () => {
  expect(keyExpiry(now, 1)).toEqual(new Date("2026-03-11T12:00:00.000Z"));
});

test("a label has 1 to 80 characters and can be read", () => {
  expect(["x", "x".repeat(80)].map(checkAdminKeyLabel)).toEqual([null, null]);
  for (const label of ["", "  ", "x".repeat(81), "a\0b"]) {
    expect(checkAdminKeyLabel(label)).toMatchObject({ code: "BAD_USER_INPUT" });
  }
});
