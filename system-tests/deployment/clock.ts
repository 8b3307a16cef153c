import type pg from "pg";
import { PgBoss } from "pg-boss";
import type { ClockDriver } from "../../packages/conformance/src/target/target.ts";
import { control } from "../../packages/testkit/src/simulatorControl.ts";

/**
 * The clock of a service with `CLOCK=movable`: an offset in its database. The simulator's moves to the same time. `sweep` starts due work
 * immediately instead of with the next schedule.
 */
export function openClock(database: pg.Pool, simulatorUrl: string): ClockDriver & { sweep(): Promise<void> } {
  const runner = { executeSql: (text: string, values?: unknown[]) => database.query(text, values) };
  const boss = new PgBoss({ db: runner, supervise: false, schedule: false, migrate: false });
  const sweep = async () => {
    for (const queue of ["sweep.minute", "sweep.hour"]) await boss.send(queue, {});
  };
  const read = async () => {
    const { rows } = await database.query<{ now: number; moved: number }>(
      `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, coalesce(max(offset_ms), 0)::float8 AS moved
         FROM clock_offset`,
    );
    const { now = Number.NaN, moved = 0 } = rows[0] ?? {};
    return { now: Math.round(now + moved), moved };
  };
  return {
    now: async () => new Date((await read()).now),
    sweep,
    advance: async (byMs) => {
      const by = Math.ceil(byMs);
      // The simulator's first: a token that is issued between the two must not expire before the service expects it.
      await control(simulatorUrl, "POST", "/clock", { offsetMs: (await read()).moved + by });
      // The queue uses the database's real time, so waiting tasks come closer by as much.
      await database.query(
        `WITH moved AS (INSERT INTO clock_offset (id, offset_ms) VALUES (1, $1::bigint)
           ON CONFLICT (id) DO UPDATE SET offset_ms = clock_offset.offset_ms + excluded.offset_ms)
         UPDATE pgboss.job SET start_after = start_after - $1::bigint * interval '1 millisecond'
          WHERE state IN ('created', 'retry')`,
        [by],
      );
      await sweep();
    },
  };
}
