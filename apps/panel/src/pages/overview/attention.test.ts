import { CONNECT_RESULT_CODES, JOB_ERROR_CODES } from "@social-connect/contract";
import { INCIDENT_CAUSES } from "@social-connect/domain";
import { expect, test } from "vitest";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { CONNECT_RESULT_DESCRIPTIONS, JOB_ERROR_DESCRIPTIONS } from "../../ui/codeDescriptions.ts";
import { findAttention } from "./attention.ts";
import { describeIncident } from "./incidentTexts.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const QUIET: OverviewQuery = {
  availability: [
    { provider: "PROVIDER_A", available: true, reason: null },
    { provider: "PROVIDER_B", available: false, reason: "NO_REGISTRATION" },
    { provider: "PROVIDER_C", available: false, reason: "REGISTRATION_DISABLED" },
  ],
  overview: {
    incidents: [],
    fullQuotas: [],
    foreseenReconnects: [],
    expiringApiKeys: [],
    expiringCredentials: [],
  },
};

type Incident = OverviewQuery["overview"]["incidents"][number];
function incident(changes: Partial<Incident>): Incident {
  return {
    id: "1",
    cause: "PROVIDER_CALLS_FAIL",
    provider: "PROVIDER_B",
    detail: null,
    registrationId: "r",
    clientIdHint: "78123456…",
    begunAt: "2026-03-10T05:38:00.000Z",
    lastSeenAt: "2026-03-10T11:59:00.000Z",
    endedAt: null,
    failed: 1_230,
    total: 10_000,
    answer: null,
    affected: null,
    looks: "EVERY_MINUTE",
    userMessage: null,
    ...changes,
  };
}

function titles(changes: Partial<OverviewQuery["overview"]>, availability = QUIET.availability): string[] {
  return findAttention({ availability, overview: { ...QUIET.overview, ...changes } }, NOW).map(({ title }) => title);
}

test("needs no attention without incidents", () => {
  expect(findAttention(QUIET, NOW)).toEqual([]);
});

const SINCE = "05:38 UTC";

test("shows an incident as one line with its rate, its beginning and when it was last seen", () => {
  const overview = { ...QUIET.overview, incidents: [incident({})] };
  expect(findAttention({ ...QUIET, overview }, NOW)).toEqual([
    {
      key: "1",
      severity: "bad",
      title: `PROVIDER_B · TikTok Display API v2: 12 % of calls fail since ${SINCE}`,
      detail:
        "1,230 of 10,000 calls. Last seen 1 minute ago. Check the provider’s status page. Reads are retried until it responds.",
      link: { to: "/health" },
      affected: null,
      registration: {
        text: "Registration with client id 78123456…",
        link: { to: "registration", registrationId: "r" },
      },
      notes: [
        "It ends with the first calls of this registration that are answered. Until then one of its connections is read once a minute. What waited is then read within ten minutes.",
      ],
    },
  ]);
});

test("shows whom an incident concerns with the list of them, the provider’s answer and what users are told", () => {
  const outage = incident({
    answer: "HTTP 503, backendError: Down for maintenance",
    affected: { connections: 1_300, clients: 1 },
    userMessage: "The platform is not responding right now.",
  });
  const { affected, notes } = describeIncident(outage, NOW);
  const search = { registration: "r", cause: "PROVIDER_UNAVAILABLE" };
  expect(affected).toEqual({ text: "1,300 connections of 1 client", link: { to: "/connections", search } });
  expect(notes.slice(0, 2)).toEqual([
    "The provider’s answer: HTTP 503, backendError: Down for maintenance",
    "Users are told: “The platform is not responding right now.”",
  ]);
  const attempts = incident({ cause: "CONNECT_ATTEMPTS_FAIL", affected: { connections: null, clients: 3 } });
  expect(describeIncident(attempts, NOW).affected).toEqual({ text: "3 clients concerned", link: null });
  const quota = incident({ cause: "QUOTA_USED_UP", failed: null, affected: { connections: 1, clients: 1 } });
  expect(describeIncident(quota, NOW)).toMatchObject({
    link: { to: "registration", registrationId: "r" },
    affected: { link: { search: { registration: "r" } } },
    registration: null,
  });
});

test("shows incidents with one cause at several registrations of a provider as one line that has each of them", () => {
  const same = { answer: "HTTP 503", userMessage: "The platform is not responding right now." };
  const at = (id: string, connections: number, changes: Partial<Incident> = {}) =>
    incident({ id, registrationId: `r${id}`, affected: { connections, clients: 40 }, ...same, ...changes });
  const later = { begunAt: "2026-03-10T05:50:00.000Z", lastSeenAt: "2026-03-10T11:58:00.000Z", failed: 8_770 };
  const find = (...incidents: readonly Incident[]) =>
    findAttention({ ...QUIET, overview: { ...QUIET.overview, incidents } }, NOW);
  const apart = [
    incident({ id: "4", provider: "PROVIDER_A" }),
    incident({ id: "5", cause: "JOBS_FAIL", detail: "CONTENT_NOT_FOUND" }),
  ];
  const [outage, ...others] = find(at("1", 1_000, later), at("2", 200), at("3", 34), ...apart);
  expect(outage).toMatchObject({
    severity: "bad",
    title: `PROVIDER_B · TikTok Display API v2: 37 % of calls fail since ${SINCE}`,
    detail: expect.stringMatching(
      /^11,230 of 30,000 calls\. Last seen 1 minute ago\. Check the provider’s status page\./,
    ),
    link: { to: "/health" },
    affected: { text: "1,234 connections of at most 120 clients", link: null },
    registration: null,
    notes: [`The provider’s answer: ${same.answer}`, `Users are told: “${same.userMessage}”`],
  });
  expect(outage?.parts).toEqual(
    [at("1", 1_000, later), at("2", 200), at("3", 34)].map((one) => ({
      key: one.id,
      ...describeIncident(one, NOW),
      notes: [expect.stringMatching(/^It ends with/)],
    })),
  );
  expect(others.map(({ key, parts }) => [key, parts])).toEqual([
    ["4", undefined],
    ["5", undefined],
  ]);
  const [refused] = find(
    ...["1", "2"].map((id) => at(id, 0, { cause: "REGISTRATION_REFUSED", failed: null, total: null, answer: id })),
  );
  expect(refused).toMatchObject({ link: { to: "/registrations" }, affected: { text: "No connection is concerned" } });
  expect(refused?.notes).toEqual([`Users are told: “${same.userMessage}”`]);
  const attempts = {
    cause: "CONNECT_ATTEMPTS_FAIL",
    detail: "EXCHANGE_FAILED",
    affected: { connections: null, clients: 2 },
  } as const;
  expect(find(at("1", 0, attempts), at("2", 0, attempts))[0]?.affected?.text).toBe("At most 4 clients concerned");
  const reconnects = { cause: "RECONNECTS_REQUIRED", affected: null } as const;
  const search = { provider: "PROVIDER_B", status: "RECONNECT_REQUIRED" };
  expect(find(at("1", 0, reconnects), at("2", 0))[0]?.parts).toBeUndefined();
  expect(find(at("1", 0, reconnects), at("2", 0, reconnects))[0]).toMatchObject({ link: { search }, affected: null });
});

test("says of every cause how it ends", () => {
  for (const cause of INCIDENT_CAUSES) {
    expect(describeIncident(incident({ cause }), NOW).notes.at(-1), cause).toMatch(/^It ends w/);
  }
});

test("says whether the service looks for the end of an incident", () => {
  const howItEnds = (changes: Partial<Incident>) => describeIncident(incident(changes), NOW).notes.at(-1);
  for (const cause of ["PROVIDER_CALLS_FAIL", "JOBS_FAIL", "APPLICATION_REFUSED"] as const) {
    expect(howItEnds({ cause })).toContain("is read once a minute.");
    expect(howItEnds({ cause, looks: "LIMITED" })).toContain(
      "No connection is read until the quota or the provider’s limit",
    );
    expect(howItEnds({ cause, looks: "PAUSED" })).toContain("The registration is paused: nothing is read until it is");
    expect(howItEnds({ cause, looks: "NONE_READABLE" })).toContain("None of its connections can be read now");
  }
  for (const looks of ["PAUSED", "NONE_READABLE", "NO_CONNECTION", null] as const)
    expect(howItEnds({ looks })).not.toContain("once a minute");
  expect(howItEnds({ looks: "NO_CONNECTION" })).toBe(
    "It ends with the first calls of this registration that are answered. The registration has no connection left, so it also ends an hour after its latest failure. What waited is then read within ten minutes.",
  );
  const refused = { cause: "APPLICATION_REFUSED", looks: "NO_CONNECTION" } as const;
  expect(howItEnds(refused)).not.toContain("an hour");
});

test("an incident that has ended needs no attention", () => {
  const ended = incident({ endedAt: "2026-03-10T06:00:00.000Z" });
  expect(titles({ incidents: [ended] })).toEqual([]);
  expect(describeIncident(ended, NOW)).toMatchObject({
    title: `PROVIDER_B · TikTok Display API v2: 12 % of calls fail from ${SINCE} until 06:00 UTC`,
    detail: "1,230 of 10,000 calls.",
  });
});

test("describes every cause", () => {
  const stated = { failed: null, total: null, provider: null, registrationId: null };
  expect(
    titles({
      incidents: [
        incident({ cause: "CONNECT_ATTEMPTS_FAIL", detail: "EXCHANGE_FAILED" }),
        incident({ cause: "JOBS_FAIL", detail: "CAPABILITY_UNAVAILABLE" }),
        incident({ cause: "JOBS_ERROR", failed: 1, total: 1_000 }),
        incident({ cause: "API_CALLS_FAIL", provider: null, registrationId: null }),
        incident({ cause: "QUOTA_USED_UP", detail: "client", failed: null, total: null }),
        incident({ cause: "JOBS_STUCK", ...stated }),
        incident({ cause: "RECONNECTS_REQUIRED" }),
        incident({ cause: "SWEEP_LATE", detail: "deleteJobs", ...stated }),
        incident({ cause: "SOMETHING_NEW" as Incident["cause"] }),
      ],
    }).map((title) => title.replace(` since ${SINCE}`, "")),
  ).toEqual([
    "PROVIDER_B · TikTok Display API v2: 12 % of connect attempts fail",
    "PROVIDER_B · TikTok Display API v2: 12 % of jobs fail",
    "PROVIDER_B · TikTok Display API v2: less than 1 % of job attempts end with an unexpected error",
    "12 % of the applications’ calls fail",
    "PROVIDER_B · TikTok Display API v2: the quota is used up",
    "Jobs wait for a worker",
    "PROVIDER_B · TikTok Display API v2: unknown incident",
    "PROVIDER_B · TikTok Display API v2: 12 % of jobs find that the consent has ended",
    "The sweep deleteJobs has not succeeded",
  ]);
});

test("sorts current failures before upcoming ones", () => {
  expect(
    titles(
      {
        incidents: [incident({ cause: "SWEEP_LATE", detail: "deleteJobs", provider: null }), incident({ id: "2" })],
        expiringApiKeys: [
          { id: "k", label: "deploy", createdBy: "a@example.test", expiresAt: "2026-03-12T12:00:00.000Z" },
        ],
        expiringCredentials: [
          { clientId: "c", clientSlug: "shop", credential: { keyId: "i", expiresAt: "2026-03-11T12:00:00.000Z" } },
        ],
      },
      [
        { provider: "PROVIDER_A", available: false, reason: "REGISTRATION_DRAFT" },
        { provider: "PROVIDER_B", available: false, reason: "REGISTRATION_PAUSED" },
        { provider: "PROVIDER_C", available: true, reason: null },
      ],
    ),
  ).toEqual([
    `PROVIDER_B · TikTok Display API v2: 12 % of calls fail since ${SINCE}`,
    "PROVIDER_B · TikTok Display API v2: the registration is paused",
    `The sweep deleteJobs has not succeeded since ${SINCE}`,
    "PROVIDER_A · YouTube Data API v3: the registration is still a draft",
    "An application key of shop expires tomorrow",
    "The admin key “deploy” expires in 2 days",
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
    endsAt: "2026-03-10T17:00:00Z",
  } as const;
  const [near] = findAttention(
    { ...QUIET, overview: { ...QUIET.overview, fullQuotas: [{ ...quota, used: 8_000 }] } },
    NOW,
  );
  expect(near).toMatchObject({
    severity: "soon",
    title: "PROVIDER_A · YouTube Data API v3: the daily quota is nearly exhausted",
    detail: expect.stringMatching(/^8,000 of 10,000 calls used\. .* Resets in 5 hours\.$/),
    link: { to: "registration", registrationId: "r" },
  });
  const overview = { ...QUIET.overview, fullQuotas: [{ ...quota, used: 8_000 }] };
  const shown = (cause: Incident["cause"]) => {
    const all = findAttention({ ...QUIET, overview: { ...overview, incidents: [incident({ cause })] } }, NOW);
    return all.map(({ title }) => title).filter((title) => title.includes("daily quota"));
  };
  expect(shown("QUOTA_USED_UP")).toEqual([]);
  expect(shown("PROVIDER_CALLS_FAIL")).toHaveLength(1);
  const accounts = { ...quota, isPerAccount: true, count: 3, used: 10_000 };
  const [exhausted] = findAttention({ ...QUIET, overview: { ...QUIET.overview, fullQuotas: [accounts] } }, NOW);
  expect(exhausted).toMatchObject({
    severity: "bad",
    title: "PROVIDER_A · YouTube Data API v3: the daily quota for 3 accounts is exhausted",
    detail: expect.stringContaining("for the most-read account. Reads are delayed."),
  });
});

test("connections whose consent ends within a week need attention soon", () => {
  const firstAt = "2026-03-11T12:00:00.000Z";
  const find = (hasMore: boolean) => {
    const foreseenReconnects = [{ provider: "PROVIDER_B" as const, count: 12, firstAt, hasMore }];
    return findAttention({ ...QUIET, overview: { ...QUIET.overview, foreseenReconnects } }, NOW);
  };
  const [found] = find(false);
  expect(found).toMatchObject({
    severity: "soon",
    link: { to: "/connections", search: { provider: "PROVIDER_B", consent: "ending" } },
  });
  expect(found?.title).toContain(": 12 connections will need a reconnect within a week");
  expect(find(true)[0]?.title).toContain(": at least 12 connections will need");
});

test("names the day of an incident that did not begin today", () => {
  const { title } = describeIncident(incident({}), new Date("2026-03-11T12:00:00.000Z"));
  expect(title).toMatch(/since 10 Mar 2026, 05:38 UTC$/);
  const overnight = incident({ endedAt: "2026-03-11T00:48:00.000Z" });
  const both = /from 10 Mar 2026, 05:38 UTC until 11 Mar 2026, 00:48 UTC$/;
  for (const day of ["10", "11"])
    expect(describeIncident(overnight, new Date(`2026-03-${day}T12:00:00.000Z`)).title).toMatch(both);
});

test("shows many keys that expire in one row for each kind", () => {
  const at = (day: number) => `2026-03-${day}T12:00:00.000Z`;
  const expiringApiKeys = [13, 12].map((day) => ({
    id: `k${day}`,
    label: `deploy ${day}`,
    createdBy: "a@example.test",
    expiresAt: at(day),
  }));
  const expiringCredentials = ["shop", "shop", "blog", "wiki", "mail"].map((clientSlug, index) => ({
    clientId: `c ${clientSlug}`,
    clientSlug,
    credential: { keyId: `i${index}`, expiresAt: at(15 - index) },
  }));
  const found = findAttention({ ...QUIET, overview: { ...QUIET.overview, expiringApiKeys, expiringCredentials } }, NOW);
  expect(found).toMatchObject([
    {
      title: "5 application keys expire within two weeks, the first tomorrow",
      detail:
        "Keys of mail, wiki, blog and 1 more client. Rotate each: issue a new key, deploy it, then revoke the old one.",
      link: { to: "client keys", clientId: "c mail" },
    },
    {
      title: "2 admin keys expire within two weeks, the first in 2 days",
      detail: "The first is “deploy 12”. Each acts as the admin who has to rotate it.",
      link: { to: "/api-keys" },
    },
  ]);
});
