import { expect, test } from "vitest";
import {
  findQuotaIncidents,
  findRateIncidents,
  findStateIncidents,
  type ServiceCount,
  sortIncidents,
} from "./incidents.ts";

const START = Date.UTC(2026, 2, 10, 5, 30);
const at = (minute: number) => new Date(START + minute * 60_000);
const time = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;

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

test("a single fault of the service is an incident, and no outage of the provider", () => {
  const [own] = job("QUEUED", "SERVICE_FAULT", 1);
  const calls = counts({ outcome: "local" }, 60);
  expect(causes([...job("SUCCEEDED", "", 99), ...(own === undefined ? [] : [own])])).toEqual([
    ["SERVICE_FAULT", "PROVIDER_B", null, expect.stringMatching(/^1\//)],
  ]);
  expect(causes([...counts({}, 40), ...calls])).toEqual([["SERVICE_FAULT", "PROVIDER_B", "local", "300/500"]]);
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

const NONE_REFUSED = { refusedRegistrations: [], refusedClients: [], failingEndpoints: [] };

test("a client that the provider refuses is an incident of its registration", () => {
  const detail = "2500: Unknown path";
  const refusedClients = [{ id: "r", provider: "PROVIDER_C", refusedSince: at(3), detail }] as const;
  const [incident] = findStateIncidents({ oldestDueAt: null, sweeps: [], ...NONE_REFUSED, refusedClients }, at(100));
  const of = { cause: "APPLICATION_REFUSED", detail, provider: "PROVIDER_C", registrationId: "r" };
  expect(incident).toMatchObject({ ...of, begunAt: at(3), lastSeenAt: at(100), endedAt: null });
});

test("a job that waits ten minutes and a sweep that is three hours late are incidents", () => {
  const state = { oldestDueAt: at(0), sweeps: [{ name: "deleteJobs", succeededAt: at(0) }], ...NONE_REFUSED };
  const found = (minute: number) => findStateIncidents(state, at(minute)).map(({ id, begunAt }) => [id, time(begunAt)]);
  expect(found(9)).toEqual([]);
  expect(found(10)).toEqual([["JOBS_STUCK", "05:40"]]);
  expect(found(180)).toEqual([
    ["JOBS_STUCK", "05:40"],
    ["SWEEP_LATE deleteJobs", "08:30"],
  ]);
  expect(findStateIncidents({ oldestDueAt: null, sweeps: [], ...NONE_REFUSED }, at(0))).toEqual([]);
});

test("an endpoint for events that fails for five minutes, or was turned off, is an incident of its client", () => {
  const endpoint = { id: "e", clientSlug: "shop", failingSince: at(0), isOff: false };
  const found = (minute: number, isOff = false) => {
    const state = { oldestDueAt: null, sweeps: [], ...NONE_REFUSED, failingEndpoints: [{ ...endpoint, isOff }] };
    return findStateIncidents(state, at(minute)).map(({ id, detail, begunAt }) => [id, detail, time(begunAt)]);
  };
  expect(found(4)).toEqual([]);
  expect(found(5)).toEqual([["EVENT_ENDPOINT_FAILS e", "shop", "05:35"]]);
  expect(found(1, true)).toEqual([["EVENT_ENDPOINT_FAILS e", "shop (turned off)", "05:30"]]);
});

test("sorts continuing incidents before ended ones, and the latest first", () => {
  const incident = (id: string, begun: number, ended: number | null) => {
    const [base] = findStateIncidents({ oldestDueAt: at(-60), sweeps: [], ...NONE_REFUSED }, at(100));
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
