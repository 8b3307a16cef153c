import type { SocialProvider } from "@social-connect/contract";
import { addMs, RECONNECT_NOTICE_MS } from "@social-connect/domain";
import type { Pool } from "pg";
import type { ConnectAttemptStatus, ConnectionStatus, Job } from "../../_generated/prisma/client.ts";
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
  /** Of the fullest budget. */
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

/** Counts by registration, which is an index-only scan, and joins the provider last. */
export async function countConnections({ pool }: Pick<Reader, "pool">): Promise<ConnectionCount[]> {
  const { rows } = await pool.query<ConnectionCount>({
    name: "overview.countConnections",
    text: `SELECT r.provider, c.status, sum(c.count)::int AS count
             FROM (SELECT registration_id, status, count(*) AS count FROM connection GROUP BY registration_id, status) c
             JOIN provider_registration r ON r.id = c.registration_id
            GROUP BY r.provider, c.status ORDER BY r.provider, c.status`,
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
}

/**
 * Connections that will need a reconnect within a week, because the provider named the end of their refresh token; counts at
 * most 10,000.
 */
export async function countForeseenReconnects({ pool, clock }: Reader): Promise<ForeseenReconnects[]> {
  const now = await clock.now();
  const { rows } = await pool.query<ForeseenReconnects>({
    name: "overview.countForeseenReconnects",
    text: `SELECT r.provider, count(*)::int AS count, min(g.refresh_token_expires_at) AS "firstAt"
             FROM (SELECT registration_id, refresh_token_expires_at FROM provider_grant
                    WHERE status = 'ACTIVE' AND refresh_token_expires_at > $1 AND refresh_token_expires_at <= $2
                    ORDER BY refresh_token_expires_at LIMIT 10000) g
             JOIN provider_registration r ON r.id = g.registration_id
            GROUP BY r.provider ORDER BY r.provider`,
    values: [now, addMs(now, RECONNECT_NOTICE_MS)],
  });
  return rows;
}
