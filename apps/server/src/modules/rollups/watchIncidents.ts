import { type IncidentCause, interruptedBy, isLookedAt, isStoredIncident } from "@social-connect/domain";
import type { Service } from "../service.ts";
import type { Batch, Sweep } from "../sweeps/sweep.ts";
import { storeIncidents } from "./incidentStore.ts";
import { lookForEnd } from "./lookForEnd.ts";
import { findIncidents } from "./readIncidents.ts";
import { resumeReads } from "./resumeReads.ts";

/**
 * Stores the incidents, looks whether those of providers are over, and repeats soon what waited for the end of one. Before the sweep
 * that orders due reads.
 */
export const WATCH_INCIDENTS: Sweep = {
  name: "watchIncidents",
  batchSize: 250,
  begin: (service, now) => {
    let isWatched = false;
    const failed: string[] = [];
    return {
      batch: async (limit) => {
        if (!isWatched) await watch(service, now);
        isWatched = true;
        return resumeNext(service, { now, limit, failed });
      },
      countDue: async () => 0,
    };
  },
};

async function watch(service: Service, now: Date): Promise<void> {
  const { known, found } = await findIncidents(service, now);
  const ids = new Set(found.map(({ id }) => id));
  const merged = known.filter(({ id, endedAt }) => endedAt === null && !ids.has(id));
  await storeIncidents(service, found.filter(isStoredIncident), merged);
  const looked = found.filter((incident) => incident.endedAt === null && isLookedAt(incident));
  for (const incident of looked) await lookForEnd(service, incident, now);
}

/** Resumes a part of what the first of the ended incidents interrupted. */
async function resumeNext(service: Service, part: Parameters<typeof resumeReads>[2]): Promise<Batch> {
  const { prisma } = service;
  const ended = await prisma.incident.findFirst({
    where: { endedAt: { not: null }, resumedAt: null },
    orderBy: { endedAt: "asc" },
  });
  if (ended === null) return { handled: 0, isLast: true };
  const interrupted = interruptedBy({ ...ended, cause: ended.cause as IncidentCause });
  const batch = interrupted === null ? NOTHING_LEFT : await resumeReads(service, { ...ended, ...interrupted }, part);
  if (batch.isLast) await prisma.incident.update({ where: { id: ended.id }, data: { resumedAt: part.now } });
  return { ...batch, isLast: false };
}

const NOTHING_LEFT: Batch = { handled: 0, isLast: true };
