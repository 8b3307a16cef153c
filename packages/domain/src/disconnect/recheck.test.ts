import { describe, expect, test } from "vitest";
import { decideGrantRevoked } from "../grants/grantRevoked.ts";
import type { WaitReason } from "../jobs/job.ts";
import { decideWait, succeededJob } from "../jobs/outcome.ts";
import type { ProviderFault, RetriedJob } from "../jobs/retry.ts";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { decideRecheck, type GrantRecheckFacts } from "./recheck.ts";
import { type ConnectionFacts, siblingsOf } from "./siblings.ts";
import { CONNECTION as CONNECTED } from "./testing/connection.ts";

const SUSPENDED: ConnectionFacts = { ...CONNECTED, status: "SUSPENDED", suspendedByJobId: "revoke-1" };
const SETTLED = { type: "DELETE_SETTLEMENT", revokeJobId: "revoke-1" };
const JOB: RetriedJob = { kind: "RECHECK", background: true, failures: 3, createdAt: addMs(NOW, -60_000) };
/** Its retries have run out. */
const OLD: RetriedJob = { ...JOB, createdAt: addMs(NOW, -7 * 24 * 60 * 60_000) };
const DONE = { patch: succeededJob(NOW), followUps: [] };
const retry = (failures: number, waitReason: WaitReason) =>
  decideWait(JOB, { at: addMs(NOW, 1_000), failures, waitReason }, NOW);

const failed = (kind: ProviderFault["kind"], appRemoved = false) => ({
  fault: { kind, appRemoved, retryAfterSeconds: null },
});
const decide = (over: Partial<GrantRecheckFacts>) =>
  decideRecheck({ job: JOB, connection: SUSPENDED, call: { fault: null }, revocation: null, ...over }, () => 0, NOW);

describe("a grant that the provider accepts", () => {
  test.each([{ fault: null }, failed("scope_missing")])("resumes the connection: %j", (call) => {
    expect(decide({ call })).toEqual({
      job: DONE,
      patch: { status: "CONNECTED", suspendedByJobId: null, updatedAt: NOW },
      followUps: [SETTLED],
    });
  });

  test("does not change a connected one", () => {
    expect(decide({ connection: CONNECTED })).toEqual({ job: DONE, patch: null, followUps: [] });
  });

  test("stays suspended by another revoke in progress, whose end enqueues the next re-check", () => {
    const revocation = { id: "revoke-2", isEnded: false, isJob: true };
    expect(decide({ revocation })).toEqual({
      job: DONE,
      patch: { suspendedByJobId: "revoke-2" },
      followUps: [SETTLED],
    });
  });

  test.each([
    ["has ended", SUSPENDED, { isEnded: true, isJob: true }],
    ["is not a disconnect's", SUSPENDED, { isEnded: false, isJob: false }],
    ["does not suspend the connection", CONNECTED, { isEnded: false, isJob: true }],
  ] as const)("is checked again after another revocation that %s", (_, connection, revocation) => {
    const facts = { connection, revocation: { id: "revoke-2", ...revocation } };
    expect(decide({ ...facts, job: OLD })).toEqual({ job: retry(1, "BEHIND_OTHER_WORK"), patch: null, followUps: [] });
  });
});

describe("a grant that has ended", () => {
  const siblings = { type: "RECHECK", connections: { ...siblingsOf(SUSPENDED), status: "CONNECTED" } };

  test.each([
    ["grant_gone", SUSPENDED, true],
    ["rejected", CONNECTED, false],
  ] as const)("is marked as revoked, and the siblings are re-checked: %s", (kind, connection, appRemoved) => {
    const { patch, followUps } = decideGrantRevoked(connection, appRemoved, NOW);
    expect(decide({ connection, call: failed(kind, appRemoved) })).toEqual({
      job: DONE,
      patch,
      followUps: [...followUps, siblings, ...(connection === SUSPENDED ? [SETTLED] : [])],
    });
  });

  test("does not concern other connections if a revoke ends only its own grant", () => {
    const connection = { ...CONNECTED, provider: "PROVIDER_C" } as const;
    const { followUps } = decide({ connection, call: failed("grant_gone") });
    expect(followUps.map(({ type }) => type)).toEqual(["UPDATE_GRANT"]);
  });
});

describe.each(["unavailable", "rate_limited", "access_expired"] as const)("a call that failed: %s", (kind) => {
  test("is retried", () => {
    expect(decide({ call: failed(kind) })).toEqual({
      job: retry(4, kind === "rate_limited" ? "RATE_LIMITED" : "PROVIDER_UNAVAILABLE"),
      patch: null,
      followUps: [],
    });
  });

  test("requires a reconnect when the retries run out, and keeps a grant that may be valid", () => {
    expect(decide({ job: OLD, call: failed(kind) })).toEqual({
      job: DONE,
      patch: {
        status: "RECONNECT_REQUIRED",
        suspendedByJobId: null,
        nextRetryAt: null,
        nextScanAt: null,
        nextProfileAt: null,
        updatedAt: NOW,
      },
      followUps: [SETTLED],
    });
    expect(decide({ job: OLD, connection: CONNECTED, call: failed(kind) })).toMatchObject({ job: DONE, patch: null });
  });
});

test.each([
  ["erased", { connection: null }],
  ["disconnected during the check", { connection: { ...CONNECTED, status: "DISCONNECTED" as const } }],
  ["disconnected before the check", { connection: CONNECTED, call: null }],
])("a connection that was %s does not change", (_, over) => {
  expect(decide(over)).toEqual({ job: DONE, patch: null, followUps: [] });
});
