import { type IncidentCause, interruptedBy, isLookedAt, isStoredIncident } from "@social-connect/domain";
import type { Service } from "../service.ts";
import type { Batch, Sweep } from "../sweeps/sweep.ts";
import { CatchUp } from "./catchUpReads.ts";
import { storeIncidents } from "./incidentStore.ts";
import { lookForEnd } from "./lookForEnd.ts";
import { findIncidents } from "./readIncidents.ts";
import { type ResumedPart, resumeReads } from "./resumeReads.ts";

/**
 * Stores the incidents, looks whether those of providers are over, and repeats soon what waited for the end of one or until a
 * registration was published. Before the sweep that orders due reads.
 */
export const WATCH_INCIDENTS: Sweep = {
  name: "watchIncidents",
  batchSize: 250,
  begin: (service, now) => {
    let isWatched = false;
    const failed: string[] = [];
    const catchUp = new CatchUp();
    return {
      batch: async (limit) => {
        if (!isWatched) await watch(service, now);
        isWatched = true;
        const part = { now, limit, failed };
        return (await resumeNext(service, part)) ?? (await catchUp.next(service, part));
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

/**
 * Resumes a part of what the first of the ended incidents interrupted, or returns null without one. While its registration is paused or
 * disabled, nothing is resumed.
 */
async function resumeNext(service: Service, part: ResumedPart): Promise<Batch | null> {
  const { prisma } = service;
  const published = await prisma.providerRegistration.findMany({
    where: { status: "PUBLISHED" },
    select: { id: true },
  });
  const served = { OR: [{ registrationId: null }, { registrationId: { in: published.map(({ id }) => id) } }] };
  const ended = await prisma.incident.findFirst({
    where: { endedAt: { not: null }, resumedAt: null, ...served },
    orderBy: { endedAt: "asc" },
  });
  if (ended === null) return null;
  const interrupted = interruptedBy({ ...ended, cause: ended.cause as IncidentCause });
  const batch = interrupted === null ? NOTHING_LEFT : await resumeReads(service, { ...ended, ...interrupted }, part);
  if (batch.isLast) await prisma.incident.update({ where: { id: ended.id }, data: { resumedAt: part.now } });
  // What other processes have locked is resumed by the next run.
  const isLocked = !batch.isLast && batch.handled === 0 && batch.rowError === undefined;
  return { ...batch, isLast: isLocked };
}

const NOTHING_LEFT: Batch = { handled: 0, isLast: true };
