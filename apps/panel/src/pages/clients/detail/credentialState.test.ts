import { expect, test } from "vitest";
import { credentialState } from "./credentialState.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const KEY = { keyId: "k", createdAt: NOW.toISOString(), lastUsedAt: null };
const at = (days: number, ms = 0) => new Date(NOW.getTime() + days * 86_400_000 + ms).toISOString();

test.each([
  ["Active", { expiresAt: null, revokedAt: null }, true],
  ["Active", { expiresAt: at(14, 1), revokedAt: null }, true],
  ["Expires soon", { expiresAt: at(14), revokedAt: null }, true],
  ["Expired", { expiresAt: at(0), revokedAt: null }, false],
  ["Revoked", { expiresAt: null, revokedAt: at(-1) }, false],
  ["Revoked", { expiresAt: at(-2), revokedAt: at(-3) }, false],
])("shows %s for %o", (label, lifetime, isActive) => {
  expect(credentialState({ ...KEY, ...lifetime }, NOW)).toMatchObject({ label, isActive });
});
