import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { decideGrantRevoked } from "../grants/grantRevoked.ts";
import type { WaitReason } from "../jobs/job.ts";
import { decideWait, succeededJob } from "../jobs/outcome.ts";
import type { ProviderFault, RetriedJob } from "../jobs/retry.ts";
import type { TriedConnection } from "../refusals/callRefusals.ts";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { decideRecheck, type GrantRecheckFacts, type RecheckedConnection } from "./recheck.ts";
import { siblingsOf } from "./siblings.ts";
import { CONNECTION } from "./testing/connection.ts";

const CONNECTED: RecheckedConnection = {
  ...CONNECTION,
  capabilities: ["PROFILE"],
  nextScanAt: null,
  nextProfileAt: addMs(NOW, 3_600_000),
  unreadableSince: null,
  refusals: {},
  triedAt: null,
  lastSuccessfulSyncAt: null,
  profileObservedAt: null,
};
const SUSPENDED: RecheckedConnection = { ...CONNECTED, status: "SUSPENDED", suspendedByJobId: "revoke-1" };
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
      code: null,
      followUps: [SETTLED],
    });
  });

  test("does not change a connected one", () => {
    expect(decide({ connection: CONNECTED })).toEqual({ job: DONE, patch: null, code: null, followUps: [] });
  });

  test("stays suspended by another revoke in progress, whose end enqueues the next re-check", () => {
    const revocation = { id: "revoke-2", isEnded: false, isJob: true };
    expect(decide({ revocation })).toEqual({
      job: DONE,
      patch: { suspendedByJobId: "revoke-2" },
      code: null,
      followUps: [SETTLED],
    });
  });

  test.each([
    ["has ended", SUSPENDED, { isEnded: true, isJob: true }],
    ["is not a disconnect's", SUSPENDED, { isEnded: false, isJob: false }],
    ["does not suspend the connection", CONNECTED, { isEnded: false, isJob: true }],
  ] as const)("is checked again after another revocation that %s", (_, connection, revocation) => {
    const facts = { connection, revocation: { id: "revoke-2", ...revocation } };
    expect(decide({ ...facts, job: OLD })).toEqual({
      job: retry(1, "BEHIND_OTHER_WORK"),
      patch: null,
      code: null,
      followUps: [],
    });
  });
});

describe("a grant that has ended", () => {
  const siblings = { type: "RECHECK", connections: { ...siblingsOf(SUSPENDED), status: "CONNECTED" } };

  test.each([
    ["SUSPENDED", SUSPENDED, true],
    ["CONNECTED", CONNECTED, false],
  ] as const)("is marked as revoked, and the siblings are re-checked: %s", (_, connection, appRemoved) => {
    const { patch, followUps } = decideGrantRevoked(connection, appRemoved, NOW);
    expect(decide({ connection, call: failed("grant_gone", appRemoved) })).toEqual({
      job: DONE,
      patch,
      code: appRemoved ? "AUTHORIZATION_REMOVED" : "GRANT_ENDED",
      followUps: [...followUps, siblings, ...(connection === SUSPENDED ? [SETTLED] : [])],
    });
  });

  test("does not concern other connections if a revoke ends only its own grant", () => {
    const connection = { ...CONNECTED, provider: "PROVIDER_C" } as const;
    const { followUps } = decide({ connection, call: failed("grant_gone") });
    expect(followUps.map(({ type }) => type)).toEqual(["UPDATE_GRANT"]);
  });
});

describe.each(["unavailable", "rate_limited", "access_expired", "rejected"] as const)(
  "a call that failed: %s",
  (kind) => {
    test("is retried", () => {
      expect(decide({ call: failed(kind) })).toEqual({
        job: retry(4, kind === "rate_limited" ? "RATE_LIMITED" : "PROVIDER_UNAVAILABLE"),
        patch: null,
        code: null,
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
        code: "CHECK_FAILED",
        followUps: [SETTLED],
      });
      expect(decide({ job: OLD, connection: CONNECTED, call: failed(kind) })).toMatchObject({ job: DONE, patch: null });
    });
  },
);

describe("a refusal with a code that we do not know", () => {
  const refusal = { status: 403, code: "a_new_one", message: "Not now." };
  const refused = (kind: ProviderFault["kind"], call?: ProviderFault["call"]) => ({
    fault: { ...failed(kind).fault, refusal, call },
  });
  const other = (over: Partial<TriedConnection> = {}): TriedConnection => ({
    triedAt: NOW,
    refusals: {},
    lastSuccessfulSyncAt: NOW,
    profileObservedAt: addMs(NOW, -1),
    ...over,
  });
  const registration = (...others: TriedConnection[]) => ({ refusals: {}, others });
  const counted = (hours: number, attempts = 1) => {
    const at = addMs(NOW, -hours * 3_600_000).toISOString();
    const { code, message } = refusal;
    return { goodAt: at, since: at, lastAt: at, attempts, countedAt: at, code, message, endedAt: null };
  };
  const changes = ({ job }: ReturnType<typeof decideRecheck>, type: string) =>
    job.followUps.filter((one) => one.type === type);

  test.each([
    ["of the account", refused("rejected"), "ACCOUNT"],
    ["of a refresh", refused("rejected", "TOKEN"), "TOKEN"],
    ["of a renewed access token", refused("access_expired"), "ACCOUNT"],
    ["with a readable status alone", refused("unavailable"), "ACCOUNT"],
  ] as const)("is counted, and the grant is checked again: %s", (_, call, kind) => {
    for (const provider of SOCIAL_PROVIDERS) {
      const change = decide({ connection: { ...SUSPENDED, provider }, call, registration: registration(other()) });
      expect(change).toMatchObject({ job: { patch: { status: "QUEUED" } }, patch: null, followUps: [] });
      expect(changes(change, "CHANGE_CONNECTION")).toMatchObject([
        { patch: { refusals: { [kind]: { attempts: 1, code: "a_new_one", message: "Not now.", endedAt: null } } } },
      ]);
    }
  });

  test("requires a reconnect after a day while other connections are read, and keeps the grant", () => {
    const refusals = { ACCOUNT: counted(24) };
    const facts = { call: refused("rejected"), registration: registration(other()) };
    const suspended = decide({ ...facts, connection: { ...SUSPENDED, refusals } });
    expect(suspended).toMatchObject({
      job: { patch: succeededJob(NOW) },
      patch: { status: "RECONNECT_REQUIRED", suspendedByJobId: null, nextProfileAt: null },
      code: "CALLS_REFUSED",
      followUps: [SETTLED],
    });
    expect(suspended.followUps).toHaveLength(1);
    expect(changes(suspended, "CHANGE_CONNECTION")).toMatchObject([
      { patch: { refusals: { ACCOUNT: { attempts: 2, endedAt: NOW.toISOString() } } } },
    ]);
    const connected = decide({ ...facts, connection: { ...CONNECTED, refusals } });
    expect(connected).toMatchObject({ patch: null, followUps: [] });
    expect(changes(connected, "CHANGE_CONNECTION")).toMatchObject([{ patch: { status: "RECONNECT_REQUIRED" } }]);
  });

  test("is an incident of the registration if most connections are refused, and nothing ends", () => {
    const others = [1, 2].map(() => other({ refusals: { ACCOUNT: counted(0.5) } }));
    const connection = { ...SUSPENDED, refusals: { ACCOUNT: counted(30, 5) } };
    const change = decide({ connection, call: refused("rejected"), registration: registration(...others) });
    expect(change).toMatchObject({ job: { patch: { status: "QUEUED" } }, patch: null });
    expect(changes(change, "CHANGE_REGISTRATION")).toMatchObject([{ begun: { ACCOUNT: { code: "a_new_one" } } }]);
  });

  test("is forgotten when the provider accepts the grant, with the registration's incident", () => {
    const connection = { ...SUSPENDED, refusals: { ACCOUNT: counted(2), LIST: counted(2) } };
    const { code, message } = refusal;
    const incident = { refusals: { ACCOUNT: { since: NOW.toISOString(), code, message } }, others: [other()] };
    const change = decide({ connection, registration: incident });
    expect(change.patch).toMatchObject({ status: "CONNECTED" });
    expect(changes(change, "CHANGE_CONNECTION")).toMatchObject([{ patch: { refusals: { LIST: { attempts: 1 } } } }]);
    expect(changes(change, "CHANGE_REGISTRATION")).toEqual([
      { type: "CHANGE_REGISTRATION", begun: {}, over: ["ACCOUNT"] },
    ]);
  });
});

test.each([
  ["erased", { connection: null }],
  ["disconnected during the check", { connection: { ...CONNECTED, status: "DISCONNECTED" as const } }],
  ["disconnected before the check", { connection: CONNECTED, call: null }],
])("a connection that was %s does not change", (_, over) => {
  expect(decide(over)).toEqual({ job: DONE, patch: null, code: null, followUps: [] });
});
