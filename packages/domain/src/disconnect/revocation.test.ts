import { JOB_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { decideWait } from "../jobs/outcome.ts";
import { addMs } from "../time/time.ts";
import {
  decideRevokeAttempt,
  decideRevokeEnd,
  isSettled,
  revokeOutcome,
  revokeResultOf,
  upstreamRevocationPending,
} from "./revocation.ts";
import { CONNECTION } from "./testing/connection.ts";

const NOW = new Date("2026-03-01T09:00:00Z");

test.each([
  ["grant_gone", "revoked"],
  ["rejected", "rejected"],
  ["scope_missing", "rejected"],
  ["unavailable", null],
  ["rate_limited", null],
  ["access_expired", null],
] as const)("a revoke call that fails with %s has the result %s", (kind, result) => {
  expect(revokeResultOf({ kind })).toBe(result);
});

describe("a revoke receipt", () => {
  test.each(["revoked", "app-removed"] as const)("succeeds if the grant has ended: %s", (result) => {
    expect(revokeOutcome(result)).toEqual({ status: "SUCCEEDED", errorCode: null, creatorAction: null });
  });

  test.each([
    ["rejected", "REVOKE_REJECTED"],
    ["unsupported", "REVOKE_UNSUPPORTED"],
  ] as const)("fails and asks the person to remove the app: %s", (result, errorCode) => {
    expect(revokeOutcome(result)).toEqual({ status: "FAILED", errorCode, creatorAction: "REMOVE_APP_AT_PROVIDER" });
  });
});

test("the upstream revocation is pending until the revoke job has succeeded", () => {
  expect(JOB_STATUSES.filter((status) => !upstreamRevocationPending(status))).toEqual(["SUCCEEDED"]);
});

describe("the end of a revoke job", () => {
  const connection = { ...CONNECTION, providerUserKey: "user-1", eraseJobId: "erase-1" };
  const settled = [
    { type: "END_REVOCATION", id: "revoke-1" },
    { type: "RECHECK", connections: { suspendedByJobId: "revoke-1", status: "SUSPENDED" } },
    { type: "DELETE_SETTLEMENT", revokeJobId: "revoke-1" },
  ];

  test("re-checks what it suspended and the account's connections of other applications, and resumes the erasure", () => {
    expect(decideRevokeEnd("rejected", { id: "revoke-1", connection }, NOW)).toEqual({
      patch: { ...revokeOutcome("rejected"), nextRetryAt: null, waitReason: null, finishedAt: NOW },
      followUps: [
        ...settled,
        {
          type: "RECHECK",
          connections: {
            registrationId: "r-1",
            NOT: { applicationId: "app-1" },
            OR: [{ providerAccountId: "account-1" }, { providerUserKey: "user-1" }],
            status: "CONNECTED",
          },
        },
        { type: "RESUME_ERASURE", jobId: "erase-1" },
      ],
    });
  });

  test("re-checks no other application if a revoke ends only its own grant", () => {
    const ofC = { ...connection, provider: "PROVIDER_C" } as const;
    expect(decideRevokeEnd("revoked", { id: "revoke-1", connection: ofC }, NOW).followUps).toEqual([
      ...settled,
      { type: "RESUME_ERASURE", jobId: "erase-1" },
    ]);
  });

  test("settles the revoke of an erased connection", () => {
    expect(decideRevokeEnd("revoked", { id: "revoke-1", connection: null }, NOW).followUps).toEqual(settled);
  });
});

describe("an attempt at a revoke job", () => {
  const job = { id: "revoke-1", kind: "REVOKE", background: false, failures: 0, createdAt: NOW } as const;
  const fault = { kind: "rate_limited", retryAfterSeconds: 60 } as const;

  test("is retried after a transient fault", () => {
    expect(decideRevokeAttempt(job, fault, null, () => 0, NOW)).toEqual({
      job: decideWait(job, { at: addMs(NOW, 61_000), failures: 1, waitReason: "RATE_LIMITED" }, NOW),
      followUps: [],
    });
  });

  test.each([
    ["succeeds", job, "revoked", "SUCCEEDED"],
    ["fails when the retries have run out", { ...job, createdAt: addMs(NOW, -24 * 60 * 60_000) }, fault, "FAILED"],
  ] as const)("%s and settles the revoke", (_, of, result, status) => {
    const end = decideRevokeEnd(
      status === "FAILED" ? "rejected" : "revoked",
      { id: "revoke-1", connection: null },
      NOW,
    );
    expect(decideRevokeAttempt(of, result, null, () => 0, NOW)).toEqual({
      job: { patch: end.patch, followUps: [] },
      followUps: end.followUps,
    });
    expect(end.patch.status).toBe(status);
  });
});

test("a revoke has settled when it has ended and suspends no connection", () => {
  expect(isSettled("RUNNING", 0)).toBe(false);
  expect(isSettled("QUEUED", 0)).toBe(false);
  expect(isSettled("FAILED", 1)).toBe(false);
  expect(isSettled("FAILED", 0)).toBe(true);
  expect(isSettled(null, 0)).toBe(true);
});
