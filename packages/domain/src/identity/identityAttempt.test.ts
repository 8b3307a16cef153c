import { IDP_IDENTITY_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import type { IdentityAttemptEvent } from "./identityAttempt.ts";
import {
  IDENTITY_ATTEMPT_TRANSITIONS,
  identityDeadlines,
  moveIdentityAttempt,
  redeemIdentityAttempt,
} from "./identityAttempt.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const MINUTE = 60_000;

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

describe("redeeming an identity attempt", () => {
  const attempt = { status: "PENDING" as const, proofConsumed: false, ...identityDeadlines(NOW) };
  const redeemAt = (over: object, ms: number) => redeemIdentityAttempt({ ...attempt, ...over }, addMs(NOW, ms));

  test("keeps the proof while it is pending", () => {
    expect(redeemAt({}, 10 * MINUTE - 1)).toEqual({ status: "PENDING", consumesProof: false });
  });

  test("is EXPIRED from the deadline on, and uses the proof up", () => {
    expect(redeemAt({}, 10 * MINUTE)).toEqual({ status: "EXPIRED", consumesProof: true });
  });

  test.each(["COMPLETED", "DENIED", "FAILED", "EXPIRED"] as const)("gives %s once", (status) => {
    expect(redeemAt({ status }, 11 * MINUTE)).toEqual({ status, consumesProof: true });
    expect(redeemAt({ status, proofConsumed: true }, 11 * MINUTE)).toBeNull();
  });

  test("finds nothing from 20 minutes after creation on", () => {
    expect(redeemAt({ status: "COMPLETED" }, 20 * MINUTE - 1)).not.toBeNull();
    expect(redeemAt({ status: "COMPLETED" }, 20 * MINUTE)).toBeNull();
    expect(redeemAt({}, 20 * MINUTE)).toBeNull();
  });
});
