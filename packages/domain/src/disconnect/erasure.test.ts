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
  const decide = (status: "RUNNING" | "SUCCEEDED" | "FAILED", createdAt: Date) =>
    decideErasureEnd({ job: { failures: 2 }, connection, revoke: { id: "revoke-1", status, createdAt } }, NOW);

  test("is deleted when the revoke has ended or its receipt was deleted", () => {
    const deleted = { type: "DELETE", timedOutRevoke: null };
    expect(decide("SUCCEEDED", NOW)).toEqual(deleted);
    expect(decide("FAILED", NOW)).toEqual(deleted);
    expect(decideErasureEnd({ job: { failures: 2 }, connection, revoke: null }, NOW)).toEqual(deleted);
  });

  test("is retained for a revoke, which is checked every 15 minutes and at its deadline", () => {
    const wait = (ms: number) => ({
      type: "WAIT",
      retry: { at: addMs(NOW, ms), failures: 2, waitReason: "BEHIND_OTHER_WORK" },
    });
    expect(decide("RUNNING", NOW)).toEqual(wait(15 * MINUTE));
    expect(decide("RUNNING", addMs(NOW, MINUTE - DAY))).toEqual(wait(MINUTE));
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
