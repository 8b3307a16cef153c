import { IDP_IDENTITY_STATUSES, type IdpIdentityStatus } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { MOST_RECENT_ATTEMPTS } from "../connect/connectAttempt.ts";
import { APPLICATION } from "../testing/application.ts";
import { MINUTE, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  decideCreateIdentitySession,
  decideIdentityCallback,
  decideIdentityEnd,
  decideLaunchIdentity,
  decideRedeemIdentity,
  IDENTITY_ATTEMPT_TRANSITIONS,
  type IdentityAttemptEvent,
  identityDeadlines,
  moveIdentityAttempt,
} from "./identityAttempt.ts";

describe("moves of an identity attempt", () => {
  const targets = {
    SIGNED_IN: "COMPLETED",
    ACCESS_DENIED: "DENIED",
    HANDOFF_FAILED: "FAILED",
    DEADLINE_PASSED: "EXPIRED",
  };
  const events = Object.keys(IDENTITY_ATTEMPT_TRANSITIONS) as IdentityAttemptEvent[];

  test.each(events.flatMap((event) => IDP_IDENTITY_STATUSES.map((status) => [event, status] as const)))(
    "%s in %s",
    (event, status) => {
      expect(moveIdentityAttempt(status, event)).toBe(status === "PENDING" ? targets[event] : null);
    },
  );
});

const pending = { status: "PENDING" as IdpIdentityStatus, redeemedAt: null as Date | null, ...identityDeadlines(NOW) };

describe("creating a session", () => {
  const input = { tenantKey: "tenant", returnUrl: APPLICATION.identityReturnUrls[0] };
  const facts = {
    application: APPLICATION,
    issuerConfigured: true,
    unfinished: [],
    recent: { count: 0, oldestDeadline: null },
  };

  test("starts a pending attempt with its deadlines", () => {
    expect(decideCreateIdentitySession(facts, input, NOW)).toEqual({
      patch: {
        applicationId: "application-1",
        ...input,
        status: "PENDING",
        launchedAt: null,
        redeemedAt: null,
        createdAt: NOW,
        expiresAt: addMs(NOW, 10 * MINUTE),
        resultExpiresAt: addMs(NOW, 20 * MINUTE),
      },
      followUps: [],
    });
  });

  test("is refused without an issuer, and at the limit of pending attempts", () => {
    const unfinished = Array.from({ length: 20 }, () => addMs(NOW, MINUTE));
    const refused = decideCreateIdentitySession({ ...facts, issuerConfigured: false, unfinished }, input, NOW);
    expect(refused).toMatchObject({ code: "CAPABILITY_UNAVAILABLE" });
    const limited = { code: "RATE_LIMITED", retryAfterSeconds: 60 };
    expect(decideCreateIdentitySession({ ...facts, unfinished }, input, NOW)).toMatchObject(limited);
    const recent = { count: MOST_RECENT_ATTEMPTS, oldestDeadline: addMs(NOW, MINUTE) };
    expect(decideCreateIdentitySession({ ...facts, recent }, input, NOW)).toMatchObject(limited);
  });
});

describe("launching a session", () => {
  const application = { enabled: true, idpIdentityEnabled: true };
  const launch = (over: object, from = application, now = NOW) =>
    decideLaunchIdentity({ ...pending, launchedAt: null, ...over }, from, now);

  test("redirects once", () => {
    expect(launch({})).toEqual({ outcome: "redirect", patch: { launchedAt: NOW } });
    expect(launch({ launchedAt: NOW })).toEqual({ outcome: "token-spent", patch: null });
    expect(launch({ status: "FAILED" })).toEqual({ outcome: "token-spent", patch: null });
  });

  test("is expired from the deadline on, and unavailable while the application may not sign in", () => {
    expect(launch({ status: "EXPIRED" }, application, pending.expiresAt)).toEqual({ outcome: "expired", patch: null });
    for (const change of [{ enabled: false }, { idpIdentityEnabled: false }]) {
      const outcome = launch({}, { ...application, ...change }, pending.expiresAt);
      expect(outcome).toEqual({ outcome: "unavailable", patch: null });
    }
  });
});

describe("the callback", () => {
  const facts = { attempt: pending, isBoundBrowser: true, isStateUsed: false, isDenied: false };
  const decide = (over: Partial<typeof facts> | { attempt: null }, now = NOW) =>
    decideIdentityCallback({ ...facts, ...over }, now);

  test("uses the state to exchange the code or to record the denial", () => {
    expect(decide({})).toEqual({ outcome: "code", patch: {} });
    expect(decide({ isDenied: true })).toEqual({ outcome: "ended", patch: { status: "DENIED" } });
  });

  test("ends the attempt from the deadline on", () => {
    const expired = { outcome: "expired", patch: { status: "EXPIRED" } };
    expect(decide({}, pending.expiresAt)).toEqual(expired);
    expect(decide({ isDenied: true }, pending.expiresAt)).toEqual(expired);
  });

  test.each([
    ["unknown-state", { attempt: null, isBoundBrowser: false }],
    ["unknown-state", { attempt: { ...pending, resultExpiresAt: NOW }, isBoundBrowser: false }],
    ["foreign-browser", { attempt: { ...pending, status: "EXPIRED" as const }, isBoundBrowser: false }],
    ["expired", { attempt: { ...pending, status: "EXPIRED" as const }, isStateUsed: true }],
    ["state-used", { attempt: { ...pending, status: "FAILED" as const } }],
    ["state-used", { isStateUsed: true, isDenied: true }],
  ])("is %s and changes nothing", (outcome, over) => {
    expect(decide(over)).toEqual({ outcome, patch: null });
  });
});

test("a sign-in ends once, as EXPIRED from its deadline on", () => {
  expect(decideIdentityEnd(pending, "SIGNED_IN", NOW)).toEqual({ status: "COMPLETED" });
  expect(decideIdentityEnd(pending, "HANDOFF_FAILED", NOW)).toEqual({ status: "FAILED" });
  expect(decideIdentityEnd(pending, "SIGNED_IN", pending.expiresAt)).toEqual({ status: "EXPIRED" });
  expect(decideIdentityEnd({ ...pending, status: "FAILED" }, "SIGNED_IN", NOW)).toBeNull();
});

describe("redeeming an identity attempt", () => {
  const redeemAt = (over: object, ms: number) => decideRedeemIdentity({ ...pending, ...over }, addMs(NOW, ms));
  const redeemed = (status: IdpIdentityStatus, ms: number) => ({
    status,
    patch: { status, redeemedAt: addMs(NOW, ms) },
  });

  test("keeps the proof while it is pending", () => {
    expect(redeemAt({}, 10 * MINUTE - 1)).toEqual({ status: "PENDING", patch: null });
  });

  test("is EXPIRED from the deadline on, and uses the proof", () => {
    expect(redeemAt({}, 10 * MINUTE)).toEqual(redeemed("EXPIRED", 10 * MINUTE));
  });

  test.each(["COMPLETED", "DENIED", "FAILED", "EXPIRED"] as const)("returns %s once", (status) => {
    expect(redeemAt({ status }, 11 * MINUTE)).toEqual(redeemed(status, 11 * MINUTE));
    expect(redeemAt({ status, redeemedAt: NOW }, 11 * MINUTE)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is NOT_FOUND for an unknown attempt, and from 20 minutes after creation on", () => {
    expect(decideRedeemIdentity(null, NOW)).toMatchObject({ code: "NOT_FOUND" });
    expect(redeemAt({ status: "COMPLETED" }, 20 * MINUTE - 1)).toMatchObject({ status: "COMPLETED" });
    expect(redeemAt({ status: "COMPLETED" }, 20 * MINUTE)).toMatchObject({ code: "NOT_FOUND" });
    expect(redeemAt({}, 20 * MINUTE)).toMatchObject({ code: "NOT_FOUND" });
  });
});
