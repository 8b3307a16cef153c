import {
  type ConnectionGrouping,
  type ConnectionListFilter,
  type ShownCause,
  shownCause,
} from "@social-connect/domain";
import type { ConnectionStatus } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import { findWanted, wantedRows } from "./listAllConnections.ts";

/** Connections of the list that have the same client or cause; the other is null, as is a cause that nothing has. */
export interface ConnectionGroup {
  readonly clientId: string | null;
  readonly clientSlug: string | null;
  readonly cause: ShownCause | null;
  readonly count: number;
}

export interface ConnectionCounts {
  /** All connections that the filter admits. */
  readonly count: number;
  /** How many groups they have. */
  readonly groupCount: number;
  /** The largest groups, at most 100. */
  readonly groups: readonly ConnectionGroup[];
}

const MOST_GROUPS = 100;

/** Counts what the list has with the same filter, by client or by cause. */
export async function countAllConnections(
  service: Service,
  filter: ConnectionListFilter,
  by: ConnectionGrouping,
): Promise<ConnectionCounts> {
  const groups = await (by === "CLIENT" ? countByClient(service, filter) : countByCause(service, filter));
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    groupCount: groups.length,
    groups: groups.slice(0, MOST_GROUPS),
  };
}

async function countByClient(service: Service, filter: ConnectionListFilter): Promise<ConnectionGroup[]> {
  const { prisma, clock } = service;
  const rows = wantedRows(await findWanted(service, filter), await clock.now());
  const counts = await prisma.$queryRaw<{ clientId: string; count: number }[]>`
    SELECT application_id AS "clientId", count(*)::int AS count ${rows} GROUP BY application_id`;
  const ids = counts.map(({ clientId }) => clientId);
  const applications = await prisma.application.findMany({
    where: { id: { in: ids } },
    select: { id: true, slug: true },
  });
  const slugs = new Map(applications.map(({ id, slug }) => [id, slug]));
  return counts
    .map(({ clientId, count }) => ({ clientId, clientSlug: slugs.get(clientId) ?? "", cause: null, count }))
    .toSorted((one, other) => other.count - one.count || (one.clientSlug < other.clientSlug ? -1 : 1));
}

async function countByCause(service: Service, filter: ConnectionListFilter): Promise<ConnectionGroup[]> {
  const rows = wantedRows(await findWanted(service, filter), await service.clock.now());
  const counts = await service.prisma.$queryRaw<{ cause: string | null; status: ConnectionStatus; count: number }[]>`
    SELECT cause, status, count(*)::int AS count ${rows} GROUP BY cause, status`;
  const sums = new Map<ShownCause | null, number>();
  for (const { count, ...row } of counts) sums.set(shownCause(row), (sums.get(shownCause(row)) ?? 0) + count);
  return [...sums]
    .map(([cause, count]) => ({ clientId: null, clientSlug: null, cause, count }))
    .toSorted((one, other) => other.count - one.count);
}
