import { expect, test } from "vitest";
import type { MinuteCount, RateRule, ServiceCount } from "./incidents.ts";
import { findQuotaIncidents, findRateIncidents, findSpells, findStateIncidents, sortIncidents } from "./incidents.ts";

const START = Date.UTC(2026, 2, 10, 5, 30);
const RULE: RateRule = { windowMinutes: 10, leastTotal: 20, leastFailed: 5, rate: 0.1 };
const at = (minute: number) => new Date(START + minute * 60_000);
const time = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;

/** Ten calls a minute, of which `failed` fail. */
function minutes(from: number, until: number, failed: number, total = 10): MinuteCount[] {
  return Array.from({ length: until - from }, (_, index) => ({ at: at(from + index), failed, total }));
}

function spells(counts: readonly MinuteCount[], now: number) {
  return findSpells(counts, RULE, at(now)).map(({ begunAt, lastSeenAt, endedAt, failed, total }) => {
    return [time(begunAt), time(lastSeenAt), time(endedAt), `${failed}/${total}`];
  });
}

test("begins with the first failure, continues with the rate since then, and ends with the last failure", () => {
  const outage = [...minutes(0, 8, 0), ...minutes(8, 20, 3), ...minutes(20, 40, 0)];
  const until = (minute: number) => outage.filter((count) => count.at < at(minute));
  expect(spells(until(9), 9)).toEqual([]);
  expect(spells(until(12), 12)).toEqual([["05:38", "05:42", null, "12/40"]]);
  expect(spells(until(20), 20)).toEqual([["05:38", "05:50", null, "36/120"]]);
  // The rate of the last ten minutes falls below 5 %.
  expect(spells(outage, 40)).toEqual([["05:38", "05:50", "05:50", "36/120"]]);
});

test("continues with half of the rate, so that it does not begin and end by turns", () => {
  const wavering = [...minutes(0, 10, 2), ...minutes(10, 11, 0, 15), ...minutes(11, 30, 1, 15)];
  expect(spells(wavering, 30)).toEqual([["05:30", "06:00", null, "39/400"]]);
});

test("ends when nothing has failed for a window, also without any call", () => {
  const failed = minutes(0, 5, 10);
  expect(spells(failed, 13)).toEqual([["05:30", "05:35", null, "50/50"]]);
  expect(spells(failed, 14)).toEqual([["05:30", "05:35", "05:35", "50/50"]]);
  const again = [...failed, ...minutes(60, 62, 10)];
  expect(spells(again, 61)).toEqual([
    ["05:30", "05:35", "05:35", "50/50"],
    ["06:30", "06:31", null, "20/20"],
  ]);
});

test.each([
  ["1 of 2 calls", [{ at: at(0), failed: 1, total: 2 }]],
  ["19 of 19 calls", [{ at: at(0), failed: 19, total: 19 }]],
  ["4 failures", [{ at: at(0), failed: 4, total: 20 }]],
  ["less than the rate", minutes(0, 30, 9, 100)],
  [
    "failures in windows that are too far apart",
    [0, 10, 20, 30].map((minute) => ({ at: at(minute), failed: 10, total: 10 })),
  ],
  ["nothing", []],
])("%s start no incident", (_, counts) => {
  expect(spells(counts, 31)).toEqual([]);
});

test("was last seen at most now", () => {
  const now = new Date(at(4).getTime() + 20_000);
  expect(findSpells(minutes(0, 5, 10), RULE, now)).toMatchObject([{ lastSeenAt: now, endedAt: null }]);
});

function counts(part: Partial<ServiceCount>, perMinute: number): ServiceCount[] {
  return Array.from({ length: 5 }, (_, minute) => {
    const common = { series: "provider_calls", provider: "PROVIDER_B", outcome: "ok", code: "" } as const;
    return { ...common, at: at(minute), count: perMinute, ...part };
  });
}

const job = (outcome: string, code: string, perMinute: number) =>
  counts({ series: "job_attempts", outcome, code }, perMinute);

function causes(all: readonly ServiceCount[]) {
  const found = findRateIncidents(all, at(5));
  return found.map(({ cause, provider, detail, failed, total }) => [cause, provider, detail, `${failed}/${total}`]);
}

test("a provider's outage is one incident with the jobs and attempts that it makes fail", () => {
  const calls = [...counts({}, 88), ...counts({ outcome: "http_5xx" }, 10), ...counts({ outcome: "timeout" }, 2)];
  const outage = ["PROVIDER_CALLS_FAIL", "PROVIDER_B", null, "60/500"];
  expect(causes(calls)).toEqual([outage]);
  const attempts = counts({ series: "connect_attempts", outcome: "FAILED", code: "PROVIDER_UNAVAILABLE" }, 2);
  expect(causes([...calls, ...job("FAILED", "UPSTREAM_UNAVAILABLE", 10), ...attempts])).toEqual([outage]);
  const elsewhere = job("FAILED", "UPSTREAM_UNAVAILABLE", 10).map((count) => ({ ...count, provider: "PROVIDER_A" }));
  expect(causes([...calls, ...elsewhere])).toEqual([
    outage,
    ["JOBS_FAIL", "PROVIDER_A", "UPSTREAM_UNAVAILABLE", "50/50"],
  ]);
});

test("each cause is a separate incident", () => {
  const expected = [
    ["CONNECT_ATTEMPTS_FAIL", "PROVIDER_B", "EXCHANGE_FAILED", "5/15"],
    ["JOBS_FAIL", "PROVIDER_B", "CAPABILITY_UNAVAILABLE", "10/50"],
    ["JOBS_ERROR", "PROVIDER_B", null, "5/60"],
    ["RECONNECTS_REQUIRED", "PROVIDER_B", null, "15/50"],
    ["API_CALLS_FAIL", null, null, "10/460"],
  ];
  const attempt = (outcome: string, code: string, perMinute: number) =>
    counts({ series: "connect_attempts", outcome, code }, perMinute);
  const call = (code: string, perMinute: number) =>
    counts({ series: "api_calls", provider: "", outcome: "", code }, perMinute);
  const all = [
    ...[
      ...attempt("FAILED", "EXCHANGE_FAILED", 1),
      ...attempt("COMPLETED", "", 2),
      ...attempt("EXPIRED", "DEADLINE_PASSED", 50),
    ],
    ...[
      ...job("SUCCEEDED", "", 5),
      ...job("FAILED", "CAPABILITY_UNAVAILABLE", 2),
      ...job("FAILED", "RECONNECT_REQUIRED", 3),
    ],
    ...[...job("ERROR", "", 1), ...job("QUEUED", "QUOTA", 1)],
    ...[...call("OK", 90), ...call("UPSTREAM_UNAVAILABLE", 2)],
  ];
  expect(causes(all)).toEqual(expected);
});

test.each([
  ["a revoke that the provider does not offer", job("FAILED", "REVOKE_UNSUPPORTED", 100)],
  ["posts that do not exist", job("FAILED", "CONTENT_NOT_FOUND", 100)],
  ["users who deny", counts({ series: "connect_attempts", outcome: "DENIED", code: "USER_DENIED" }, 100)],
  ["a different account", counts({ series: "connect_attempts", outcome: "FAILED", code: "ACCOUNT_MISMATCH" }, 100)],
  ["rejected calls and rate limits", [...counts({ outcome: "http_4xx" }, 50), ...counts({ outcome: "http_429" }, 50)]],
])("%s start no incident, because an admin cannot act on them", (_, all) => {
  expect(causes(all)).toEqual([]);
});

test("a quota is an incident after five minutes with less than 5 % left, until it resets", () => {
  const use = (from: number, until: number, used: number) =>
    Array.from({ length: until - from }, (_, index) => {
      const of = { registrationId: "r", provider: "PROVIDER_A", budget: "client", units: 100 } as const;
      return { ...of, at: at(from + index), used };
    });
  const found = (now: number, ...parts: ReturnType<typeof use>[]) =>
    findQuotaIncidents(parts.flat(), at(now)).map(({ begunAt, endedAt, registrationId, detail }) => {
      return [time(begunAt), time(endedAt), registrationId, detail];
    });
  expect(found(30, use(0, 30, 95))).toEqual([]);
  expect(found(4, use(0, 4, 96))).toEqual([]);
  expect(found(30, use(0, 10, 20), use(10, 30, 96))).toEqual([["05:40", null, "r", "client"]]);
  expect(found(40, use(0, 30, 96), use(30, 40, 0))).toEqual([["05:30", "06:00", "r", "client"]]);
});

test("a job that waits ten minutes and a sweep that is three hours late are incidents", () => {
  const state = { oldestDueAt: at(0), sweeps: [{ name: "deleteJobs", succeededAt: at(0) }] };
  const found = (minute: number) => findStateIncidents(state, at(minute)).map(({ id, begunAt }) => [id, time(begunAt)]);
  expect(found(9)).toEqual([]);
  expect(found(10)).toEqual([["JOBS_STUCK", "05:40"]]);
  expect(found(180)).toEqual([
    ["JOBS_STUCK", "05:40"],
    ["SWEEP_LATE deleteJobs", "08:30"],
  ]);
  expect(findStateIncidents({ oldestDueAt: null, sweeps: [] }, at(0))).toEqual([]);
});

test("sorts continuing incidents before ended ones, and the latest first", () => {
  const incident = (id: string, begun: number, ended: number | null) => {
    const [base] = findStateIncidents({ oldestDueAt: at(-60), sweeps: [] }, at(100));
    return {
      ...(base as NonNullable<typeof base>),
      id,
      begunAt: at(begun),
      endedAt: ended === null ? null : at(ended),
    };
  };
  const sorted = sortIncidents([
    incident("old", 0, 5),
    incident("long", 1, null),
    incident("late", 8, 9),
    incident("new", 7, null),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual(["new", "long", "late", "old"]);
});
