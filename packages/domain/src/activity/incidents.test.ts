import { expect, test } from "vitest";
import {
  findQuotaIncidents,
  findRateIncidents,
  findStateIncidents,
  INCIDENT_CAUSES,
  type Incident,
  incidentKey,
  type ServiceCount,
  sortIncidents,
} from "./incidents.ts";

const START = Date.UTC(2026, 2, 10, 5, 30);
const at = (minute: number) => new Date(START + minute * 60_000);
const time = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;

function counts(part: Partial<ServiceCount>, perMinute: number): ServiceCount[] {
  return Array.from({ length: 5 }, (_, minute) => {
    const common = { series: "provider_calls", provider: "PROVIDER_B", outcome: "ok", code: "" } as const;
    const registrationId = part.provider === "" ? null : "r";
    return { ...common, registrationId, at: at(minute), count: perMinute, ...part };
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
  // Also one of the same provider.
  for (const provider of ["PROVIDER_A", "PROVIDER_B"]) {
    const ofOther = { provider, registrationId: "other" };
    const elsewhere = job("FAILED", "UPSTREAM_UNAVAILABLE", 10).map((count) => ({ ...count, ...ofOther }));
    expect(causes([...calls, ...elsewhere])).toEqual([
      outage,
      ["JOBS_FAIL", provider, "UPSTREAM_UNAVAILABLE", "50/50"],
    ]);
  }
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

const use = (from: number, until: number, used: number) =>
  Array.from({ length: until - from }, (_, index) => {
    const of = { registrationId: "r", provider: "PROVIDER_A", budget: "client", units: 100 } as const;
    return { ...of, at: at(from + index), used };
  });
const DAYS = new Map([["r", "day"]] as const);

test("a quota is an incident after five minutes with less than 5 % left, until it resets", () => {
  const found = (now: number, ...parts: ReturnType<typeof use>[]) =>
    findQuotaIncidents(parts.flat(), DAYS, at(now)).map(({ begunAt, endedAt, registrationId, detail }) => {
      return [time(begunAt), time(endedAt), registrationId, detail];
    });
  expect(found(30, use(0, 30, 95))).toEqual([]);
  expect(found(4, use(0, 4, 96))).toEqual([]);
  expect(found(30, use(0, 10, 20), use(10, 30, 96))).toEqual([["05:40", null, "r", "client"]]);
  expect(found(40, use(0, 30, 96), use(30, 40, 0))).toEqual([["05:30", "06:00", "r", "client"]]);
});

test("a quota's incident ends when its window ends or it was raised, and not by silence before", () => {
  const ended = (window: "minute" | "day", now: number, ...parts: ReturnType<typeof use>[]) =>
    findQuotaIncidents(parts.flat(), new Map([["r", window]]), at(now)).map(({ endedAt }) => time(endedAt));
  const [usedUp, midnight] = [use(0, 10, 96), 18.5 * 60];
  expect(ended("day", 200, usedUp)).toEqual([null]);
  expect(ended("day", midnight - 1, usedUp)).toEqual([null]);
  expect(ended("day", midnight + 5, usedUp)).toEqual(["00:00"]);
  expect(ended("day", 230, usedUp, use(200, 230, 40))).toEqual(["08:50"]);
  expect(ended("minute", 15, usedUp)).toEqual(["05:40"]);
  // Its minutes are no longer stored.
  const known = findQuotaIncidents(usedUp, DAYS, at(100));
  expect(findQuotaIncidents([], DAYS, at(midnight - 1), known)).toMatchObject([{ endedAt: null, id: known[0]?.id }]);
  const [over] = findQuotaIncidents([], DAYS, at(midnight + 5_000), known);
  expect(over).toMatchObject({ id: known[0]?.id, begunAt: at(0), endedAt: at(midnight) });
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
  expect(found(10)).toEqual([["JOBS_STUCK 2026-03-10T05:40:00.000Z", "05:40"]]);
  expect(found(180)).toEqual([
    ["JOBS_STUCK 2026-03-10T05:40:00.000Z", "05:40"],
    ["SWEEP_LATE deleteJobs 2026-03-10T08:30:00.000Z", "08:30"],
  ]);
  expect(findStateIncidents({ oldestDueAt: null, sweeps: [], ...NONE_REFUSED }, at(0))).toEqual([]);
});

test("an endpoint for events that fails for five minutes, or was turned off, is an incident of its client", () => {
  const endpoint = { id: "e", clientSlug: "shop", failingSince: at(0), isOff: false };
  const found = (minute: number, isOff = false) => {
    const state = { oldestDueAt: null, sweeps: [], ...NONE_REFUSED, failingEndpoints: [{ ...endpoint, isOff }] };
    return findStateIncidents(state, at(minute)).map((incident) => {
      return [incidentKey(incident), incident.detail, time(incident.begunAt)];
    });
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

/** Counts that begin each cause of a rate, and one that ends it. */
const RATES: readonly (readonly [Incident["cause"], Partial<ServiceCount>, Partial<ServiceCount>])[] = [
  ["PROVIDER_CALLS_FAIL", { outcome: "timeout" }, { outcome: "ok" }],
  [
    "CONNECT_ATTEMPTS_FAIL",
    { series: "connect_attempts", outcome: "FAILED", code: "EXCHANGE_FAILED" },
    { series: "connect_attempts", outcome: "COMPLETED" },
  ],
  [
    "JOBS_FAIL",
    { series: "job_attempts", outcome: "FAILED", code: "UPSTREAM_RATE_LIMITED" },
    { series: "job_attempts", outcome: "SUCCEEDED" },
  ],
  ["JOBS_ERROR", { series: "job_attempts", outcome: "ERROR" }, { series: "job_attempts", outcome: "QUEUED" }],
  [
    "SERVICE_FAULT",
    { series: "job_attempts", outcome: "QUEUED", code: "SERVICE_FAULT" },
    { series: "job_attempts", outcome: "SUCCEEDED" },
  ],
  ["SERVICE_FAULT", { outcome: "local" }, { outcome: "ok" }],
  [
    "RECONNECTS_REQUIRED",
    { series: "job_attempts", outcome: "FAILED", code: "RECONNECT_REQUIRED" },
    { series: "job_attempts", outcome: "SUCCEEDED" },
  ],
  [
    "API_CALLS_FAIL",
    { series: "api_calls", provider: "", outcome: "", code: "UPSTREAM_UNAVAILABLE" },
    { series: "api_calls", provider: "", outcome: "", code: "OK" },
  ],
];
/** Causes of the current state. */
const STATES = ["JOBS_STUCK", "SWEEP_LATE", "REGISTRATION_REFUSED", "APPLICATION_REFUSED", "EVENT_ENDPOINT_FAILS"];

test("every cause is tried for silence", () => {
  const tried = new Set([...RATES.map(([cause]) => cause), ...STATES, "QUOTA_USED_UP"]);
  expect([...tried].toSorted()).toEqual(INCIDENT_CAUSES.toSorted());
});

test.each(RATES)("silence ends no incident of %s (%o), and a success does", (cause, failure, success) => {
  const failed = counts(failure, 20);
  const worked = counts(success, 1).slice(0, 1);
  const [end] = worked.map((count) => ({ ...count, at: at(30 * 60), count: 500 }));
  let known: Incident[] = [];
  // As the minutes that are stored: those of the last 24 hours.
  for (const hours of [0.1, 1, 7, 20, 26, 29.9]) {
    const now = at(hours * 60);
    known = findRateIncidents(hours > 24 ? [] : failed, now, known);
    expect(known).toMatchObject([{ cause, begunAt: at(0), endedAt: null, failed: 100 }]);
  }
  const { id } = known[0] as Incident;
  known = findRateIncidents(end === undefined ? [] : [end], at(31.5 * 60), known);
  expect(known).toMatchObject([{ id, begunAt: at(0), endedAt: at(30 * 60) }]);
  expect(findRateIncidents(failed, at(32 * 60), known)).toEqual([]);
});

const OF_REGISTRATIONS = RATES.filter(([cause]) => cause !== "API_CALLS_FAIL");

test.each(OF_REGISTRATIONS)(
  "an incident of %s (%o) is of one registration of a provider",
  (cause, failure, success) => {
    const failed = counts(failure, 20);
    const worked = (registrationId: string, minute: number) => {
      const [count] = counts(success, 500);
      return count === undefined ? [] : [{ ...count, registrationId, at: at(minute) }];
    };
    const before = [...failed, ...worked("other", 0), ...worked("other", 4)];
    const found = findRateIncidents(before, at(5));
    // What works under the other one does not hide it.
    expect(found).toMatchObject([{ cause, registrationId: "r", provider: "PROVIDER_B", failed: 100, total: 100 }]);
    let known = findRateIncidents([...before, ...worked("other", 100)], at(200), found);
    expect(known).toMatchObject([{ id: found[0]?.id, endedAt: null }]);
    // Nor is a failure counted for the other one.
    const both = [...failed, ...failed.map((count) => ({ ...count, registrationId: "other" }))];
    const ofBoth = findRateIncidents(both, at(5));
    expect(ofBoth.map(({ registrationId, total }) => [registrationId, total])).toEqual([
      ["r", 100],
      ["other", 100],
    ]);
    known = findRateIncidents([...both, ...worked("r", 100)], at(200), ofBoth);
    expect(known.map(({ registrationId, endedAt }) => [registrationId, endedAt])).toEqual([
      ["r", at(100)],
      ["other", null],
    ]);
  },
);

test("a quota that is used up and a registration that is refused are of one registration of a provider", () => {
  const other = (from: number, until: number, used: number) =>
    use(from, until, used).map((minute) => ({ ...minute, registrationId: "other" }));
  const windows = new Map([
    ["r", "day"],
    ["other", "day"],
  ] as const);
  const found = findQuotaIncidents([...use(0, 10, 96), ...other(0, 30, 10)], windows, at(30));
  expect(found).toMatchObject([{ registrationId: "r", endedAt: null }]);
  const usedUp = findQuotaIncidents([...use(0, 10, 96), ...other(0, 10, 96), ...other(10, 30, 10)], windows, at(30));
  expect(usedUp.map(({ registrationId, endedAt }) => [registrationId, endedAt])).toEqual([
    ["r", null],
    ["other", at(10)],
  ]);

  const of = (id: string) => ({
    id,
    provider: "PROVIDER_A" as const,
    updatedAt: at(0),
    refusedSince: at(0),
    detail: null,
  });
  const refused = (...ids: string[]) => {
    const all = ids.map(of);
    return { oldestDueAt: null, sweeps: [], ...NONE_REFUSED, refusedRegistrations: all, refusedClients: all };
  };
  const known = findStateIncidents(refused("r", "other"), at(1));
  const left = findStateIncidents(refused("r"), at(2), known);
  expect(left.map(({ cause, registrationId, endedAt }) => [cause, registrationId, endedAt])).toEqual([
    ["REGISTRATION_REFUSED", "r", null],
    ["APPLICATION_REFUSED", "r", null],
    ["REGISTRATION_REFUSED", "other", at(2)],
    ["APPLICATION_REFUSED", "other", at(2)],
  ]);
});

test("an erasure ends no incident of reads", () => {
  const failed = job("FAILED", "UPSTREAM_RATE_LIMITED", 20);
  const erased = { ...(failed[0] as ServiceCount), outcome: "ERASED", code: "", at: at(100), count: 900 };
  expect(findRateIncidents([...failed, erased], at(400))).toMatchObject([{ cause: "JOBS_FAIL", endedAt: null }]);
});

test("a known incident becomes part of an outage that is found later", () => {
  const failed = job("FAILED", "UPSTREAM_UNAVAILABLE", 20);
  const known = findRateIncidents(failed, at(5));
  expect(known).toMatchObject([{ cause: "JOBS_FAIL" }]);
  const outage = findRateIncidents([...failed, ...counts({ outcome: "timeout" }, 20)], at(5), known);
  expect(outage).toMatchObject([{ cause: "PROVIDER_CALLS_FAIL" }]);
});

test("an ended outage hides what failed while it lasted, and nothing that fails after it", () => {
  const [late] = job("FAILED", "UPSTREAM_UNAVAILABLE", 20);
  const attempt = { series: "connect_attempts", outcome: "FAILED", code: "PROVIDER_UNAVAILABLE", at: at(-10) } as const;
  const [early] = counts(attempt, 20);
  const ofOutage = [...counts({ outcome: "timeout" }, 20), ...job("FAILED", "UPSTREAM_UNAVAILABLE", 20)];
  if (late === undefined || early === undefined) throw new Error("no counts");
  const answered = { ...late, series: "provider_calls", outcome: "http_4xx", code: "", at: at(10), count: 30 } as const;
  const during = [...ofOutage, early, answered, { ...late, at: at(10) }];
  const found = findRateIncidents(during, at(11));
  expect(found).toMatchObject([{ cause: "PROVIDER_CALLS_FAIL", endedAt: at(10) }]);
  const after = [...during, ...[60, 120, 180].map((minute) => ({ ...late, at: at(minute) }))];
  const ofJobs = { cause: "JOBS_FAIL", begunAt: at(60), endedAt: null, failed: 60 };
  expect(findRateIncidents(after, at(200), found)).toMatchObject([ofJobs]);
  // Also if it is found only then, and if its jobs were found before it.
  expect(findRateIncidents(after, at(200))).toMatchObject([{ endedAt: at(10) }, ofJobs]);
  const jobs = findRateIncidents(job("FAILED", "UPSTREAM_UNAVAILABLE", 20), at(5));
  expect(findRateIncidents(during, at(11), jobs)).toMatchObject([{ cause: "PROVIDER_CALLS_FAIL", endedAt: at(10) }]);
});

test("after the clock was set back, successes end an incident, and one that ended later does not hide another", () => {
  const shift = (all: readonly ServiceCount[], minutes: number) =>
    all.map((count) => ({ ...count, at: new Date(count.at.getTime() + minutes * 60_000) }));
  const failed = counts({ outcome: "timeout" }, 20);
  let known = findRateIncidents(failed, at(5));
  const [{ id } = { id: "" }] = known;
  // As every minute is looked at.
  for (const minute of [-180, -179]) known = findRateIncidents(failed, at(minute), known);
  expect(known).toMatchObject([{ id, endedAt: null, lastSeenAt: at(-180) }]);
  const worked = [...failed, ...shift(counts({}, 20), -178)];
  known = findRateIncidents(worked, at(-173), known);
  expect(known).toMatchObject([{ id, begunAt: at(-178), endedAt: at(-178) }]);
  const again = [...worked, ...shift(failed, -100)];
  const second = findRateIncidents(again, at(-95), known);
  expect(second).toMatchObject([{ begunAt: at(-100), endedAt: null }]);
  // One that ended later than now.
  const later = findRateIncidents([...failed, ...shift(counts({}, 20), 20)], at(25));
  expect(later).toMatchObject([{ id, endedAt: at(20) }]);
  expect(findRateIncidents(again, at(-95), later)).toMatchObject([{ begunAt: at(-100), endedAt: null }]);
  // The clock comes again to the minutes of the first.
  expect(findRateIncidents(failed, at(5), later)).toEqual([]);
  expect(findRateIncidents([...again, ...shift(counts({}, 20), -50)], at(5), [...known, ...second])).toMatchObject([
    { id: second[0]?.id, endedAt: at(-50) },
  ]);
  const state = { oldestDueAt: null, sweeps: [], ...NONE_REFUSED };
  const refusedClients = [{ id: "r", provider: "PROVIDER_C", refusedSince: at(0), detail: null }] as const;
  const refused = findStateIncidents({ ...state, refusedClients }, at(1));
  expect(findStateIncidents({ ...state, refusedClients }, at(-180), refused)).toMatchObject([{ endedAt: null }]);
});

test("silence ends no incident of a state, and its change does, at the time at which it is seen", () => {
  const provider = "PROVIDER_A";
  const state = {
    oldestDueAt: at(0),
    sweeps: [{ name: "deleteJobs", succeededAt: at(0) }],
    refusedRegistrations: [{ id: "r", provider, updatedAt: at(0) }],
    refusedClients: [{ id: "r", provider, refusedSince: at(0), detail: null }],
    failingEndpoints: [{ id: "e", clientSlug: "shop", failingSince: at(0), isOff: false }],
  } as const;
  let known: Incident[] = [];
  for (const hours of [4, 30, 100]) known = findStateIncidents(state, at(hours * 60), known);
  expect(known.map(({ cause, endedAt }) => [cause, endedAt])).toEqual(STATES.map((cause) => [cause, null]));
  // Another job waits: the same incident, from its beginning.
  const later = { ...state, oldestDueAt: at(100 * 60 - 20) };
  const [stuck] = findStateIncidents(later, at(100 * 60), known);
  expect(stuck).toMatchObject({ cause: "JOBS_STUCK", begunAt: at(10) });
  const gone = { oldestDueAt: null, sweeps: [], ...NONE_REFUSED };
  const over = findStateIncidents(gone, at(101 * 60), known);
  expect(over.map(({ id, endedAt }) => [id, endedAt])).toEqual(known.map(({ id }) => [id, at(101 * 60)]));
  expect(findStateIncidents(gone, at(102 * 60), over)).toEqual([]);
});
