import { CONNECT_RESULT_CODES, JOB_ERROR_CODES } from "@social-connect/contract";
import { expect, test } from "vitest";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { CONNECT_RESULT_DESCRIPTIONS, JOB_ERROR_DESCRIPTIONS } from "../health/codeDescriptions.ts";
import { findAttention } from "./attention.ts";

const NOW = new Date("2026-03-10T00:00:00.000Z");
const QUIET: OverviewQuery = {
  availability: [
    { provider: "PROVIDER_A", available: true, reason: null },
    { provider: "PROVIDER_B", available: false, reason: "NO_REGISTRATION" },
    { provider: "PROVIDER_C", available: false, reason: "REGISTRATION_DISABLED" },
  ],
  overview: {
    overdueJobs: 0,
    fullQuotas: [],
    expiringApiKeys: [],
    expiringCredentials: [],
    jobs: [
      job({ status: "SUCCEEDED", count: 900 }),
      job({ provider: "PROVIDER_C", kind: "REVOKE", status: "FAILED", errorCode: "REVOKE_UNSUPPORTED", count: 3 }),
      job({ status: "FAILED", errorCode: "RECONNECT_REQUIRED", count: 2 }),
    ],
    connections: [{ provider: "PROVIDER_A", status: "RECONNECT_REQUIRED", count: 4 }],
    connectAttempts: [
      { provider: "PROVIDER_A", status: "DENIED", resultCode: "USER_DENIED", count: 5 },
      { provider: "PROVIDER_A", status: "COMPLETED", resultCode: null, count: 50 },
      { provider: "PROVIDER_A", status: "EXPIRED", resultCode: "DEADLINE_PASSED", count: 6 },
    ],
  },
};

type Job = OverviewQuery["overview"]["jobs"][number];
function job(changes: Partial<Job>): Job {
  const usual = {
    provider: "PROVIDER_A",
    kind: "SCAN",
    status: "QUEUED",
    errorCode: null,
    count: 1,
    waitingToRetry: 0,
  };
  return { ...usual, ...changes } as Job;
}

function titles(changes: Partial<OverviewQuery["overview"]>, availability = QUIET.availability): string[] {
  return findAttention({ availability, overview: { ...QUIET.overview, ...changes } }, NOW).map(({ title }) => title);
}

test("ignores failures that no one has to resolve", () => {
  expect(findAttention(QUIET, NOW)).toEqual([]);
});

test("counts failed jobs by provider and code", () => {
  expect(
    titles({
      jobs: [
        job({ status: "FAILED", errorCode: "UPSTREAM_UNAVAILABLE", count: 2 }),
        job({ status: "FAILED", kind: "PROFILE", errorCode: "UPSTREAM_UNAVAILABLE", count: 3 }),
        job({ status: "FAILED", provider: "PROVIDER_B", errorCode: "UPSTREAM_RATE_LIMITED", count: 1 }),
        job({ status: "QUEUED", count: 7, waitingToRetry: 4 }),
      ],
    }),
  ).toEqual(["Provider A: 5 jobs failed", "Provider B: 1 job failed", "Provider A: 4 jobs are waiting for a retry"]);
});

test("sorts current failures before upcoming ones", () => {
  expect(
    titles(
      {
        overdueJobs: 1,
        expiringApiKeys: [
          { id: "k", label: "deploy", createdBy: "a@example.test", expiresAt: "2026-03-12T00:00:00.000Z" },
        ],
        expiringCredentials: [
          { clientId: "c", clientSlug: "shop", credential: { keyId: "i", expiresAt: "2026-03-11T00:00:00.000Z" } },
        ],
        connectAttempts: [{ provider: "PROVIDER_B", status: "FAILED", resultCode: "EXCHANGE_FAILED", count: 2 }],
      },
      [
        { provider: "PROVIDER_A", available: false, reason: "REGISTRATION_DRAFT" },
        { provider: "PROVIDER_B", available: false, reason: "REGISTRATION_PAUSED" },
        { provider: "PROVIDER_C", available: true, reason: null },
      ],
    ),
  ).toEqual([
    "1 job is waiting for a worker",
    "Provider B: 2 connect attempts failed",
    "Provider B: the registration is paused",
    "Provider A: the registration is still a draft",
    "An application key of shop expires tomorrow",
    "The admin key “deploy” expires in 2 days",
  ]);
});

test("reports a code that is unknown to this version of the panel", () => {
  expect(titles({ jobs: [job({ status: "FAILED", errorCode: "SOMETHING_NEW" })] })).toEqual([
    "Provider A: 1 job failed",
  ]);
});

test("describes every code of the contract", () => {
  expect(Object.keys(JOB_ERROR_DESCRIPTIONS).toSorted()).toEqual(JOB_ERROR_CODES.toSorted());
  expect(Object.keys(CONNECT_RESULT_DESCRIPTIONS).toSorted()).toEqual(CONNECT_RESULT_CODES.toSorted());
});

test("warns about a quota that is nearly exhausted and reports an exhausted quota", () => {
  const quota = {
    registrationId: "r",
    provider: "PROVIDER_A",
    isPerAccount: false,
    count: 1,
    units: 10_000,
    endsAt: "2026-03-10T05:00:00Z",
  } as const;
  const [near] = findAttention(
    { ...QUIET, overview: { ...QUIET.overview, fullQuotas: [{ ...quota, used: 8_000 }] } },
    NOW,
  );
  expect(near).toMatchObject({
    severity: "soon",
    title: "Provider A: the daily quota is nearly exhausted",
    detail: expect.stringMatching(/^8,000 of 10,000 calls used\. .* Resets in 5 hours\.$/),
    link: { to: "registration", registrationId: "r" },
  });
  const accounts = { ...quota, isPerAccount: true, count: 3, used: 10_000 };
  const [exhausted] = findAttention({ ...QUIET, overview: { ...QUIET.overview, fullQuotas: [accounts] } }, NOW);
  expect(exhausted).toMatchObject({
    severity: "bad",
    title: "Provider A: the daily quota for 3 accounts is exhausted",
    detail: expect.stringContaining("for the most-read account. Reads are delayed."),
  });
});
