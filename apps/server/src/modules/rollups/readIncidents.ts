import { findStateIncidents, type Incident, sortIncidents } from "@social-connect/domain";
import { FAILING_ENDPOINTS } from "../events/readEvents.ts";
import { readRefusedClients, readRefusedRegistrations } from "../registrations/readRefusedRegistrations.ts";
import type { Service } from "../service.ts";
import { type FoundIncidents, recentIncidents } from "./recentIncidents.ts";
import { readOldestDue } from "./store.ts";

type Reader = Pick<Service, "reads" | "clock" | "secretBox" | "provider">;

/** Incidents of the last 24 hours, continuing ones first. */
export async function readIncidents(service: Reader): Promise<Incident[]> {
  const { known, found } = await findIncidents(service, await service.clock.now());
  return sortIncidents([...found, ...known.filter(({ endedAt }) => endedAt !== null)]);
}

/** Incidents as they are now, in no order: those that began, continue or ended since they were stored last. */
export async function findIncidents(service: Reader, now: Date): Promise<FoundIncidents> {
  const { reads } = service;
  const [{ known, found }, oldestDueAt, states, refusedRegistrations, refusedClients, endpoints] = await Promise.all([
    recentIncidents(service, now),
    readOldestDue(reads.pool, now),
    reads.prisma.sweepState.findMany({ select: { name: true, succeededAt: true, ranAt: true } }),
    readRefusedRegistrations(service),
    readRefusedClients(service),
    reads.prisma.eventEndpoint.findMany({ ...FAILING_ENDPOINTS, include: { application: { select: { slug: true } } } }),
  ]);
  const sweeps = states.map(({ name, succeededAt, ranAt }) => ({ name, succeededAt: succeededAt ?? ranAt }));
  const failingEndpoints = endpoints.flatMap(({ id, failingSince, enabled, application }) =>
    failingSince === null ? [] : [{ id, failingSince, isOff: !enabled, clientSlug: application.slug }],
  );
  const state = { oldestDueAt, sweeps, refusedRegistrations, refusedClients, failingEndpoints };
  const all = [...found, ...findStateIncidents(state, now, known)];
  const answers = new Map(known.map(({ id, answer }) => [id, answer]));
  return { known, found: all.map((incident) => ({ ...incident, answer: answers.get(incident.id) ?? null })) };
}
