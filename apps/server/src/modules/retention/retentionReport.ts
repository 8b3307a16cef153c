import type { Pool } from "pg";

export interface RetentionReport {
  /** Age of the oldest stored post or profile in whole seconds; null if there is no data. */
  readonly oldestObservationAgeSeconds: number | null;
}

/** Reports the age of the oldest stored observation. Expired posts contain no data and do not count. */
export async function retentionReport(pool: Pool, now: Date): Promise<RetentionReport> {
  const { rows } = await pool.query<{ oldest: Date | null }>(
    `SELECT least((SELECT min(least(observed_at, metrics_observed_at)) FROM content_item WHERE reason IS DISTINCT FROM 'EXPIRED'),
                  (SELECT min(profile_observed_at) FROM connection)) AS oldest`,
  );
  const oldest = rows[0]?.oldest ?? null;
  return {
    oldestObservationAgeSeconds: oldest === null ? null : Math.floor((now.getTime() - oldest.getTime()) / 1_000),
  };
}
