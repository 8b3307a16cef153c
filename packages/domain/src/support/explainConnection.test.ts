import { CAPABILITIES, type ConnectionStatus } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../languages/languages.ts";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { explainConnection, SUPPORT_CAUSES, type SupportCause } from "./explainConnection.ts";
import type { SupportFacts, SupportJob } from "./supportFacts.ts";

const HOUR = DAY / 24;
const SCANNED = addMs(NOW, -HOUR);
const LATER = addMs(NOW, HOUR);

const scan: SupportJob = {
  id: "job-1",
  kind: "SCAN",
  status: "SUCCEEDED",
  waitReason: null,
  errorCode: null,
  creatorAction: null,
  incompleteReason: null,
  nextRetryAt: null,
  createdAt: addMs(SCANNED, -1_000),
  startedAt: addMs(SCANNED, -500),
  finishedAt: SCANNED,
  failures: 0,
  itemsObserved: 7,
  deletedCounts: null,
};

const healthy = {
  connection: {
    status: "CONNECTED",
    syncStatus: "READY",
    tenantKey: "tenant",
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST"],
    lastSuccessfulSyncAt: SCANNED,
    nextRetryAt: null,
    nextScanAt: LATER,
    appRemovedAt: null,
    refusals: {},
    createdAt: addMs(NOW, -9 * DAY),
  },
  application: {
    enabled: true,
    tenantKeys: ["tenant"],
    providers: ["PROVIDER_A"],
    capabilities: CAPABILITIES,
    hasActiveKey: true,
  },
  registration: {
    status: "PUBLISHED",
    servesApplication: true,
    capabilities: CAPABILITIES,
    updatedAt: addMs(NOW, -2 * DAY),
  },
  grant: { active: true, refreshExpiresAt: null, updatedAt: addMs(NOW, -3 * HOUR) },
  jobs: [scan],
} as const satisfies SupportFacts;

const REFUSAL = { since: SCANNED.toISOString(), endedAt: SCANNED.toISOString() };
const connection = (over: object) => ({ connection: { ...healthy.connection, ...over } });
const registration = (over: object) => ({ registration: { ...healthy.registration, ...over } });
const grant = (over: object) => ({ grant: { ...healthy.grant, ...over } });
const application = (over: object) => ({ application: { ...healthy.application, ...over } });
const jobs = (...over: Partial<SupportJob>[]) => ({ jobs: over.map((one) => ({ ...scan, ...one })) });
const queued = (over: Partial<SupportJob>) => jobs({ status: "QUEUED", finishedAt: null, nextRetryAt: LATER, ...over });
const inStatus = (status: ConnectionStatus) => connection({ status });

const explain = (over: object) => explainConnection({ ...healthy, ...over } as SupportFacts, NOW);

interface Case {
  readonly cause: SupportCause;
  readonly when: string;
  readonly over: object;
  readonly since?: Date | null;
  readonly nextTryAt?: Date | null;
}

const CASES: readonly Case[] = [
  { cause: "UP_TO_DATE", when: "the last scan covered its window", over: {}, since: SCANNED, nextTryAt: LATER },
  {
    cause: "UP_TO_DATE",
    when: "the consent ends in more than a week",
    over: grant({ refreshExpiresAt: addMs(NOW, 7 * DAY + 1) }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "CONSENT_ENDS_SOON",
    when: "the consent ends within a week",
    over: grant({ refreshExpiresAt: addMs(NOW, 7 * DAY) }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "ERASED",
    when: "only receipts are left",
    over: { connection: null, grant: null, ...jobs({ kind: "ERASE" }) },
    since: SCANNED,
  },
  {
    cause: "DISCONNECTED",
    when: "the erasure waits",
    over: { ...inStatus("DISCONNECTED"), ...jobs({ kind: "REVOKE" }) },
    since: scan.createdAt,
  },
  { cause: "DISCONNECTED", when: "the erasure runs", over: inStatus("DELETING") },
  {
    cause: "SETTLING",
    when: "a sibling's revoke settles",
    over: { ...inStatus("SUSPENDED"), ...queued({ kind: "RECHECK" }) },
    nextTryAt: LATER,
  },
  {
    cause: "APP_REMOVED",
    when: "the provider reported it",
    over: connection({ status: "RECONNECT_REQUIRED", appRemovedAt: SCANNED }),
    since: SCANNED,
  },
  {
    cause: "CALLS_REFUSED",
    when: "the provider refuses the list of posts",
    over: connection({ refusals: { LIST: REFUSAL } }),
    since: SCANNED,
  },
  {
    cause: "CALLS_REFUSED",
    when: "refusals of the token ended the connection",
    over: connection({ status: "RECONNECT_REQUIRED", refusals: { TOKEN: REFUSAL } }),
    since: SCANNED,
  },
  {
    cause: "CONSENT_EXPIRED",
    when: "the refresh credential has expired",
    over: { ...inStatus("RECONNECT_REQUIRED"), ...grant({ refreshExpiresAt: SCANNED }) },
    since: SCANNED,
  },
  {
    cause: "CONSENT_EXPIRED",
    when: "it has expired and no read has noticed yet",
    over: grant({ refreshExpiresAt: NOW }),
    since: NOW,
  },
  {
    cause: "RECONNECT_REQUIRED",
    when: "the provider ended the grant",
    over: { ...inStatus("RECONNECT_REQUIRED"), ...grant({ active: false }) },
    since: healthy.grant.updatedAt,
  },
  { cause: "RECONNECT_REQUIRED", when: "no grant is left", over: { grant: null } },
  { cause: "CLIENT_DISABLED", when: "the client is disabled", over: application({ enabled: false }) },
  { cause: "CLIENT_WITHOUT_KEY", when: "its keys are revoked or expired", over: application({ hasActiveKey: false }) },
  { cause: "POLICY_FORBIDS", when: "the tenant was removed", over: application({ tenantKeys: [] }) },
  { cause: "POLICY_FORBIDS", when: "a capability was removed", over: application({ capabilities: ["PROFILE"] }) },
  {
    cause: "REGISTRATION_PAUSED",
    when: "it is paused",
    over: registration({ status: "PAUSED" }),
    since: healthy.registration.updatedAt,
  },
  { cause: "REGISTRATION_DISABLED", when: "it is disabled", over: registration({ status: "DISABLED" }) },
  { cause: "REGISTRATION_DISABLED", when: "it is a draft", over: registration({ status: "DRAFT" }) },
  { cause: "REGISTRATION_NOT_SERVING", when: "it serves others", over: registration({ servesApplication: false }) },
  { cause: "REGISTRATION_NOT_SERVING", when: "no registration exists", over: { registration: null } },
  { cause: "CAPABILITY_NOT_GRANTED", when: "posts were not granted", over: connection({ capabilities: ["PROFILE"] }) },
  { cause: "CAPABILITY_NOT_SERVED", when: "posts are not offered", over: registration({ capabilities: ["PROFILE"] }) },
  {
    cause: "SCAN_RUNNING",
    when: "a scan runs",
    over: jobs({ status: "RUNNING", finishedAt: null }),
    since: scan.startedAt,
  },
  {
    cause: "QUOTA_USED_UP",
    when: "the scan waits for our budget",
    over: queued({ waitReason: "QUOTA" }),
    since: scan.createdAt,
    nextTryAt: LATER,
  },
  {
    cause: "QUOTA_USED_UP",
    when: "a background scan ended at our budget",
    over: {
      ...connection({ nextRetryAt: addMs(LATER, 5) }),
      ...jobs({ status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED", waitReason: "QUOTA" }),
    },
    since: SCANNED,
    nextTryAt: addMs(LATER, 5),
  },
  {
    cause: "PROVIDER_RATE_LIMIT",
    when: "the scan waits for the provider's limit",
    over: queued({ waitReason: "RATE_LIMITED" }),
    since: scan.createdAt,
    nextTryAt: LATER,
  },
  {
    cause: "PROVIDER_RATE_LIMIT",
    when: "the scan failed at the provider's limit",
    over: jobs({ status: "FAILED", errorCode: "UPSTREAM_RATE_LIMITED", waitReason: "RATE_LIMITED" }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "PROVIDER_OUTAGE",
    when: "the scan waits for the provider",
    over: queued({ waitReason: "PROVIDER_UNAVAILABLE" }),
    since: scan.createdAt,
    nextTryAt: LATER,
  },
  {
    cause: "PROVIDER_OUTAGE",
    when: "the scan gave up",
    over: jobs({ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE" }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "SERVICE_FAULT",
    when: "the scan waits for a fault of the service",
    over: queued({ waitReason: "SERVICE_FAULT" }),
    since: scan.createdAt,
    nextTryAt: LATER,
  },
  {
    cause: "SERVICE_FAULT",
    when: "the scan gave up because of a fault of the service",
    over: jobs({ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", waitReason: "SERVICE_FAULT" }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "WAITING_FOR_WORKER",
    when: "no worker has taken the scan",
    over: queued({ waitReason: "BEHIND_OTHER_WORK", nextRetryAt: null }),
    since: scan.createdAt,
  },
  {
    cause: "SCAN_FAILED",
    when: "the scan failed with another code",
    over: jobs({ status: "FAILED", errorCode: "CAPABILITY_UNAVAILABLE" }),
    since: SCANNED,
    nextTryAt: LATER,
  },
  {
    cause: "NEVER_SCANNED",
    when: "no scan is stored",
    over: { ...connection({ syncStatus: "PENDING", lastSuccessfulSyncAt: null }), jobs: [] },
    nextTryAt: LATER,
  },
  {
    cause: "SCAN_OVERDUE",
    when: "the last success is a day old",
    over: connection({ lastSuccessfulSyncAt: addMs(NOW, -DAY), nextScanAt: null }),
    since: addMs(NOW, -DAY),
  },
  {
    cause: "SCAN_INCOMPLETE",
    when: "the scan ended before its window",
    over: connection({ syncStatus: "PARTIAL" }),
    since: SCANNED,
    nextTryAt: LATER,
  },
];

describe("why posts do not update", () => {
  test.each(CASES)("$cause when $when", ({ cause, over, since = null, nextTryAt = null }) => {
    const explanation = explain(over);
    expect(explanation).toMatchObject({ cause, since, nextTryAt });
    expect(explanation.userMessage).toMatch(/^[A-Z][^{}]*\.$/);
    expect(explanation.nextStep).toMatch(/^[A-Z].*\.$/);
  });

  test("every cause has a case", () => {
    expect(new Set(CASES.map(({ cause }) => cause))).toEqual(new Set(SUPPORT_CAUSES));
  });
});

test("an admin's obstacle is named before the user's", () => {
  const both = {
    ...registration({ status: "PAUSED" }),
    ...grant({ active: false }),
    ...queued({ waitReason: "QUOTA" }),
  };
  expect(explain(both).cause).toBe("REGISTRATION_PAUSED");
});

test("a job in flight counts more than a newer finished job", () => {
  const waiting = { id: "job-2", status: "QUEUED", waitReason: "QUOTA", finishedAt: null } as const;
  const { cause, jobId } = explain(jobs({}, waiting));
  expect({ cause, jobId }).toEqual({ cause: "QUOTA_USED_UP", jobId: "job-2" });
});

test("the sentences for the user contain the times in UTC, and no code of the service", () => {
  expect(explain({}).userMessage).toMatch(/ Last update: \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC\./);
  expect(explain(grant({ active: false })).userMessage).toMatch(/ Since \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC\./);
  expect(explain(queued({ waitReason: "QUOTA" })).userMessage).toMatch(
    / Next update: \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC\./,
  );
  for (const { over } of CASES) expect(explain(over).userMessage).not.toMatch(/[A-Z]{2,}_|null|undefined|NaN/);
});

test("a retry in the past is not promised", () => {
  const { nextTryAt, userMessage } = explain(queued({ waitReason: "QUOTA", nextRetryAt: addMs(NOW, -1) }));
  expect(nextTryAt).toBeNull();
  expect(userMessage).toContain("repeated automatically");
});

test("each cause has a message in every language, with the known times and no placeholder", () => {
  for (const { over } of CASES) {
    const { cause, messages, userMessage, since, nextTryAt } = explain(over);
    expect(messages.map(({ language }) => language)).toEqual([...LANGUAGES]);
    expect(messages[0]?.text).toBe(userMessage);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(LANGUAGES.length);
    const times = [since, nextTryAt].filter((time) => time !== null).length;
    for (const { language, text } of messages) {
      expect([cause, language, text]).toEqual([cause, language, expect.not.stringMatching(/[{}]/)]);
      expect(text.match(/UTC/g)?.length ?? 0).toBeGreaterThanOrEqual(times);
      if (language === "fr") expect(text).not.toMatch(/(?<![\u00a0\u202f\d])[;:!?]/);
    }
  }
});
