import {
  bucketOf,
  type QuotaMinute,
  ROLLUP_SECONDS,
  ROLLUP_SERIES,
  type RollupSeconds,
  type RollupSeries,
  type ServiceCount,
} from "@social-connect/domain";
import type { Pool } from "pg";
import type { Count } from "./rollupCounts.ts";

/** The owner of what is counted for the whole service without a registration. */
export const WHOLE_SERVICE = "00000000-0000-0000-0000-000000000000";

export interface RollupRow {
  readonly series: RollupSeries;
  readonly seconds: RollupSeconds;
  readonly ownerId: string;
  readonly startsAt: Date;
  readonly provider: string;
  readonly kind: string;
  readonly outcome: string;
  readonly code: string;
  readonly count: number;
}

/** The rows of counts of one time: per minute and per hour, by client, and by registration or for the whole service. */
export function rowsOf(counts: readonly Count[], at: Date): RollupRow[] {
  return sumRows(
    counts.flatMap(({ applicationId, registrationId, ...count }) =>
      lengthsOf(count.series).flatMap((seconds) => {
        const row = { ...count, seconds, startsAt: bucketOf(at, seconds) };
        const whole = { ...row, ownerId: registrationId ?? WHOLE_SERVICE };
        return applicationId === null ? [whole] : [whole, { ...row, ownerId: applicationId }];
      }),
    ),
  );
}

/** Series that are only counted by hour. */
const HOURLY: readonly RollupSeries[] = [ROLLUP_SERIES.connections, ROLLUP_SERIES.clientVersions];

function lengthsOf(series: RollupSeries): readonly RollupSeconds[] {
  return HOURLY.includes(series) ? [ROLLUP_SECONDS.hour] : Object.values(ROLLUP_SECONDS);
}

/** Adds up rows with the same key, in one order, so that concurrent writers do not deadlock. */
export function sumRows(rows: readonly RollupRow[]): RollupRow[] {
  const sums = new Map<string, RollupRow>();
  for (const row of rows) {
    const { series, seconds, ownerId, startsAt, provider, kind, outcome, code } = row;
    const key = [series, seconds, ownerId, startsAt.toISOString(), provider, kind, outcome, code].join("\n");
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

const ROWS = `SELECT * FROM unnest($1::text[], $2::int[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::bigint[])`;
const COLUMNS = "(series, seconds, owner_id, starts_at, provider, kind, outcome, code, count)";
const KEY = "(series, seconds, owner_id, starts_at, provider, kind, outcome, code)";

/** A batch of counts of one process. */
export interface CountBatch {
  readonly writerId: string;
  /** Increases by one with each batch of the writer. */
  readonly number: number;
  readonly at: Date;
  readonly rows: readonly RollupRow[];
}

/** Adds a batch to the stored counts, once however often it is sent. */
export async function addBatch(pool: Pool, { writerId, number, at, rows }: CountBatch): Promise<void> {
  await pool.query({
    name: "rollups.addBatch",
    text: `WITH writer AS (
             INSERT INTO rollup_writer (id, batch, written_at) VALUES ($10, $11, $12)
             ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
              WHERE rollup_writer.batch < excluded.batch
             RETURNING id)
           INSERT INTO rollup ${COLUMNS} ${ROWS} WHERE EXISTS (SELECT FROM writer)
           ON CONFLICT ${KEY} DO UPDATE SET count = rollup.count + excluded.count`,
    values: [...arraysOf(rows), writerId, number, at],
  });
}

/**
 * Stores values that were read. `latest` replaces an earlier value of the bucket, `highest` keeps the higher one: for
 * values that only grow within a bucket, so that concurrent readers can store in any order.
 */
export async function setValues(pool: Pool, rows: readonly RollupRow[], which: "latest" | "highest"): Promise<void> {
  if (rows.length === 0) return;
  await pool.query({
    name: `rollups.setValues.${which}`,
    text: `INSERT INTO rollup ${COLUMNS} ${ROWS} ON CONFLICT ${KEY} DO UPDATE
              SET count = ${which === "latest" ? "excluded.count" : "greatest(rollup.count, excluded.count)"}`,
    values: arraysOf(rows),
  });
}

/** Sums the minutes of a series into hours. The minutes of these hours must still be stored. */
export async function sumHours(pool: Pool, series: RollupSeries, from: Date, until: Date): Promise<void> {
  await pool.query({
    name: "rollups.sumHours",
    text: `INSERT INTO rollup ${COLUMNS}
           SELECT series, ${ROLLUP_SECONDS.hour}, owner_id, date_trunc('hour', starts_at, 'UTC'), provider, kind, outcome, code, sum(count)
             FROM rollup
            WHERE seconds = ${ROLLUP_SECONDS.minute} AND series = $1 AND starts_at >= $2 AND starts_at < $3
            GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
           ON CONFLICT ${KEY} DO UPDATE SET count = greatest(rollup.count, excluded.count)`,
    values: [series, bucketOf(from, ROLLUP_SECONDS.hour), until],
  });
}

function arraysOf(rows: readonly RollupRow[]): unknown[] {
  const columns = [
    "series",
    "seconds",
    "ownerId",
    "startsAt",
    "provider",
    "kind",
    "outcome",
    "code",
    "count",
  ] as const satisfies readonly (keyof RollupRow)[];
  return columns.map((column) => rows.map((row) => row[column]));
}

export interface StepFilter {
  readonly series: readonly RollupSeries[];
  readonly seconds: number;
  readonly owners: readonly string[];
  readonly from: Date;
  readonly stepSeconds: number;
  readonly provider: string | null;
}

export interface StepRow {
  readonly series: RollupSeries;
  readonly at: Date;
  readonly provider: string;
  readonly label: string;
  readonly count: number;
}

const { apiCalls, clientVersions, connections, jobAttempts, quotaUnits, quotaUsed, providerCalls, connectAttempts } =
  ROLLUP_SERIES;
const QUOTAS = literals([quotaUsed, quotaUnits]);
const HOURLY_LITERALS = literals(HOURLY);

function literals(series: readonly RollupSeries[]): string {
  return series.map((one) => `'${one}'`).join(", ");
}

/** Sums counts into steps. A budget counts with its highest use, connections with their latest number. Some series are hourly. */
export async function readSteps(pool: Pool, filter: StepFilter): Promise<StepRow[]> {
  const { series, seconds, owners, from, stepSeconds, provider } = filter;
  const { rows } = await pool.query<Omit<StepRow, "count"> & { readonly count: string }>({
    name: "rollups.readSteps",
    text: `SELECT series, date_bin(make_interval(secs => $5), starts_at, 'epoch') AS at, provider,
                  CASE WHEN series = '${apiCalls}' THEN code
                       WHEN series = '${jobAttempts}' AND outcome IN ('QUEUED', 'FAILED') THEN concat_ws(' ', outcome, nullif(code, ''))
                       WHEN series = '${clientVersions}' THEN concat_ws(' ', kind, nullif(code, ''))
                       WHEN series IN (${QUOTAS}) THEN concat_ws(' ', owner_id, kind)
                       ELSE outcome END AS label,
                  CASE WHEN series IN (${QUOTAS}) THEN max(count)
                       WHEN series = '${connections}' THEN (array_agg(count ORDER BY starts_at DESC))[1]
                       ELSE sum(count) END AS count
             FROM rollup
            WHERE series = ANY ($1) AND owner_id = ANY ($3::uuid[]) AND starts_at >= $4
              AND seconds = CASE WHEN series IN (${HOURLY_LITERALS}) THEN ${ROLLUP_SECONDS.hour} ELSE $2::int END
              AND ($6::text IS NULL OR provider = $6) AND (series <> '${apiCalls}' OR kind = 'consumer')
            GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    values: [series, seconds, owners, from, stepSeconds, provider],
  });
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

const EVENTS = [apiCalls, connectAttempts, jobAttempts, providerCalls];

/**
 * Counts by minute: calls of applications, and what happened under each registration. See `ServiceCount` for erasures. A job whose
 * connection is gone has no registration, and says nothing about one.
 */
export async function readMinutes(pool: Pool, from: Date): Promise<ServiceCount[]> {
  const { rows } = await pool.query<Omit<ServiceCount, "count"> & { readonly count: string }>({
    name: "rollups.readMinutes",
    text: `SELECT series, starts_at AS at, nullif(owner_id, '${WHOLE_SERVICE}') AS "registrationId", provider,
                  CASE WHEN series = '${jobAttempts}' AND kind = 'ERASE' AND outcome = 'SUCCEEDED' THEN 'ERASED' ELSE outcome END AS outcome,
                  code, sum(count) AS count FROM rollup
            WHERE series = ANY ($1) AND seconds = ${ROLLUP_SECONDS.minute} AND starts_at >= $2
              AND owner_id = ANY (ARRAY(SELECT id FROM provider_registration) || '${WHOLE_SERVICE}'::uuid)
              AND (owner_id = '${WHOLE_SERVICE}') = (series = '${apiCalls}') AND (series <> '${apiCalls}' OR kind = 'consumer')
            GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
    values: [EVENTS, from],
  });
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** The use of budgets by minute. */
export async function readQuotaMinutes(pool: Pool, from: Date): Promise<QuotaMinute[]> {
  const { rows } = await pool.query<QuotaMinute>({
    name: "rollups.readQuotaMinutes",
    text: `SELECT owner_id AS "registrationId", provider, kind AS budget, starts_at AS at,
                  max(count) FILTER (WHERE series = '${quotaUsed}')::int AS used,
                  max(count) FILTER (WHERE series = '${quotaUnits}')::int AS units
             FROM rollup
            WHERE series IN (${QUOTAS}) AND seconds = ${ROLLUP_SECONDS.minute} AND starts_at >= $1
            GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    values: [from],
  });
  return rows;
}

/** Since when the job is due that waits longest for a worker: a new job or a retry. Two reads of an index. */
export async function readOldestDue(pool: Pool, now: Date): Promise<Date | null> {
  const { rows } = await pool.query<{ readonly at: Date | null }>({
    name: "rollups.readOldestDue",
    text: `SELECT least(
             (SELECT created_at FROM job WHERE status = 'QUEUED' AND next_retry_at IS NULL ORDER BY created_at LIMIT 1),
             (SELECT next_retry_at FROM job WHERE status = 'QUEUED' AND next_retry_at <= $1 ORDER BY next_retry_at LIMIT 1)) AS at`,
    values: [now],
  });
  return rows[0]?.at ?? null;
}
