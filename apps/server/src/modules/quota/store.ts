import type { QuotaWindow } from "@social-connect/domain";
import type { Pool } from "pg";

export interface Budget {
  readonly registrationId: string;
  readonly name: string;
  readonly window: QuotaWindow;
}

/**
 * Takes one unit unless `limit` are used already; false when they are. One statement, so that however many processes take
 * at once, no unit is given out twice.
 */
export async function takeUnit(pool: Pool, { registrationId, name, window }: Budget, limit: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "take-quota-unit",
    text: `INSERT INTO provider_quota AS quota (registration_id, budget, window_start, window_ends_at, used)
           SELECT $1::uuid, $2, $3::timestamptz, $4::timestamptz, 1 WHERE $5::int >= 1
           ON CONFLICT (registration_id, budget, window_start)
           DO UPDATE SET used = quota.used + 1 WHERE quota.used < $5::int`,
    values: [registrationId, name, window.start, window.endsAt, limit],
  });
  return rowCount === 1;
}

/** Raises what counts as used to what the provider itself has counted; never lowers it. */
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
