import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { addMs, type JobKind, KEY_EXPIRY_NOTICE_MS, type WaitReason } from "@social-connect/domain";
import { CONTENT_IS_OPEN } from "../modules/content/contentColumns.ts";
import { IS_FAILING } from "../modules/events/readEvents.ts";
import type { Service } from "../modules/service.ts";
import { readQuota } from "../providers/registration.ts";
import type { Observation } from "./metrics.ts";

/** The age from which the next scrape reads again. */
const REREAD_AFTER_MS = 15_000;

/** What the statement returns, as JSON from PostgreSQL. */
interface State {
  readonly oldestDue: string | null;
  readonly waiting: readonly {
    readonly kind: JobKind;
    readonly provider: SocialProvider;
    readonly waitReason: WaitReason | null;
    readonly count: number;
  }[];
  readonly sweeps: readonly {
    readonly name: string;
    readonly succeededAt: string | null;
    readonly isFailing: boolean;
    readonly remaining: number | null;
  }[];
  readonly grants: Readonly<Record<string, number>>;
  readonly oldestContent: string | null;
  readonly oldestProfile: string | null;
  readonly applicationKeys: number;
  readonly adminKeys: number;
  readonly waitingDeliveries: number;
  readonly failingEndpoints: number;
  readonly registrations: readonly {
    readonly id: string;
    readonly provider: SocialProvider;
    readonly quota: unknown;
    readonly isRefused: boolean;
    readonly budgets: readonly { readonly budget: string; readonly used: number }[] | null;
  }[];
}

/** The time since which the oldest due job waits: a new job or a retry. Two reads of an index. */
const OLDEST_DUE = `least(
  (SELECT created_at FROM job WHERE status = 'QUEUED' AND next_retry_at IS NULL ORDER BY created_at LIMIT 1),
  (SELECT next_retry_at FROM job WHERE status = 'QUEUED' AND next_retry_at <= $1 ORDER BY next_retry_at LIMIT 1))`;

const WAITING = `SELECT kind, provider, wait_reason AS "waitReason", count(*)::int AS count FROM (
  SELECT kind, provider, wait_reason FROM job WHERE status = 'QUEUED'
   ORDER BY next_retry_at, created_at LIMIT 10000) AS job GROUP BY kind, provider, wait_reason`;

/** Counts up to 10,000 entries of the index; beyond, PostgreSQL's estimate, which autovacuum keeps. */
function grantsOf(status: string): string {
  return `(SELECT CASE WHEN counted < 10000 THEN counted ELSE greatest(counted, (
      SELECT round(c.reltuples * coalesce(s.most_common_freqs[array_position(s.most_common_vals::text::text[], '${status}')], 0))
        FROM pg_class c LEFT JOIN pg_stats s
          ON s.schemaname = 'public' AND s.tablename = 'provider_grant' AND s.attname = 'status'
       WHERE c.oid = 'provider_grant'::regclass)::bigint) END
    FROM (SELECT count(*) AS counted FROM (
      SELECT 1 FROM provider_grant WHERE status = '${status}' ORDER BY created_at LIMIT 10000) AS entries) AS counts)`;
}

/** Budgets of the current window that applications share. Those of accounts are as many as accounts. */
const REGISTRATIONS = `SELECT r.id, r.provider, r.quota, (r.refused_since IS NOT NULL OR r.call_refusals <> '{}') AS "isRefused", (
    SELECT json_agg(json_build_object('budget', q.budget, 'used', q.used)) FROM (
      SELECT budget, used FROM provider_quota
       WHERE coalesce(r.quota->>'per', CASE WHEN r.provider::text = ANY ($3) THEN 'account' END) IS DISTINCT FROM 'account'
         AND registration_id = r.id AND window_start <= $1 AND window_ends_at > $1
       LIMIT 50) AS q) AS budgets
  FROM provider_registration r WHERE r.status IN ('PUBLISHED', 'PAUSED') ORDER BY r.id LIMIT 100`;

/** One statement for all values, so that they have the same time. Each part reads a bounded number of rows. */
export const STATE = `SELECT json_build_object(
  'oldestDue', ${OLDEST_DUE},
  'waiting', (SELECT coalesce(json_agg(w), '[]') FROM (${WAITING}) AS w),
  'sweeps', (SELECT coalesce(json_agg(json_build_object('name', name, 'succeededAt', succeeded_at,
      'isFailing', error IS NOT NULL, 'remaining', remaining)), '[]') FROM sweep_state),
  'grants', json_build_object(${["PENDING", "ACTIVE", "GONE"].map((status) => `'${status}', ${grantsOf(status)}`).join(", ")}),
  'oldestContent', (SELECT observed_since FROM content_item
     WHERE ${CONTENT_IS_OPEN} AND observed_since > '-infinity' ORDER BY observed_since LIMIT 1),
  'oldestProfile', (SELECT min(profile_observed_at) FROM connection),
  'applicationKeys', (SELECT count(*) FROM (SELECT 1 FROM application_key
     WHERE revoked_at IS NULL AND expires_at > $1 AND expires_at <= $2 LIMIT 1000) AS expiring),
  'adminKeys', (SELECT count(*) FROM (SELECT 1 FROM admin_api_key
     WHERE revoked_at IS NULL AND expires_at > $1 AND expires_at <= $2 LIMIT 1000) AS expiring),
  'waitingDeliveries', (SELECT count(*) FROM (SELECT 1 FROM event_delivery WHERE status = 'WAITING' LIMIT 10000) AS waiting),
  'failingEndpoints', (SELECT count(*) FROM (SELECT 1 FROM event_endpoint WHERE ${IS_FAILING} LIMIT 1000) AS failing),
  'registrations', (SELECT coalesce(json_agg(r), '[]') FROM (${REGISTRATIONS}) AS r)) AS state`;

type StateService = Pick<Service, "reads" | "clock" | "logger" | "provider">;

/**
 * Reads the metrics of the database's state, at most every 15 seconds however often they are scraped. If that fails, they
 * are absent: an old value would hide the failure.
 */
export function observeDatabase(service: StateService, monotonicMs = () => performance.now()) {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let latest: Promise<readonly Observation[]> = Promise.resolve([]);
  return (): Promise<readonly Observation[]> => {
    if (monotonicMs() - readAtMs >= REREAD_AFTER_MS) {
      readAtMs = monotonicMs();
      latest = readState(service).then(
        (observations) => [...observations, success(1)],
        (error: unknown) => {
          service.logger.warn({ err: error }, "the metrics of the database's state could not be read");
          return [success(0)];
        },
      );
    }
    return latest;
  };
}

function observations(state: State, now: Date, provider: Service["provider"]): Observation[] {
  const ageOf = (time: string | null) => (time === null ? 0 : Math.max(0, now.getTime() - Date.parse(time)) / 1_000);
  const { applicationKeys, adminKeys, waitingDeliveries, failingEndpoints } = state;
  return [
    { name: "social_connect_oldest_waiting_job_age_seconds", value: ageOf(state.oldestDue), labels: {} },
    ...state.waiting.map(({ kind, provider: of, waitReason, count }): Observation => {
      const labels = { kind, provider: of, wait_reason: waitReason ?? "" };
      return { name: "social_connect_jobs_waiting", value: count, labels };
    }),
    ...state.sweeps.flatMap(sweepObservations),
    ...Object.entries(state.grants).map(
      ([status, value]): Observation => ({ name: "social_connect_grants", value, labels: { status } }),
    ),
    ...[["content", state.oldestContent] as const, ["profile", state.oldestProfile] as const].map(
      ([of, time]): Observation => ({
        name: "social_connect_oldest_observation_age_seconds",
        value: ageOf(time),
        labels: { of },
      }),
    ),
    { name: "social_connect_keys_expiring", value: applicationKeys, labels: { of: "application" } },
    { name: "social_connect_keys_expiring", value: adminKeys, labels: { of: "admin" } },
    { name: "social_connect_event_deliveries_waiting", value: waitingDeliveries, labels: {} },
    { name: "social_connect_event_endpoints_failing", value: failingEndpoints, labels: {} },
    ...state.registrations.flatMap(({ id: registration, provider: of, isRefused }): Observation[] =>
      isRefused
        ? [{ name: "social_connect_application_refused", value: 1, labels: { provider: of, registration } }]
        : [],
    ),
    ...state.registrations.flatMap((registration) => quotaObservations(registration, provider)),
  ];
}

function sweepObservations({ name: sweep, succeededAt, isFailing, remaining }: State["sweeps"][number]): Observation[] {
  const value = succeededAt === null ? 0 : Date.parse(succeededAt) / 1_000;
  return [
    { name: "social_connect_sweep_last_success_timestamp_seconds", value, labels: { sweep } },
    { name: "social_connect_sweep_failing", value: isFailing ? 1 : 0, labels: { sweep } },
    // null: the rows could not be counted.
    ...(remaining === null
      ? []
      : [{ name: "social_connect_sweep_backlog", value: remaining, labels: { sweep } } as const]),
  ];
}

function quotaObservations(
  { id: registration, provider: of, quota, budgets }: State["registrations"][number],
  provider: Service["provider"],
): Observation[] {
  const { units, per } = readQuota(provider(of).traits.quota, quota);
  if (per === "account") return [];
  const used = new Map((budgets ?? []).map((each) => [each.budget, each.used]));
  if (per === "client") used.set("client", used.get("client") ?? 0);
  return [...used].flatMap(([budget, taken]): Observation[] => {
    const labels = { provider: of, registration, budget };
    return [
      { name: "social_connect_provider_quota_units", value: units, labels },
      { name: "social_connect_provider_quota_units_left", value: Math.max(0, units - taken), labels },
    ];
  });
}

function success(value: 0 | 1): Observation {
  return { name: "social_connect_state_read", value, labels: {} };
}

async function readState({ reads, clock, provider }: StateService): Promise<Observation[]> {
  const now = await clock.now();
  const { rows } = await reads.pool.query<{ state: State }>({
    name: "observability.state",
    text: STATE,
    values: [
      now,
      addMs(now, KEY_EXPIRY_NOTICE_MS),
      SOCIAL_PROVIDERS.filter((each) => provider(each).traits.quota.per === "account"),
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("The statement returned no row.");
  return observations(row.state, now, provider);
}
