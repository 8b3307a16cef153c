/**
 * What the service counts per minute and per hour. An event is counted where it is logged; a state is read once a minute
 * or once an hour.
 */
export const ROLLUP_SERIES = {
  /** Requests to the API. `kind` is the interface, `code` is `OK` or that of the first error. */
  apiCalls: "api_calls",
  /** Requests to the consumer API by library (`kind`) and version (`code`). By hour only. */
  clientVersions: "client_versions",
  /** Connect attempts that ended, by the time at which they began. `outcome` is the status, `code` the result code. */
  connectAttempts: "connect_attempts",
  /** Attempts at jobs. `outcome` is the job's status after it, `code` its error code or what it waits for. */
  jobAttempts: "job_attempts",
  /** Calls to providers. `kind` is the endpoint, `outcome` the result. */
  providerCalls: "provider_calls",
  /** Units of a budget that were used in its current window. `kind` is the budget. A state. */
  quotaUsed: "quota_used",
  /** Units of the budget. A state. */
  quotaUnits: "quota_units",
  /** Connections. `outcome` is their status. A state. */
  connections: "connections",
} as const;

export type RollupSeries = (typeof ROLLUP_SERIES)[keyof typeof ROLLUP_SERIES];

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_MS = 86_400_000;

export const ROLLUP_SECONDS = { minute: MINUTE_SECONDS, hour: HOUR_SECONDS } as const;
export type RollupSeconds = (typeof ROLLUP_SECONDS)[keyof typeof ROLLUP_SECONDS];

/** How long buckets are stored. The longest chart of each length fits, with a margin for its first bucket. */
export const ROLLUP_KEPT_MS = { minute: 2 * DAY_MS, hour: 35 * DAY_MS } as const;

export function bucketOf(at: Date, seconds: number): Date {
  const ms = seconds * 1_000;
  return new Date(Math.floor(at.getTime() / ms) * ms);
}

/** The ranges of the charts, and the length of their steps: at most about 120 points. */
export const ACTIVITY_RANGES = {
  HOUR: { rangeMs: 3_600_000, stepSeconds: 60, source: MINUTE_SECONDS },
  DAY: { rangeMs: DAY_MS, stepSeconds: 900, source: MINUTE_SECONDS },
  WEEK: { rangeMs: 7 * DAY_MS, stepSeconds: 2 * HOUR_SECONDS, source: HOUR_SECONDS },
  MONTH: { rangeMs: 30 * DAY_MS, stepSeconds: 6 * HOUR_SECONDS, source: HOUR_SECONDS },
} as const;

export type ActivityRange = keyof typeof ACTIVITY_RANGES;

/** The first and the last step of a range. The last one is not complete yet. */
export function stepsOf(range: ActivityRange, now: Date): { readonly from: Date; readonly last: Date } {
  const { rangeMs, stepSeconds } = ACTIVITY_RANGES[range];
  const last = bucketOf(now, stepSeconds);
  return { from: new Date(last.getTime() + stepSeconds * 1_000 - rangeMs), last };
}
