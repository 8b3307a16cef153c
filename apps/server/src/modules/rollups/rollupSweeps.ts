import { CONNECTION_STATUSES, LIMITS, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { addMs, bucketOf, ROLLUP_KEPT_MS, ROLLUP_SECONDS, ROLLUP_SERIES } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import { countConnections } from "../overview/countRows.ts";
import type { Service } from "../service.ts";
import { localDeletionSweep, type Sweep, timestamp } from "../sweeps/sweep.ts";
import { type RollupRow, setValues, sumHours, sumRows, WHOLE_SERVICE } from "./store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After its deadline an attempt ends within this time, also one whose code is being exchanged. */
const LATE_MS = 2 * MINUTE_MS;
/** An attempt that began earlier has ended. */
const UNFINISHED_MS = LIMITS.connectDeadlineMs + LATE_MS + MINUTE_MS;

const COUNT_ATTEMPTS = "countConnectAttempts";

/**
 * Counts the connect attempts that ended, by the minute in which they began: reads those of the last minutes again, until
 * all have ended. The counts only grow, so they are exact also after a time without a worker.
 */
const COUNT_CONNECT_ATTEMPTS: Sweep = {
  name: COUNT_ATTEMPTS,
  begin: (service, now) => {
    let from: Date | null = null;
    return {
      batch: async () => {
        from ??= await beginOf(service, now);
        const until = new Date(Math.min(addMs(from, HOUR_MS).getTime(), addMs(bucketOf(now, 60), MINUTE_MS).getTime()));
        const handled = await countAttempts(service, { from, until, now });
        from = until;
        return { handled, isLast: until > now };
      },
      countDue: async () => 0,
    };
  },
};

async function beginOf({ prisma }: Service, now: Date): Promise<Date> {
  const state = await prisma.sweepState.findUnique({ where: { name: COUNT_ATTEMPTS } });
  const oldest = addMs(now, MINUTE_MS - LIMITS.connectResultReadableMs);
  const due = state?.succeededAt ? addMs(state.succeededAt, -UNFINISHED_MS) : oldest;
  return bucketOf(new Date(Math.max(due.getTime(), oldest.getTime())), ROLLUP_SECONDS.minute);
}

async function countAttempts(
  { pool }: Service,
  { from, until, now }: { readonly from: Date; readonly until: Date; readonly now: Date },
): Promise<number> {
  const { rows } = await pool.query<
    Omit<RollupRow, "series" | "seconds" | "ownerId" | "kind"> & { applicationId: string; registrationId: string }
  >({
    name: "rollups.countConnectAttempts",
    // The index is on the end of the result, which is a fixed time after the creation.
    text: `SELECT application_id AS "applicationId", registration_id AS "registrationId", date_trunc('minute', created_at) AS "startsAt", provider,
                  CASE WHEN is_late THEN 'EXPIRED' ELSE status END AS outcome,
                  CASE WHEN is_late THEN 'DEADLINE_PASSED' ELSE coalesce(result_code, '') END AS code, count(*)::int AS count
             FROM (SELECT application_id, registration_id, created_at, provider::text, status::text, result_code,
                          status IN ('CREATED', 'AUTHORIZING', 'EXCHANGING') AS is_late,
                          expires_at
                     FROM connect_attempt WHERE result_expires_at >= $1 AND result_expires_at < $2) a
            WHERE NOT is_late OR expires_at <= $3
            GROUP BY 1, 2, 3, 4, 5, 6`,
    values: [
      addMs(from, LIMITS.connectResultReadableMs),
      addMs(until, LIMITS.connectResultReadableMs),
      addMs(now, -LATE_MS),
    ],
  });
  const series = ROLLUP_SERIES.connectAttempts;
  const minutes = rows.flatMap(({ applicationId, registrationId, ...count }) => {
    const row = { ...count, series, kind: "", seconds: ROLLUP_SECONDS.minute };
    return [
      { ...row, ownerId: applicationId },
      { ...row, ownerId: registrationId },
    ];
  });
  await setValues(pool, sumRows(minutes), "highest");
  await sumHours(pool, series, from, until);
  return 0;
}

/** Budgets of an account are as many as accounts, and are not stored per minute. */
const MOST_BUDGETS = 1_000;

/** Stores how much of each budget that clients share is used. */
const RECORD_QUOTAS: Sweep = {
  name: "recordQuotas",
  begin: (service, now) => ({
    batch: async () => {
      await setValues(service.pool, await quotaRows(service, now), "highest");
      return { handled: 0, isLast: true };
    },
    countDue: async () => 0,
  }),
};

async function quotaRows({ prisma, provider: adapter }: Service, now: Date): Promise<RollupRow[]> {
  const registrations = await prisma.providerRegistration.findMany({
    where: { status: { in: ["PUBLISHED", "PAUSED"] } },
    select: { id: true, provider: true, quota: true },
    orderBy: { id: "asc" },
    take: 100,
  });
  const shared = registrations.flatMap(({ id, provider, quota }) => {
    const { units, window, per } = readQuota(adapter(provider).traits.quota, quota);
    return per === "account" ? [] : [{ id, provider, units, window }];
  });
  const budgets = await prisma.providerQuota.findMany({
    // A window that ended since the last run has its final value now.
    where: {
      registrationId: { in: shared.map(({ id }) => id) },
      windowEndsAt: { gt: addMs(now, -2 * MINUTE_MS) },
      windowStart: { lte: now },
    },
    take: MOST_BUDGETS,
  });
  const rows = budgets.flatMap(({ registrationId, budget, used, windowStart, windowEndsAt }) => {
    const registration = shared.find(({ id }) => id === registrationId);
    if (registration === undefined) return [];
    const { provider, units, window } = registration;
    const at = window === "minute" ? windowStart : new Date(Math.min(now.getTime(), windowEndsAt.getTime() - 1));
    return Object.values(ROLLUP_SECONDS).flatMap((seconds): RollupRow[] => {
      const key = {
        seconds,
        startsAt: bucketOf(at, seconds),
        ownerId: registrationId,
        provider,
        kind: budget,
        outcome: "",
        code: "",
      };
      return [
        { ...key, series: ROLLUP_SERIES.quotaUsed, count: used },
        { ...key, series: ROLLUP_SERIES.quotaUnits, count: units },
      ];
    });
  });
  return highest(rows);
}

/** Keeps the row with the highest value of each key: one statement cannot write a row twice. */
function highest(rows: readonly RollupRow[]): RollupRow[] {
  const kept = new Map<string, RollupRow>();
  for (const row of rows) {
    const { count, ...key } = row;
    const name = JSON.stringify(key);
    if (count >= (kept.get(name)?.count ?? 0)) kept.set(name, row);
  }
  return [...kept.values()];
}

/** Stores the connections by provider and status, which an index counts. */
const RECORD_CONNECTIONS: Sweep = {
  name: "recordConnections",
  begin: (service, now) => ({
    batch: async () => {
      const counts = await countConnections(service);
      const startsAt = bucketOf(now, ROLLUP_SECONDS.hour);
      const series = ROLLUP_SERIES.connections;
      // A status without connections is stored as 0, so that it replaces an earlier value of this hour.
      const rows = SOCIAL_PROVIDERS.flatMap((provider) =>
        CONNECTION_STATUSES.map((outcome): RollupRow => {
          const count = counts.find((row) => row.provider === provider && row.status === outcome)?.count ?? 0;
          const labels = { ownerId: WHOLE_SERVICE, provider, kind: "", outcome, code: "" };
          return { series, seconds: ROLLUP_SECONDS.hour, startsAt, ...labels, count };
        }),
      );
      await setValues(service.pool, rows, "latest");
      return { handled: 0, isLast: true };
    },
    countDue: async () => 0,
  }),
};

/** Every minute. */
export const ROLLUP_SWEEPS: readonly Sweep[] = [COUNT_CONNECT_ATTEMPTS, RECORD_QUOTAS];

function bucketsBefore(name: string, seconds: number, keptMs: number): Sweep {
  return localDeletionSweep(name, {
    table: "rollup",
    key: "series, seconds, owner_id, starts_at, provider, kind, outcome, code",
    order: "seconds, starts_at",
    due: (now) => Prisma.sql`seconds = ${seconds} AND starts_at < ${timestamp(addMs(now, -keptMs))}`,
  });
}

/** A batch of a writer that has written nothing for a day is no longer repeated. */
const WRITER_RETENTION_MS = 24 * HOUR_MS;

/** Every hour. */
export const ROLLUP_HOURLY_SWEEPS: readonly Sweep[] = [
  RECORD_CONNECTIONS,
  bucketsBefore("deleteMinuteRollups", ROLLUP_SECONDS.minute, ROLLUP_KEPT_MS.minute),
  bucketsBefore("deleteHourRollups", ROLLUP_SECONDS.hour, ROLLUP_KEPT_MS.hour),
  localDeletionSweep("deleteIncidents", {
    table: "incident",
    order: "ended_at",
    due: (now) => Prisma.sql`ended_at < ${timestamp(addMs(now, -ROLLUP_KEPT_MS.hour))}`,
  }),
  localDeletionSweep("deleteRollupWriters", {
    table: "rollup_writer",
    order: "written_at",
    due: (now) => Prisma.sql`written_at < ${timestamp(addMs(now, -WRITER_RETENTION_MS))}`,
  }),
];
