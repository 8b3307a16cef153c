import { findStateIncidents, type Incident, sortIncidents } from "@social-connect/domain";
import { readFailingEndpoints } from "../events/failingEndpoints.ts";
import { readRefusedClients, readRefusedRegistrations } from "../registrations/readRefusedRegistrations.ts";
import type { Service } from "../service.ts";
import { HISTORY_MS, recentIncidents } from "./recentIncidents.ts";
import { readOldestDue } from "./store.ts";

/** Incidents of the last 24 hours, continuing ones first. */
export async function readIncidents(service: Pick<Service, "reads" | "clock" | "secretBox">): Promise<Incident[]> {
  const { reads, clock } = service;
  const now = await clock.now();
  const [counted, oldestDueAt, states, refusedRegistrations, refusedClients, failingEndpoints] = await Promise.all([
    recentIncidents(reads.pool, now),
    readOldestDue(reads.pool, now),
    reads.prisma.sweepState.findMany({ select: { name: true, succeededAt: true, ranAt: true } }),
    readRefusedRegistrations(service),
    readRefusedClients(service),
    readFailingEndpoints(service),
  ]);
  // A sweep of an earlier version does not run any longer, while the others do.
  const newestRun = Math.max(...states.map(({ ranAt }) => ranAt.getTime()));
  const current = states.filter(({ ranAt }) => ranAt.getTime() > newestRun - HISTORY_MS);
  const sweeps = current.map(({ name, succeededAt, ranAt }) => ({ name, succeededAt: succeededAt ?? ranAt }));
  const state = { oldestDueAt, sweeps, refusedRegistrations, refusedClients, failingEndpoints };
  return sortIncidents([...counted, ...findStateIncidents(state, now)]);
}
