import { expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import {
  credentialEndsAt,
  decideRenewal,
  decideRenewed,
  isUsableAfterFailedRenewal,
  RENEWAL_LEASE_MS,
} from "./renewal.ts";

const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const TRAITS = { renewBeforeMs: 60_000, rotatesRefreshToken: false };
const GRANT = {
  version: 3,
  accessTokenExpiresAt: inMs(3_600_000),
  refreshTokenExpiresAt: null,
  renewalStartedAt: null,
};
const ending = { ...GRANT, accessTokenExpiresAt: inMs(59_999) };

test("a valid access token is used, and renewed before it expires", () => {
  expect(decideRenewal(GRANT, TRAITS, null, NOW)).toBe("use");
  expect(decideRenewal(ending, TRAITS, null, NOW)).toBe("renew");
});

test("a rejected access token is renewed, and a newer one is used", () => {
  expect(decideRenewal(GRANT, TRAITS, 3, NOW)).toBe("renew");
  expect(decideRenewal(GRANT, TRAITS, 2, NOW)).toBe("use");
});

test("after the refresh token has expired, the access token is used until it expires", () => {
  const spent = { ...ending, refreshTokenExpiresAt: NOW };
  expect(decideRenewal(spent, TRAITS, null, NOW)).toBe("use");
  expect(decideRenewal({ ...spent, accessTokenExpiresAt: NOW }, TRAITS, null, NOW)).toBe("lost");
});

test("an interrupted renewal is repeated only if that cannot end the grant", () => {
  const interrupted = { ...GRANT, accessTokenExpiresAt: NOW, renewalStartedAt: inMs(-RENEWAL_LEASE_MS) };
  expect(decideRenewal({ ...interrupted, renewalStartedAt: inMs(-1_000) }, TRAITS, null, NOW)).toBe("wait");
  expect(decideRenewal(interrupted, TRAITS, null, NOW)).toBe("renew");
  expect(decideRenewal(interrupted, { ...TRAITS, rotatesRefreshToken: true }, null, NOW)).toBe("lost");
});

test("a renewed grant has the new tokens and the next version", () => {
  const tokens = { accessTokenExpiresAt: inMs(1) };
  expect(decideRenewed(GRANT, tokens, NOW)).toEqual({ ...tokens, version: 4, updatedAt: NOW });
});

test("a moved clock does not interrupt a renewal", () => {
  const inProgress = { ...GRANT, accessTokenExpiresAt: NOW, renewalStartedAt: NOW };
  const rotating = { ...TRAITS, rotatesRefreshToken: true };
  expect(decideRenewal(inProgress, rotating, null, inMs(86_400_000), inMs(1_000))).toBe("wait");
  expect(decideRenewal(inProgress, rotating, null, inMs(86_400_000), inMs(RENEWAL_LEASE_MS))).toBe("lost");
});

test("a grant expires with its refresh token, or with its access token without one", () => {
  const ends = { accessTokenExpiresAt: inMs(1), refreshTokenExpiresAt: inMs(2) };
  expect(credentialEndsAt({ ...ends, hasRefreshToken: true })).toEqual(inMs(2));
  expect(credentialEndsAt({ ...ends, hasRefreshToken: false })).toEqual(inMs(1));
});

test("an access token is used after a failed early renewal, unless the grant has ended or the token was rejected", () => {
  const grant = { ...GRANT, hasRefreshToken: true };
  const isUsable = (over: Partial<typeof grant>, kind: "unavailable" | "grant_gone", rejected: number | null = null) =>
    isUsableAfterFailedRenewal({ ...grant, ...over }, { kind }, rejected, NOW);
  expect(isUsable({}, "unavailable")).toBe(true);
  expect(isUsable({}, "unavailable", 2)).toBe(true);
  expect(isUsable({}, "unavailable", 3)).toBe(false);
  expect(isUsable({ accessTokenExpiresAt: NOW }, "unavailable")).toBe(false);
  expect(isUsable({}, "grant_gone")).toBe(false);
  expect(isUsable({ hasRefreshToken: false }, "grant_gone")).toBe(true);
});
