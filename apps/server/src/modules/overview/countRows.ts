import { CONNECTION_STATUSES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { addMs } from "@social-connect/domain";
import type { Pool } from "pg";
import type { ConnectAttemptStatus, ConnectionStatus, Job } from "../../_generated/prisma/client.ts";
import { foreseenReconnects, hasMoreForeseen } from "../grants/foreseenReconnects.ts";
import type { Service } from "../service.ts";

type Reader = Pick<Service, "pool" | "clock">;

const DAY_MS = 86_400_000;
/** A worker claims a due job within seconds, and a crashed worker's job within a minute. After this, no worker does. */
export const OVERDUE_AFTER_MS = 5 * 60_000;

/** Raw SQL, because Prisma supports neither filtered counts nor grouping by an expression. */

export interface JobCount extends Pick<Job, "provider" | "kind" | "status" | "errorCode" | "waitReason"> {
  readonly count: number;
  readonly waitingToRetry: number;
}

/** Jobs created in the last 24 hours by type and status, without user data. */
export async function countJobs({ pool, clock }: Reader): Promise<JobCount[]> {
  const { rows } = await pool.query<JobCount>({
    name: "overview.countJobs",
    text: `SELECT provider, kind, status, error_code AS "errorCode", wait_reason AS "waitReason", count(*)::int AS count,
                  (count(*) FILTER (WHERE status = 'QUEUED' AND next_retry_at IS NOT NULL))::int AS "waitingToRetry"
             FROM job WHERE created_at > $1
            GROUP BY provider, kind, status, error_code, wait_reason
            ORDER BY provider, kind, status, error_code, wait_reason`,
    values: [addMs(await clock.now(), -DAY_MS)],
  });
  return rows;
}

/** Jobs that are overdue beyond any normal delay. */
export async function countOverdueJobs({ pool, clock }: Reader): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: "overview.countOverdueJobs",
    text: `SELECT count(*)::int AS count FROM job
            WHERE status = 'QUEUED' AND coalesce(next_retry_at, created_at) <= $1`,
    values: [addMs(await clock.now(), -OVERDUE_AFTER_MS)],
  });
  return rows[0]?.count ?? 0;
}

export interface FullBudget {
  readonly registrationId: string;
  /** Number of the registration's budgets above the threshold. */
  readonly count: number;
  /** The budget with the least left. */
  readonly used: number;
  readonly endsAt: Date;
}

/** Budgets that have reached the threshold of their registration in the current window. */
export async function countFullBudgets(
  pool: Pool,
  now: Date,
  thresholds: readonly { readonly registrationId: string; readonly used: number }[],
): Promise<FullBudget[]> {
  const { rows } = await pool.query<FullBudget>({
    name: "overview.countFullBudgets",
    text: `SELECT q.registration_id AS "registrationId", count(*)::int AS count, max(q.used)::int AS used,
                  max(q.window_ends_at) AS "endsAt"
             FROM provider_quota q
             JOIN unnest($2::uuid[], $3::int[]) AS t (id, used) ON q.registration_id = t.id AND q.used >= t.used
            WHERE q.window_start <= $1 AND q.window_ends_at > $1
            GROUP BY q.registration_id ORDER BY q.registration_id`,
    values: [now, thresholds.map(({ registrationId }) => registrationId), thresholds.map(({ used }) => used)],
  });
  return rows;
}

export interface ConnectionCount {
  readonly provider: SocialProvider;
  readonly status: ConnectionStatus;
  readonly count: number;
}

/** All connections, or those of a client. The indexes of the list of connections count them. */
export async function countConnections(
  { pool }: Pick<Reader, "pool">,
  clientId: string | null = null,
): Promise<ConnectionCount[]> {
  const { rows } = await pool.query<ConnectionCount>(
    `SELECT provider, status, count(*)::int AS count FROM connection ${clientId === null ? "" : "WHERE application_id = $1"}
      GROUP BY provider, status ORDER BY provider, status`,
    clientId === null ? [] : [clientId],
  );
  return rows;
}

export interface FailedScanCount {
  readonly provider: SocialProvider;
  readonly errorCode: string;
  readonly count: number;
}

/** Connections whose latest scan failed. Names every value of the columns that the index of the list begins with. */
export async function countFailedScans({ pool }: Pick<Reader, "pool">): Promise<FailedScanCount[]> {
  const { rows } = await pool.query<FailedScanCount>({
    name: "overview.countFailedScans",
    text: `SELECT provider, scan_error_code AS "errorCode", count(*)::int AS count FROM connection
            WHERE provider = ANY ($1::social_provider[]) AND status = ANY ($2::connection_status[])
              AND sync_status = 'FAILED' AND scan_error_code IS NOT NULL
            GROUP BY provider, scan_error_code ORDER BY provider, scan_error_code`,
    values: [SOCIAL_PROVIDERS, CONNECTION_STATUSES],
  });
  return rows;
}

export interface ConnectAttemptCount {
  readonly provider: SocialProvider;
  readonly status: ConnectAttemptStatus;
  readonly resultCode: string | null;
  readonly count: number;
}

/** Connect attempts of the last 24 hours by status and result. Overdue ones count as expired, even before the sweep runs. */
export async function countConnectAttempts({ pool, clock }: Reader): Promise<ConnectAttemptCount[]> {
  const { rows } = await pool.query<ConnectAttemptCount>({
    name: "overview.countConnectAttempts",
    text: `SELECT provider, CASE WHEN is_late THEN 'EXPIRED' ELSE status END AS status,
                  CASE WHEN is_late THEN 'DEADLINE_PASSED' ELSE result_code END AS "resultCode", count(*)::int AS count
             FROM (SELECT provider, status, result_code,
                          status IN ('CREATED', 'AUTHORIZING', 'EXCHANGING') AND expires_at <= $1 AS is_late
                     FROM connect_attempt WHERE result_expires_at > $1) a
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    values: [await clock.now()],
  });
  return rows;
}

export interface ForeseenReconnects {
  readonly provider: SocialProvider;
  readonly count: number;
  /** The end of the first credential. */
  readonly firstAt: Date;
  readonly hasMore: boolean;
}

/** Counts what the filter `reconnectForeseen` of the list of connections admits. */
export async function countForeseenReconnects(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  bound: { readonly most?: number } = {},
): Promise<ForeseenReconnects[]> {
  const now = await clock.now();
  return prisma.$queryRaw<ForeseenReconnects[]>`
    SELECT provider, count(*)::int AS count, min(ends_at) AS "firstAt", ${hasMoreForeseen(now, bound)} AS "hasMore"
      FROM ${foreseenReconnects(now, bound)} GROUP BY provider ORDER BY provider`;
}
