import { describe, expect, test } from "vitest";
import { DAY, MINUTE, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { addCounts, decideErasureEnd, decideErasureStart } from "./erasure.ts";
import { decideRevokeEnd } from "./revocation.ts";
import { CONNECTION } from "./testing/connection.ts";

const connection = { ...CONNECTION, status: "DELETING", eraseJobId: "erase-1" } as const;

test("the start deletes the profile once", () => {
  expect(decideErasureStart({ status: "DISCONNECTED" }, NOW)?.patch).toEqual({
    status: "DELETING",
    profile: null,
    lastSuccessfulSyncAt: null,
    updatedAt: NOW,
  });
  expect(decideErasureStart({ status: "DELETING" }, NOW)).toBeNull();
});

describe("the credential", () => {
  const decide = (
    status: "RUNNING" | "QUEUED" | "SUCCEEDED" | "FAILED",
    createdAt: Date,
    nextRetryAt: Date | null = null,
  ) => {
    const revoke = { id: "revoke-1", status, createdAt, nextRetryAt };
    return decideErasureEnd({ job: { failures: 2 }, connection, revoke }, NOW);
  };

  test("is deleted when the revoke has ended or its receipt was deleted", () => {
    const deleted = { type: "DELETE", timedOutRevoke: null };
    expect(decide("SUCCEEDED", NOW)).toEqual(deleted);
    expect(decide("FAILED", NOW)).toEqual(deleted);
    expect(decideErasureEnd({ job: { failures: 2 }, connection, revoke: null }, NOW)).toEqual(deleted);
  });

  test("is retained for a revoke, which is checked after 10 seconds, after its next attempt, and at its deadline", () => {
    const wait = (ms: number) => ({
      type: "WAIT",
      retry: { at: addMs(NOW, ms), failures: 2, waitReason: "BEHIND_OTHER_WORK" },
    });
    expect(decide("RUNNING", NOW)).toEqual(wait(10_000));
    expect(decide("QUEUED", NOW, addMs(NOW, MINUTE))).toEqual(wait(MINUTE + 10_000));
    expect(decide("QUEUED", NOW, addMs(NOW, -MINUTE))).toEqual(wait(10_000));
    expect(decide("RUNNING", addMs(NOW, 5_000 - DAY))).toEqual(wait(5_000));
  });

  test("is deleted after 24 hours, which fails the revoke", () => {
    const timedOutRevoke = decideRevokeEnd("rejected", { id: "revoke-1", connection }, NOW);
    expect(decide("RUNNING", addMs(NOW, -DAY))).toEqual({ type: "DELETE", timedOutRevoke });
  });
});

test("counts are added by table", () => {
  expect(addCounts(null, { content_item: 2 })).toEqual({ content_item: 2 });
  expect(addCounts({ content_item: 2 }, { content_item: 3, job: 1 })).toEqual({ content_item: 5, job: 1 });
});
