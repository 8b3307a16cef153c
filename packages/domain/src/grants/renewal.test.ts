import { expect, test } from "vitest";
import { credentialEndsAt, decideRenewal, RENEWAL_LEASE_MS } from "./renewal.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const TRAITS = { renewBeforeMs: 60_000, rotatesRefreshToken: false };
const GRANT = {
  version: 3,
  accessTokenExpiresAt: inMs(3_600_000),
  refreshTokenExpiresAt: null,
  renewalStartedAt: null,
};
const ending = { ...GRANT, accessTokenExpiresAt: inMs(59_999) };

test("a token that lives long enough is used, and one that ends soon is renewed", () => {
  expect(decideRenewal(GRANT, TRAITS, null, NOW)).toBe("use");
  expect(decideRenewal(ending, TRAITS, null, NOW)).toBe("renew");
});

test("a token that the provider has refused is renewed, and a newer one is used", () => {
  expect(decideRenewal(GRANT, TRAITS, 3, NOW)).toBe("renew");
  expect(decideRenewal(GRANT, TRAITS, 2, NOW)).toBe("use");
});

test("past the end of the refresh token the access token is used while it lives", () => {
  const spent = { ...ending, refreshTokenExpiresAt: NOW };
  expect(decideRenewal(spent, TRAITS, null, NOW)).toBe("use");
  expect(decideRenewal({ ...spent, accessTokenExpiresAt: NOW }, TRAITS, null, NOW)).toBe("lost");
});

test("a renewal that was cut off is repeated only where that cannot end the grant", () => {
  const cutOff = { ...GRANT, accessTokenExpiresAt: NOW, renewalStartedAt: inMs(-RENEWAL_LEASE_MS) };
  expect(decideRenewal({ ...cutOff, renewalStartedAt: inMs(-1_000) }, TRAITS, null, NOW)).toBe("wait");
  expect(decideRenewal(cutOff, TRAITS, null, NOW)).toBe("renew");
  expect(decideRenewal(cutOff, { ...TRAITS, rotatesRefreshToken: true }, null, NOW)).toBe("lost");
});

test("a clock that was moved on makes no renewal look cut off", () => {
  const underWay = { ...GRANT, accessTokenExpiresAt: NOW, renewalStartedAt: NOW };
  const rotating = { ...TRAITS, rotatesRefreshToken: true };
  expect(decideRenewal(underWay, rotating, null, inMs(86_400_000), inMs(1_000))).toBe("wait");
  expect(decideRenewal(underWay, rotating, null, inMs(86_400_000), inMs(RENEWAL_LEASE_MS))).toBe("lost");
});

test("a grant ends with its refresh token, or with its access token where there is no other", () => {
  const ends = { accessTokenExpiresAt: inMs(1), refreshTokenExpiresAt: inMs(2) };
  expect(credentialEndsAt({ ...ends, hasRefreshToken: true })).toEqual(inMs(2));
  expect(credentialEndsAt({ ...ends, hasRefreshToken: false })).toEqual(inMs(1));
});
