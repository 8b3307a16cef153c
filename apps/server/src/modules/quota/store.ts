import type { QuotaWindow } from "@social-connect/domain";
import type { Pool } from "pg";

export interface Budget {
  readonly registrationId: string;
  readonly name: string;
  readonly window: QuotaWindow;
}

/**
 * Takes one unit; false if `limit` units are used. A single statement, so that concurrent processes cannot exceed the
 * limit.
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
