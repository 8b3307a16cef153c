import type { Incident } from "@social-connect/domain";
import {
  addMs,
  findQuotaIncidents,
  findRateIncidents,
  findStateIncidents,
  sortIncidents,
} from "@social-connect/domain";
import type { Service } from "../service.ts";
import { readMinutes, readOldestDue, readQuotaMinutes } from "./store.ts";

/** How far back incidents are found. */
const HISTORY_MS = 24 * 3_600_000;

/** Incidents of the last 24 hours, continuing ones first. */
export async function readIncidents({ reads, clock }: Pick<Service, "reads" | "clock">): Promise<Incident[]> {
  const now = await clock.now();
  const from = addMs(now, -HISTORY_MS);
  const [minutes, quotas, oldestDueAt, states] = await Promise.all([
    readMinutes(reads.pool, from),
    readQuotaMinutes(reads.pool, from),
    readOldestDue(reads.pool, now),
    reads.prisma.sweepState.findMany({ select: { name: true, succeededAt: true, ranAt: true } }),
  ]);
  // A sweep of an earlier version does not run any longer, while the others do.
  const newestRun = Math.max(...states.map(({ ranAt }) => ranAt.getTime()));
  const current = states.filter(({ ranAt }) => ranAt.getTime() > newestRun - HISTORY_MS);
  const sweeps = current.map(({ name, succeededAt, ranAt }) => ({ name, succeededAt: succeededAt ?? ranAt }));
  return sortIncidents([
    ...findRateIncidents(minutes, now),
    ...findQuotaIncidents(quotas, now),
    ...findStateIncidents({ oldestDueAt, sweeps }, now),
  ]);
}
