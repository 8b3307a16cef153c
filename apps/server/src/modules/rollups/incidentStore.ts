import { type Incident, type IncidentCause, incidentKey } from "@social-connect/domain";
import type { Service } from "../service.ts";

/** Those that continue, and those that ended since a time. */
export async function readKnownIncidents(
  { prisma }: Pick<Service["reads"], "prisma">,
  endedSince: Date,
): Promise<Incident[]> {
  const rows = await prisma.incident.findMany({ where: { OR: [{ endedAt: null }, { endedAt: { gt: endedSince } }] } });
  return rows.map(({ key: _key, resumedAt: _resumedAt, cause, ...row }) => ({ ...row, cause: cause as IncidentCause }));
}

/**
 * Stores incidents as they are now. One that another process has stored meanwhile with the same key, or has ended, stays as it is.
 * `merged` are incidents that became part of another one.
 */
export async function storeIncidents(
  { prisma }: Pick<Service, "prisma">,
  found: readonly Incident[],
  merged: readonly Incident[],
): Promise<void> {
  await prisma.incident.createMany({
    data: found.map((incident) => ({ ...incident, key: incidentKey(incident) })),
    skipDuplicates: true,
  });
  for (const { id, begunAt, lastSeenAt, endedAt, failed, total, detail } of found) {
    await prisma.incident.updateMany({
      where: { id, endedAt: null },
      data: { begunAt, lastSeenAt, endedAt, failed, total, detail },
    });
  }
  if (merged.length > 0) await prisma.incident.deleteMany({ where: { id: { in: merged.map(({ id }) => id) } } });
}
