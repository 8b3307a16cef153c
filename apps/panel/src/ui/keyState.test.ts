import { expect, test } from "vitest";
import { keyState } from "./keyState.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const at = (days: number, ms = 0) => new Date(NOW.getTime() + days * 86_400_000 + ms).toISOString();

test.each([
  ["Active", { expiresAt: null, revokedAt: null }, true],
  ["Active", { expiresAt: at(400), revokedAt: null }, true],
  ["Active", { expiresAt: at(14, 1), revokedAt: null }, true],
  ["Expires soon", { expiresAt: at(14), revokedAt: null }, true],
  ["Expires soon", { expiresAt: at(1), revokedAt: null }, true],
  ["Expires soon", { expiresAt: at(0, 1), revokedAt: null }, true],
  ["Expired", { expiresAt: at(0), revokedAt: null }, false],
  ["Expired", { expiresAt: at(-400), revokedAt: null }, false],
  ["Revoked", { expiresAt: null, revokedAt: at(-1) }, false],
  ["Revoked", { expiresAt: at(30), revokedAt: at(-1) }, false],
  ["Revoked", { expiresAt: at(1), revokedAt: at(0) }, false],
  ["Revoked", { expiresAt: at(-2), revokedAt: at(-3) }, false],
])("shows %s for %o", (label, key, isActive) => {
  expect(keyState(key, NOW)).toMatchObject({ label, isActive });
});
