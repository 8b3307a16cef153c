import type { QuotaWindow, SharedBudget } from "@social-connect/domain";
import type { Pool } from "pg";

export interface Budget {
  readonly registrationId: string;
  readonly name: string;
  readonly window: QuotaWindow;
}

/**
 * Takes one unit; false if `limit` units are used. A single statement, so that concurrent processes cannot exceed the
 * limit. Counts it for the application, unless that is null.
 */
export async function takeUnit(
  pool: Pool,
  { registrationId, name, window }: Budget,
  limit: number,
  applicationId: string | null,
): Promise<boolean> {
  const { rows } = await pool.query<{ taken: boolean }>({
    name: "take-quota-unit",
    text: `WITH budget AS (${takeFromBudget("true")}), counted AS (${countForApplication("$6::uuid IS NOT NULL")})
           SELECT EXISTS (SELECT FROM budget) AS taken`,
    values: [registrationId, name, window.start, window.endsAt, limit, applicationId],
  });
  return rows[0]?.taken === true;
}

/**
 * Takes one unit within the application's share, in one statement. If the share or the budget does not allow it, returns
 * what was used of the budget. The uses and newcomers are those before the statement, so calls in flight at the same time
 * can exceed a share by their number, but never the limit.
 */
export async function takeUnitOfShare(
  pool: Pool,
  { registrationId, name, window }: Budget,
  limit: number,
  applicationId: string,
): Promise<"taken" | SharedBudget> {
  const { rows } = await pool.query<SharedBudget & { readonly taken: boolean }>({
    name: "take-quota-unit-of-share",
    text: `WITH uses AS (
             SELECT application_id, used FROM provider_quota_use
              WHERE registration_id = $1::uuid AND budget = $2 AND window_start = $3::timestamptz
           ), shared AS (
             SELECT coalesce((SELECT used FROM uses WHERE application_id = $6::uuid), 0) AS own,
                    ARRAY(SELECT used FROM uses WHERE application_id <> $6::uuid) AS others,
                    (${HAS_NEWCOMERS}) AS newcomers
           ), budget AS (${takeFromBudget("shared.own < $5::int / (1 + cardinality(shared.others) + shared.newcomers::int)", "shared")}
           ), counted AS (${countForApplication("true")})
           SELECT EXISTS (SELECT FROM budget) AS taken, $5::int AS "limit", shared.*,
                  coalesce((SELECT used FROM provider_quota WHERE registration_id = $1::uuid AND budget = $2
                               AND window_start = $3::timestamptz), 0) AS total
             FROM shared`,
    values: [registrationId, name, window.start, window.endsAt, limit, applicationId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("The statement returned no row.");
  const { taken, ...budget } = row;
  return taken ? "taken" : budget;
}

/** The registration serves another enabled application, which took no unit yet. */
const HAS_NEWCOMERS = (() => {
  const isNewcomer = `application.enabled AND application.id <> $6::uuid
    AND NOT EXISTS (SELECT FROM uses WHERE uses.application_id = application.id)`;
  return `EXISTS (SELECT FROM registration_application AS served JOIN application ON application.id = served.application_id
                   WHERE served.registration_id = $1::uuid AND ${isNewcomer})
       OR ((SELECT all_applications FROM provider_registration WHERE id = $1::uuid)
           AND EXISTS (SELECT FROM application WHERE ${isNewcomer}))`;
})();

function takeFromBudget(condition: string, from?: string): string {
  return `INSERT INTO provider_quota AS quota (registration_id, budget, window_start, window_ends_at, used)
          SELECT $1::uuid, $2, $3::timestamptz, $4::timestamptz, 1 ${from === undefined ? "" : `FROM ${from}`}
           WHERE $5::int >= 1 AND ${condition}
          ON CONFLICT (registration_id, budget, window_start)
          DO UPDATE SET used = quota.used + 1 WHERE quota.used < $5::int
          RETURNING 1`;
}

function countForApplication(condition: string): string {
  return `INSERT INTO provider_quota_use AS quota_use (registration_id, budget, window_start, application_id, used)
          SELECT $1::uuid, $2, $3::timestamptz, $6::uuid, 1 FROM budget WHERE ${condition}
          ON CONFLICT (registration_id, budget, window_start, application_id) DO UPDATE SET used = quota_use.used + 1`;
}

/** Raises the used units to the provider's count; never lowers them. */
export async function raiseUsed(pool: Pool, { registrationId, name, window }: Budget, used: number): Promise<void> {
  await pool.query({
    name: "raise-quota-used",
    text: `INSERT INTO provider_quota AS quota (registration_id, budget, window_start, window_ends_at, used)
           VALUES ($1::uuid, $2, $3::timestamptz, $4::timestamptz, $5::int)
           ON CONFLICT (registration_id, budget, window_start)
           DO UPDATE SET used = excluded.used WHERE quota.used < excluded.used`,
    values: [registrationId, name, window.start, window.endsAt, used],
  });
}
