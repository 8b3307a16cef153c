import type { SocialProvider } from "@social-connect/contract";
import { addMs } from "../time/time.ts";
import { ROLLUP_SERIES, type RollupSeries } from "./rollups.ts";
import { findSpells, minuteOf, type RateRule, type Spell } from "./spells.ts";

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
  /** Unique; unchanged while the incident continues. */
  readonly id: string;
  readonly cause: IncidentCause;
  readonly provider: SocialProvider | null;
  /** The code with which jobs or attempts fail, a provider's code and message, the name of a sweep, the budget of a quota, or the client of an endpoint. */
  readonly detail: string | null;
  /** The registration of the quota, or the refused one. */
  readonly registrationId: string | null;
  readonly begunAt: Date;
  readonly lastSeenAt: Date;
  /** null while it continues. */
  readonly endedAt: Date | null;
  /** How many of `total` failed; both are null for a cause that is not a rate. */
  readonly failed: number | null;
  readonly total: number | null;
}

const MINUTE_MS = 60_000;

/** A minute's count of the whole service. */
export interface ServiceCount {
  readonly series: RollupSeries;
  readonly at: Date;
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
  readonly isCounted: (count: ServiceCount) => boolean;
  /** The detail of a failure that someone can act on, "" without one; null for anything else. */
  readonly failure: (count: ServiceCount) => string | null;
}

/** Calls that never left, or that our own machine could not make or trust. */
const OWN_FAULTS: ReadonlySet<string> = new Set(["forbidden-destination", "local"]);
/** Failures of a provider that it answers with a rejection are not an outage: 4xx are our calls, 429 its limit. */
const NO_OUTAGE: ReadonlySet<string> = new Set(["ok", "http_4xx", "http_429", ...OWN_FAULTS]);
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
const failedWith = (codes: ReadonlySet<string>) => (count: ServiceCount) =>
  count.outcome === "FAILED" && codes.has(count.code) ? count.code : null;

const RATE_CAUSES: readonly RateCause[] = [
  {
    cause: "PROVIDER_CALLS_FAIL",
    series: ROLLUP_SERIES.providerCalls,
    rule: OFTEN,
    isCounted: () => true,
    failure: ({ outcome }) => (NO_OUTAGE.has(outcome) ? null : ""),
  },
  {
    cause: "CONNECT_ATTEMPTS_FAIL",
    series: ROLLUP_SERIES.connectAttempts,
    rule: FEW,
    // Users who did not finish say nothing about the others.
    isCounted: ({ outcome }) => outcome !== "EXPIRED" && outcome !== "CANCELED",
    failure: failedWith(ACTIONABLE_RESULTS),
  },
  {
    cause: "JOBS_FAIL",
    series: ROLLUP_SERIES.jobAttempts,
    rule: SELDOM,
    isCounted: isFinished,
    failure: failedWith(ACTIONABLE_ERRORS),
  },
  {
    cause: "JOBS_ERROR",
    series: ROLLUP_SERIES.jobAttempts,
    rule: { windowMinutes: 15, leastTotal: 4, leastFailed: 4, rate: 0.01 },
    isCounted: () => true,
    failure: ({ outcome }) => (outcome === "ERROR" ? "" : null),
  },
  {
    cause: "SERVICE_FAULT",
    series: ROLLUP_SERIES.jobAttempts,
    rule: ANY,
    isCounted: () => true,
    failure: ({ outcome, code }) => (outcome === "QUEUED" && code === "SERVICE_FAULT" ? "" : null),
  },
  {
    cause: "SERVICE_FAULT",
    series: ROLLUP_SERIES.providerCalls,
    rule: ANY,
    isCounted: () => true,
    failure: ({ outcome }) => (OWN_FAULTS.has(outcome) ? outcome : null),
  },
  {
    cause: "RECONNECTS_REQUIRED",
    series: ROLLUP_SERIES.jobAttempts,
    rule: SELDOM,
    isCounted: isFinished,
    failure: ({ outcome, code }) => (outcome === "FAILED" && code === "RECONNECT_REQUIRED" ? "" : null),
  },
  {
    cause: "API_CALLS_FAIL",
    series: ROLLUP_SERIES.apiCalls,
    rule: { windowMinutes: 10, leastTotal: 50, leastFailed: 5, rate: 0.02 },
    isCounted: () => true,
    failure: ({ code }) => (code === "UPSTREAM_UNAVAILABLE" ? "" : null),
  },
];

/** Incidents of rates, in no order. */
export function findRateIncidents(counts: readonly ServiceCount[], now: Date): Incident[] {
  const incidents = RATE_CAUSES.flatMap((cause) => {
    const counted = counts.filter((count) => count.series === cause.series && cause.isCounted(count));
    const providers = [...new Set(counts.map(({ provider }) => provider))];
    return providers.flatMap((provider) => {
      const own = counted.filter((count) => count.provider === provider);
      const details = [...new Set(own.flatMap((count) => cause.failure(count) ?? []))];
      return details.flatMap((detail) =>
        spellsOf(cause, own, detail, now).map((spell) => ({ provider, detail, spell, cause })),
      );
    });
  }).map(({ cause: { cause }, provider, detail, spell }): Incident => {
    const id = [cause, provider, detail, spell.begunAt.toISOString()].filter(Boolean).join(" ");
    const of = { provider: (provider || null) as SocialProvider | null, detail: detail || null, registrationId: null };
    return { id, cause, ...of, ...spell };
  });
  return incidents.filter((incident) => !isConsequence(incident, incidents));
}

function spellsOf({ rule, failure }: RateCause, counts: readonly ServiceCount[], detail: string, now: Date): Spell[] {
  const minutes = new Map<number, { at: Date; failed: number; total: number }>();
  for (const count of counts) {
    const minute = minutes.get(minuteOf(count.at)) ?? { at: count.at, failed: 0, total: 0 };
    minute.total += count.count;
    if (failure(count) === detail) minute.failed += count.count;
    minutes.set(minuteOf(count.at), minute);
  }
  return findSpells([...minutes.values()], rule, now);
}

/** An outage of a provider makes jobs and attempts fail. It is one cause, and one line. */
function isConsequence({ cause, provider, detail, begunAt, endedAt }: Incident, all: readonly Incident[]): boolean {
  const isOfOutage =
    (cause === "JOBS_FAIL" && detail === "UPSTREAM_UNAVAILABLE") ||
    (cause === "CONNECT_ATTEMPTS_FAIL" && detail === "PROVIDER_UNAVAILABLE");
  if (!isOfOutage) return false;
  return all.some(
    (outage) =>
      outage.cause === "PROVIDER_CALLS_FAIL" &&
      outage.provider === provider &&
      (outage.endedAt === null || outage.endedAt >= begunAt) &&
      (endedAt === null || outage.begunAt <= endedAt),
  );
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

export function findQuotaIncidents(minutes: readonly QuotaMinute[], now: Date): Incident[] {
  const budgets = new Map<string, QuotaMinute[]>();
  for (const minute of minutes) {
    const key = `${minute.registrationId} ${minute.budget}`;
    budgets.set(key, [...(budgets.get(key) ?? []), minute]);
  }
  return [...budgets.values()].flatMap((budget) => {
    const [{ registrationId, provider, budget: detail }] = budget as [QuotaMinute];
    const counts = budget.map(({ at, used, units }) => ({
      at,
      total: 1,
      failed: units - used < QUOTA_LEFT * units ? 1 : 0,
    }));
    return findSpells(counts, QUOTA_RULE, now).map(({ failed: _failed, total: _total, ...spell }): Incident => {
      const id = `QUOTA_USED_UP ${registrationId} ${detail} ${spell.begunAt.toISOString()}`;
      return { id, cause: "QUOTA_USED_UP", provider, detail, registrationId, ...spell, failed: null, total: null };
    });
  });
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

/** Incidents of the current state. They continue until the state has changed, and leave no history. */
export function findStateIncidents(current: CurrentState, now: Date): Incident[] {
  const { oldestDueAt, sweeps, refusedRegistrations, refusedClients, failingEndpoints } = current;
  const state = { provider: null, registrationId: null, failed: null, total: null, lastSeenAt: now, endedAt: null };
  const since = (cause: IncidentCause, detail: string | null, begunAt: Date): Incident[] =>
    begunAt > now ? [] : [{ ...state, id: `${cause} ${detail ?? ""}`.trim(), cause, detail, begunAt }];
  return [
    ...(oldestDueAt === null ? [] : since("JOBS_STUCK", null, addMs(oldestDueAt, STUCK_AFTER_MS))),
    ...sweeps.flatMap(({ name, succeededAt }) => since("SWEEP_LATE", name, addMs(succeededAt, SWEEP_LATE_AFTER_MS))),
    ...refusedRegistrations.map(({ id, provider, updatedAt }): Incident => {
      const of = { cause: "REGISTRATION_REFUSED", detail: null, provider, registrationId: id } as const;
      return { ...state, ...of, id: `REGISTRATION_REFUSED ${id}`, begunAt: updatedAt };
    }),
    ...refusedClients.map(({ id, provider, refusedSince, detail }): Incident => {
      const of = { cause: "APPLICATION_REFUSED", detail, provider, registrationId: id } as const;
      return { ...state, ...of, id: `APPLICATION_REFUSED ${id} ${refusedSince.toISOString()}`, begunAt: refusedSince };
    }),
    ...failingEndpoints.flatMap(({ id, clientSlug, failingSince, isOff }): Incident[] => {
      const begunAt = isOff ? failingSince : addMs(failingSince, ENDPOINT_FAILS_AFTER_MS);
      const detail = isOff ? `${clientSlug} (turned off)` : clientSlug;
      return begunAt > now
        ? []
        : [{ ...state, id: `EVENT_ENDPOINT_FAILS ${id}`, cause: "EVENT_ENDPOINT_FAILS", detail, begunAt }];
    }),
  ];
}

/** Continuing incidents first, then the latest. */
export function sortIncidents(incidents: readonly Incident[]): Incident[] {
  return incidents.toSorted((left, right) => {
    if ((left.endedAt === null) !== (right.endedAt === null)) return left.endedAt === null ? -1 : 1;
    return right.begunAt.getTime() - left.begunAt.getTime() || (left.id < right.id ? -1 : 1);
  });
}
