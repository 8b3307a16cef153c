import type { SocialProvider } from "@social-connect/contract";
import { earlier } from "../jobs/backgroundReads.ts";
import type { ProviderQuota } from "../providers/providerTraits.ts";
import { quotaWindow } from "../providers/quotaWindow.ts";
import { addMs } from "../time/time.ts";
import { ROLLUP_SERIES, type RollupSeries } from "./rollups.ts";
import { findSpells, type MinuteCount, minuteOf, type RateRule, type Spell } from "./spells.ts";

export const INCIDENT_CAUSES = [
  "PROVIDER_CALLS_FAIL",
  "CONNECT_ATTEMPTS_FAIL",
  "JOBS_FAIL",
  "JOBS_ERROR",
  "SERVICE_FAULT",
  "RECONNECTS_REQUIRED",
  "API_CALLS_FAIL",
  "QUOTA_USED_UP",
  "JOBS_STUCK",
  "SWEEP_LATE",
  "REGISTRATION_REFUSED",
  "APPLICATION_REFUSED",
  "EVENT_ENDPOINT_FAILS",
] as const;
export type IncidentCause = (typeof INCIDENT_CAUSES)[number];

/** A problem with one cause that someone can act on. */
export interface Incident {
  /** Unique; unchanged while the incident continues. What it concerns, and when it began. */
  readonly id: string;
  readonly cause: IncidentCause;
  readonly provider: SocialProvider | null;
  /** The code with which jobs or attempts fail, a provider's code and message, the name of a sweep, the budget of a quota, or the client of an endpoint. */
  readonly detail: string | null;
  /** The registration under which it fails; null for one of the whole service. */
  readonly registrationId: string | null;
  readonly begunAt: Date;
  readonly lastSeenAt: Date;
  /** null while it continues. */
  readonly endedAt: Date | null;
  /** How many of `total` failed; both are null for a cause that is not a rate. */
  readonly failed: number | null;
  readonly total: number | null;
  /** The latest failure as the provider described it; null or absent if none was noted. */
  readonly answer?: string | null;
}

const MINUTE_MS = 60_000;

/** A minute's count. The outcome of an erasure that succeeded is `ERASED`: it says nothing about reads. */
export interface ServiceCount {
  readonly series: RollupSeries;
  readonly at: Date;
  /** null for calls of applications. */
  readonly registrationId: string | null;
  /** The one of the registration; empty without one. */
  readonly provider: string;
  readonly outcome: string;
  readonly code: string;
  readonly count: number;
}

const OFTEN: RateRule = { windowMinutes: 10, leastTotal: 20, leastFailed: 5, rate: 0.1 };
const SELDOM: RateRule = { windowMinutes: 60, leastTotal: 20, leastFailed: 5, rate: 0.1 };
/** There are far fewer attempts than calls. */
const FEW: RateRule = { windowMinutes: 60, leastTotal: 5, leastFailed: 3, rate: 0.3 };

interface RateCause {
  readonly cause: IncidentCause;
  readonly series: RollupSeries;
  readonly rule: RateRule;
  /** Without it, every count is. */
  readonly isCounted?: (count: ServiceCount) => boolean;
  /** Each is a separate incident. */
  readonly details?: Iterable<string>;
  /** The detail of a failure that someone can act on, "" for a cause without details; null for anything else. */
  readonly failure: (count: ServiceCount) => string | null;
  /** What shows that it works again. Only this ends an incident. */
  readonly isSuccess: (count: ServiceCount) => boolean;
}

/** Calls that never left, or that our own machine could not make or trust. */
const OWN_FAULTS: ReadonlySet<string> = new Set(["forbidden-destination", "local"]);
/** Failures of a provider that it answers with a rejection are not an outage: 4xx are our calls, 429 its limit. */
const ANSWERED: ReadonlySet<string> = new Set(["ok", "http_4xx", "http_429"]);
/** A single fault of the service is an incident. */
const ANY: RateRule = { windowMinutes: 15, leastTotal: 1, leastFailed: 1, rate: 0.001 };
/** Failed attempts and jobs that the operator or the provider can resolve. The others are expected, or users resolve them. */
const ACTIONABLE_RESULTS: ReadonlySet<string> = new Set([
  "APPLICATION_DISABLED",
  "PROVIDER_ERROR",
  "NOT_A_TESTER",
  "EXCHANGE_FAILED",
  "PROVIDER_UNAVAILABLE",
  "POLICY_CHANGED",
]);
const ACTIONABLE_ERRORS: ReadonlySet<string> = new Set([
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "AUTHORIZATION_SUSPENDED",
  "CAPABILITY_UNAVAILABLE",
]);

const isFinished = ({ outcome }: ServiceCount) => outcome === "SUCCEEDED" || outcome === "FAILED";
const hasSucceeded = ({ outcome }: ServiceCount) => outcome === "SUCCEEDED";
/** Also an attempt that ended as it should, with whatever result. */
const IN_ORDER: ReadonlySet<string> = new Set(["SUCCEEDED", "QUEUED", "FAILED", "ERASED"]);
const failedWith = (codes: ReadonlySet<string>) => (count: ServiceCount) =>
  count.outcome === "FAILED" && codes.has(count.code) ? count.code : null;

const RATE_CAUSES: readonly RateCause[] = [
  {
    cause: "PROVIDER_CALLS_FAIL",
    series: ROLLUP_SERIES.providerCalls,
    rule: OFTEN,
    failure: ({ outcome }) => (ANSWERED.has(outcome) || OWN_FAULTS.has(outcome) ? null : ""),
    isSuccess: ({ outcome }) => ANSWERED.has(outcome),
  },
  {
    cause: "CONNECT_ATTEMPTS_FAIL",
    series: ROLLUP_SERIES.connectAttempts,
    rule: FEW,
    // Users who did not finish say nothing about the others.
    isCounted: ({ outcome }) => outcome !== "EXPIRED" && outcome !== "CANCELED",
    details: ACTIONABLE_RESULTS,
    failure: failedWith(ACTIONABLE_RESULTS),
    isSuccess: ({ outcome }) => outcome === "COMPLETED",
  },
  {
    cause: "JOBS_FAIL",
    series: ROLLUP_SERIES.jobAttempts,
    rule: SELDOM,
    isCounted: isFinished,
    details: ACTIONABLE_ERRORS,
    failure: failedWith(ACTIONABLE_ERRORS),
    isSuccess: hasSucceeded,
  },
  {
    cause: "JOBS_ERROR",
    series: ROLLUP_SERIES.jobAttempts,
    rule: { windowMinutes: 15, leastTotal: 4, leastFailed: 4, rate: 0.01 },
    failure: ({ outcome }) => (outcome === "ERROR" ? "" : null),
    isSuccess: ({ outcome }) => IN_ORDER.has(outcome),
  },
  {
    cause: "SERVICE_FAULT",
    series: ROLLUP_SERIES.jobAttempts,
    rule: ANY,
    failure: ({ outcome, code }) => (outcome === "QUEUED" && code === "SERVICE_FAULT" ? "" : null),
    isSuccess: ({ outcome }) => outcome === "SUCCEEDED" || outcome === "ERASED",
  },
  {
    cause: "SERVICE_FAULT",
    series: ROLLUP_SERIES.providerCalls,
    rule: ANY,
    details: OWN_FAULTS,
    failure: ({ outcome }) => (OWN_FAULTS.has(outcome) ? outcome : null),
    isSuccess: ({ outcome }) => ANSWERED.has(outcome) || outcome === "http_5xx",
  },
  {
    cause: "RECONNECTS_REQUIRED",
    series: ROLLUP_SERIES.jobAttempts,
    rule: SELDOM,
    isCounted: isFinished,
    failure: ({ outcome, code }) => (outcome === "FAILED" && code === "RECONNECT_REQUIRED" ? "" : null),
    isSuccess: hasSucceeded,
  },
  {
    cause: "API_CALLS_FAIL",
    series: ROLLUP_SERIES.apiCalls,
    rule: { windowMinutes: 10, leastTotal: 50, leastFailed: 5, rate: 0.02 },
    failure: ({ code }) => (code === "UPSTREAM_UNAVAILABLE" ? "" : null),
    isSuccess: ({ code }) => code === "OK",
  },
];

/**
 * Incidents of rates, in no order. What fails and what works under one registration says nothing about another of the same
 * provider. `known` are those that were found before: they continue until a success, however long nothing was counted; the ended
 * ones are not returned again.
 */
export function findRateIncidents(
  counts: readonly ServiceCount[],
  now: Date,
  known: readonly Incident[] = [],
): Incident[] {
  const ofOutages = RATE_CAUSES.filter(({ cause }) => cause === "PROVIDER_CALLS_FAIL");
  const outages = findByRate(ofOutages, counts, now, known);
  const others = RATE_CAUSES.filter((cause) => !ofOutages.includes(cause));
  return [...outages, ...findByRate(others, counts, now, known, [...outages, ...known.filter(isEndedOutage)])];
}

function isEndedOutage({ cause, endedAt }: Incident): boolean {
  return cause === "PROVIDER_CALLS_FAIL" && endedAt !== null;
}

/** Without what is a part of one of the `outages`. */
function findByRate(
  causes: readonly RateCause[],
  counts: readonly ServiceCount[],
  now: Date,
  known: readonly Incident[],
  outages: readonly Incident[] = [],
): Incident[] {
  const providers = new Map([...counts, ...known].map(({ registrationId, provider }) => [registrationId, provider]));
  return causes.flatMap((cause) => {
    const counted = counts.filter((count) => count.series === cause.series && (cause.isCounted?.(count) ?? true));
    return [...providers].flatMap(([registrationId, provider]) => {
      const own = counted.filter((count) => count.registrationId === registrationId);
      const ownOutages = outages.filter((outage) => outage.registrationId === registrationId);
      return [...(cause.details ?? [""])].flatMap((detail) => {
        const key = [cause.cause, registrationId, detail].filter(Boolean).join(" ");
        const of = { cause: cause.cause, registrationId, detail: detail || null };
        const ofProvider = { provider: registrationId === null ? null : (provider as SocialProvider) };
        const whole = isOfOutage(of) ? ownOutages : [];
        const isPart = (at: Date) => whole.some((outage) => hasHappenedIn(outage, at));
        const rest = own.filter((count) => cause.failure(count) !== detail || !isPart(count.at));
        const latest = latestOf(known, key, now);
        const spells = spellsOf(cause, rest, detail, now, latest !== null && isPart(latest.begunAt) ? null : latest);
        const found = spells.map(
          (spell): Incident => ({ ...of, ...ofProvider, id: idOf(key, spell), ...datesOf(spell) }),
        );
        return found.filter(
          (incident) => isNew(incident, known) && !whole.some((outage) => overlaps(outage, incident)),
        );
      });
    });
  });
}

/** An outage of a provider makes jobs and attempts fail. It is one cause, and one line. */
function isOfOutage({ cause, detail }: Pick<Incident, "cause" | "detail">): boolean {
  if (cause === "JOBS_FAIL") return detail === "UPSTREAM_UNAVAILABLE";
  return cause === "CONNECT_ATTEMPTS_FAIL" && detail === "PROVIDER_UNAVAILABLE";
}

/** An attempt that an outage makes fail is counted in the minute in which it began. */
const ATTEMPT_MS = 15 * MINUTE_MS;

/** Whether a failure in a minute is a part of an outage that has ended. What fails after it is not. */
function hasHappenedIn({ begunAt, endedAt }: Incident, at: Date): boolean {
  return endedAt !== null && at >= addMs(begunAt, -ATTEMPT_MS) && at <= endedAt;
}

/** Whether an incident is a part of an outage that continues. */
function overlaps(outage: Incident, { endedAt }: Incident): boolean {
  return outage.endedAt === null && (endedAt === null || outage.begunAt <= endedAt);
}

/** A clock that was set back comes again to minutes in which one that has ended was found. */
function isNew({ id }: Incident, known: readonly Incident[]): boolean {
  return known.every((incident) => incident.id !== id || incident.endedAt === null);
}

/** A clock that was set back can end one before it began. */
function datesOf(spell: Spell): Spell {
  const { begunAt, endedAt } = spell;
  return { ...spell, begunAt: endedAt !== null && endedAt < begunAt ? endedAt : begunAt };
}

/** Unique also among ended incidents with the same key. */
function idOf(key: string, { begunAt }: Pick<Incident, "begunAt">): string {
  return `${key} ${begunAt.toISOString()}`;
}

/** What an incident concerns: of incidents with the same key at most one continues. */
export function incidentKey({ id, begunAt }: Pick<Incident, "id" | "begunAt">): string {
  return id.slice(0, -idOf("", { begunAt }).length);
}

/** The one that continues, or the one that ended last. What ended later than now, by a clock that was set back, does not count. */
function latestOf(known: readonly Incident[], key: string, now: Date): Incident | null {
  const same = known.filter((incident) => incidentKey(incident) === key);
  const ended = same.filter(({ endedAt }) => endedAt !== null && endedAt <= now);
  const [last = null] = ended.toSorted((left, right) => Number(right.endedAt) - Number(left.endedAt));
  return same.find(({ endedAt }) => endedAt === null) ?? last;
}

function spellsOf(
  { rule, failure, isSuccess }: RateCause,
  counts: readonly ServiceCount[],
  detail: string,
  now: Date,
  known: Incident | null,
): Spell[] {
  if (known === null && !counts.some((count) => failure(count) === detail)) return [];
  const minutes = new Map<number, { at: Date; failed: number; succeeded: number; total: number }>();
  for (const count of counts) {
    const minute = minutes.get(minuteOf(count.at)) ?? { at: count.at, failed: 0, succeeded: 0, total: 0 };
    minute.total += count.count;
    if (failure(count) === detail) minute.failed += count.count;
    if (isSuccess(count)) minute.succeeded += count.count;
    minutes.set(minuteOf(count.at), minute);
  }
  return findSpells([...minutes.values()], rule, now, known && { ...known, ...numbersOf(known) });
}

function numbersOf({ failed, total }: Incident): Pick<Spell, "failed" | "total"> {
  return { failed: failed ?? 0, total: total ?? 0 };
}

export interface QuotaMinute {
  readonly registrationId: string;
  readonly provider: SocialProvider;
  readonly budget: string;
  readonly at: Date;
  readonly used: number;
  readonly units: number;
}

/** A budget of which at most 5 % is left, for five minutes: a budget of one minute can be used up and full again. */
const QUOTA_RULE: RateRule = { windowMinutes: 5, leastTotal: 5, leastFailed: 5, rate: 1 };
const QUOTA_LEFT = 0.05;

/** As `findRateIncidents`. `windows` are those of the registrations: a budget is full again when its window ends. */
export function findQuotaIncidents(
  minutes: readonly QuotaMinute[],
  windows: ReadonlyMap<string, ProviderQuota["window"]>,
  now: Date,
  known: readonly Incident[] = [],
): Incident[] {
  const keyOf = (registrationId: string, budget: string) => `QUOTA_USED_UP ${registrationId} ${budget}`;
  const budgets = new Map<string, QuotaBudget>();
  for (const { registrationId, detail, provider, cause, endedAt } of known) {
    if (cause !== "QUOTA_USED_UP" || registrationId === null || detail === null || endedAt !== null) continue;
    budgets.set(keyOf(registrationId, detail), { registrationId, provider, detail, minutes: [] });
  }
  for (const minute of minutes) {
    const { registrationId, provider, budget: detail } = minute;
    const key = keyOf(registrationId, detail);
    const before = budgets.get(key)?.minutes ?? [];
    budgets.set(key, { registrationId, provider, detail, minutes: [...before, minute] });
  }
  return [...budgets].flatMap(([key, { minutes: own, ...of }]) => {
    const latest = latestOf(known, key, now);
    const counts = withResets(own, windows.get(of.registrationId) ?? "day", now, latest);
    const spells = findSpells(counts, QUOTA_RULE, now, latest && { ...latest, ...numbersOf(latest) });
    const found = spells.map((spell): Incident => {
      return { id: idOf(key, spell), cause: "QUOTA_USED_UP", ...of, ...datesOf(spell), failed: null, total: null };
    });
    return found.filter((incident) => isNew(incident, known));
  });
}

interface QuotaBudget extends Pick<Incident, "provider"> {
  readonly registrationId: string;
  readonly detail: string;
  readonly minutes: readonly QuotaMinute[];
}

/** The minutes in which a budget was used up or not, with those in which its windows ended. */
function withResets(
  minutes: readonly QuotaMinute[],
  window: ProviderQuota["window"],
  now: Date,
  known: Incident | null,
): MinuteCount[] {
  const stored = minutes.map(({ at, used, units }): MinuteCount => {
    const failed = units - used < QUOTA_LEFT * units ? 1 : 0;
    return { at, failed, succeeded: 1 - failed, total: 1 };
  });
  const times = [...stored.map(({ at }) => at), ...(known === null ? [] : [addMs(known.lastSeenAt, -1)])];
  const ends = times.map((at) => quotaWindow(window, at).endsAt).filter((at) => at <= now);
  // What was stored of a minute replaces it.
  return [...ends.map((at) => ({ at, failed: 0, succeeded: 1, total: 1 })), ...stored];
}

/** How long a due job may wait for a worker, and a sweep for its success; the same as in the alert rules. */
export const STUCK_AFTER_MS = 10 * MINUTE_MS;
export const SWEEP_LATE_AFTER_MS = 3 * 60 * MINUTE_MS;
/** How long an endpoint for events may fail; the same as in the alert rule. */
export const ENDPOINT_FAILS_AFTER_MS = 5 * MINUTE_MS;

export interface CurrentState {
  /** Since when the job is due that waits longest for a worker; null without one. */
  readonly oldestDueAt: Date | null;
  readonly sweeps: readonly { readonly name: string; readonly succeededAt: Date }[];
  /** Those whose client secret cannot be used, with their last change by the service. */
  readonly refusedRegistrations: readonly RefusedRegistration[];
  readonly refusedClients: readonly RefusedClient[];
  readonly failingEndpoints: readonly FailingEndpoint[];
}

export interface FailingEndpoint {
  readonly id: string;
  readonly clientSlug: string;
  readonly failingSince: Date;
  /** The service has turned it off. */
  readonly isOff: boolean;
}

export interface RefusedClient {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly refusedSince: Date;
  /** The provider's code and message, if it refuses most connections with a code that we do not know. */
  readonly detail: string | null;
}

export interface RefusedRegistration {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly updatedAt: Date;
}

/**
 * Incidents of the current state, in no order. They continue until the state has changed. `known` are those that were found before:
 * one whose state has changed since ends now.
 */
export function findStateIncidents(current: CurrentState, now: Date, known: readonly Incident[] = []): Incident[] {
  const continuing = known.filter(({ cause, endedAt }) => STATE_CAUSES.has(cause) && endedAt === null);
  const found = statesOf(current, now).map(({ key, ...incident }): Incident => {
    const { begunAt } = latestOf(continuing, key, now) ?? incident;
    return { ...incident, id: idOf(key, { begunAt }), begunAt, lastSeenAt: now, endedAt: null };
  });
  const ids = new Set(found.map(({ id }) => id));
  const over = continuing.filter(({ id }) => !ids.has(id));
  return [...found, ...over.map((incident) => ({ ...incident, endedAt: now }))];
}

/** Whether it is stored for the history. A worker that stops would leave a late sweep for each sweep. */
export function isStoredIncident({ cause }: Pick<Incident, "cause">): boolean {
  return cause !== "SWEEP_LATE";
}

const STATE_CAUSES: ReadonlySet<IncidentCause> = new Set([
  "JOBS_STUCK",
  "SWEEP_LATE",
  "REGISTRATION_REFUSED",
  "APPLICATION_REFUSED",
  "EVENT_ENDPOINT_FAILS",
]);

type State = Omit<Incident, "id" | "lastSeenAt" | "endedAt"> & { readonly key: string };

function statesOf(current: CurrentState, now: Date): State[] {
  const { oldestDueAt, sweeps, refusedRegistrations, refusedClients, failingEndpoints } = current;
  const state = { provider: null, detail: null, registrationId: null, failed: null, total: null };
  const states: State[] = [
    ...(oldestDueAt === null
      ? []
      : [{ ...state, key: "JOBS_STUCK", cause: "JOBS_STUCK", begunAt: addMs(oldestDueAt, STUCK_AFTER_MS) } as const]),
    ...sweeps.map(({ name, succeededAt }): State => {
      const begunAt = addMs(succeededAt, SWEEP_LATE_AFTER_MS);
      return { ...state, key: `SWEEP_LATE ${name}`, cause: "SWEEP_LATE", detail: name, begunAt };
    }),
    ...refusedRegistrations.map(({ id, provider, updatedAt }): State => {
      const of = { cause: "REGISTRATION_REFUSED", provider, registrationId: id } as const;
      return { ...state, ...of, key: `REGISTRATION_REFUSED ${id}`, begunAt: earlier(updatedAt, now) };
    }),
    ...refusedClients.map(({ id, provider, refusedSince, detail }): State => {
      const of = { cause: "APPLICATION_REFUSED", detail, provider, registrationId: id } as const;
      return { ...state, ...of, key: `APPLICATION_REFUSED ${id}`, begunAt: earlier(refusedSince, now) };
    }),
    ...failingEndpoints.map(({ id, clientSlug, failingSince, isOff }): State => {
      const begunAt = isOff ? failingSince : addMs(failingSince, ENDPOINT_FAILS_AFTER_MS);
      const detail = isOff ? `${clientSlug} (turned off)` : clientSlug;
      return { ...state, key: `EVENT_ENDPOINT_FAILS ${id}`, cause: "EVENT_ENDPOINT_FAILS", detail, begunAt };
    }),
  ];
  return states.filter(({ begunAt }) => begunAt <= now);
}

/** Continuing incidents first, then the latest. */
export function sortIncidents(incidents: readonly Incident[]): Incident[] {
  return incidents.toSorted((left, right) => {
    if ((left.endedAt === null) !== (right.endedAt === null)) return left.endedAt === null ? -1 : 1;
    return right.begunAt.getTime() - left.begunAt.getTime() || (left.id < right.id ? -1 : 1);
  });
}
