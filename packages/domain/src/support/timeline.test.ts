import { CONNECT_RESULT_CODES, CONNECT_SESSION_STATUSES } from "@social-connect/contract";
import { expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { accountHint, explainAttempt } from "./explainAttempt.ts";
import { checkDisconnectForUser, checkSupportReason, decideRescan } from "./supportChanges.ts";
import type { SupportFacts, SupportJob } from "./supportFacts.ts";
import { connectionTimeline } from "./timeline.ts";

const job: SupportJob = {
  id: "scan",
  kind: "SCAN",
  status: "SUCCEEDED",
  waitReason: null,
  errorCode: null,
  creatorAction: null,
  incompleteReason: "MAX_ITEMS_REACHED",
  nextRetryAt: null,
  createdAt: addMs(NOW, -3_000),
  startedAt: addMs(NOW, -2_500),
  finishedAt: addMs(NOW, -2_000),
  failures: 0,
  itemsObserved: 7,
  deletedCounts: null,
};

const facts: SupportFacts = {
  connection: {
    status: "DISCONNECTED",
    syncStatus: "READY",
    tenantKey: "tenant",
    provider: "PROVIDER_A",
    capabilities: ["CONTENT_LIST"],
    lastSuccessfulSyncAt: null,
    nextRetryAt: null,
    nextScanAt: null,
    appRemovedAt: addMs(NOW, -1_500),
    refusals: {},
    createdAt: addMs(NOW, -DAY),
  },
  application: {
    enabled: true,
    tenantKeys: ["tenant"],
    providers: ["PROVIDER_A"],
    capabilities: ["CONTENT_LIST"],
    hasActiveKey: true,
  },
  registration: null,
  grant: null,
  jobs: [
    {
      ...job,
      id: "revoke",
      kind: "REVOKE",
      status: "FAILED",
      errorCode: "REVOKE_REJECTED",
      incompleteReason: null,
      createdAt: addMs(NOW, -1_000),
      finishedAt: addMs(NOW, -900),
    },
    {
      ...job,
      id: "erase",
      kind: "ERASE",
      incompleteReason: null,
      createdAt: addMs(NOW, -1_000),
      finishedAt: addMs(NOW, -800),
      deletedCounts: { content_item: 3, connection: 1 },
    },
    job,
    {
      ...job,
      id: "wait",
      status: "QUEUED",
      waitReason: "QUOTA",
      incompleteReason: null,
      nextRetryAt: NOW,
      createdAt: addMs(NOW, -4_000),
      finishedAt: null,
      itemsObserved: 0,
    },
  ],
};

test("lists what happened, newest first, with codes, reasons, times and counts", () => {
  const attempts = [
    { id: "attempt", status: "FAILED", resultCode: "ACCOUNT_MISMATCH", createdAt: addMs(NOW, -5_000) },
  ] as const;
  const rows = connectionTimeline(facts, attempts).map(({ type, id, code, waitReason, nextTryAt, count }) => {
    return [type, id, code, waitReason, nextTryAt, count];
  });
  expect(rows).toEqual([
    ["JOB", "erase", null, null, null, 4],
    ["JOB", "revoke", "REVOKE_REJECTED", null, null, null],
    ["DISCONNECTED", null, null, null, null, null],
    ["APP_REMOVED", null, null, null, null, null],
    ["JOB", "scan", "MAX_ITEMS_REACHED", null, null, 7],
    ["JOB", "wait", null, "QUOTA", NOW, null],
    ["ATTEMPT", "attempt", "ACCOUNT_MISMATCH", null, null, null],
    ["LINKED", null, null, null, null, null],
  ]);
});

test("of an erased connection the receipts remain", () => {
  const receipts = facts.jobs.filter(({ kind }) => kind !== "SCAN");
  const types = connectionTimeline({ ...facts, connection: null, jobs: receipts }, []).map(
    ({ type, jobKind }) => jobKind ?? type,
  );
  expect(types).toEqual(["ERASE", "REVOKE", "DISCONNECTED"]);
});

test("every result of a connect attempt has a sentence for the user", () => {
  const texts = CONNECT_RESULT_CODES.map((code) => explainAttempt("FAILED", code));
  for (const { userMessage, nextStep } of texts) expect(`${userMessage} ${nextStep}`).toMatch(/^[A-Z].*\.$/);
  expect(new Set(texts.map(({ userMessage }) => userMessage)).size).toBe(texts.length);
  for (const status of CONNECT_SESSION_STATUSES) expect(explainAttempt(status, null).userMessage).toMatch(/\.$/);
  expect(explainAttempt("FAILED", "NOT_A_TESTER").nextStep).toContain("testers");
  expect(explainAttempt("FAILED", "ADDED_LATER").nextStep).toContain("not known");
});

test.each([
  ["UC1234567890abcd", "…abcd"],
  ["12345678", "…5678"],
  ["1234567", null],
])("the hint of the account %s is %s", (id, hint) => {
  expect(accountHint(id)).toBe(hint);
});

test.each([
  ["ticket 1", true],
  ["x".repeat(200), true],
  ["x".repeat(201), false],
  ["", false],
  ["  ", false],
  ["two\nlines", false],
])("the reason %j is accepted: %s", (reason, isAccepted) => {
  expect(checkSupportReason(reason)).toEqual(isAccepted ? null : expect.objectContaining({ field: "reason" }));
});

test("a reason that is too long is refused with the limit and its length in characters", () => {
  expect(checkSupportReason("😀".repeat(200))).toBeNull();
  expect(checkSupportReason("😀".repeat(214))?.message).toBe(
    "The reason must have at most 200 characters. It has 214.",
  );
});

test("only a connection that is not disconnected can be disconnected for its user", () => {
  for (const status of ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED"] as const)
    expect(checkDisconnectForUser({ status })).toBeNull();
  for (const status of ["DISCONNECTED", "DELETING"] as const)
    expect(checkDisconnectForUser({ status })).toMatchObject({ code: "CONFLICT" });
});

test("a scan is started for a working connection without one in flight", () => {
  const connection = {
    id: "connection",
    provider: "PROVIDER_A",
    clientSlug: "shop",
    status: "CONNECTED",
    capabilities: ["CONTENT_LIST"],
    offeredCapabilities: ["CONTENT_LIST"],
  } as const;
  const decide = (over: object, more: object = {}) =>
    decideRescan({ ...connection, ...over }, { recheckCode: null, inFlight: [], reason: "ticket 1", ...more }, NOW);
  expect(decide({})).toMatchObject({
    followUps: [{ target: { kind: "SCAN" }, background: true }],
    audit: { action: "Connection rescanned", summary: expect.stringContaining("ticket 1") },
  });
  expect(decide({}, { inFlight: ["SCAN"] })).toMatchObject({ code: "CONFLICT", reason: "ALREADY_PRESENT" });
  expect(decide({}, { inFlight: ["PROFILE"] })).not.toHaveProperty("code");
  expect(decide({ status: "RECONNECT_REQUIRED" })).toMatchObject({
    message: expect.stringContaining("RECONNECT_REQUIRED"),
  });
  expect(decide({ capabilities: ["PROFILE"] })).toMatchObject({ code: "CONFLICT" });
  expect(decide({}, { recheckCode: "AUTHORIZATION_SUSPENDED" })).toMatchObject({ code: "CONFLICT" });
});
