import { connectionsSearched, idsFrom } from "@social-connect/domain";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import {
  LISTED_CONNECTION,
  type ListedAttempt,
  type ListedConnection,
  listAttempts,
  listConnections,
  type ShownConnections,
} from "./searchConnections.ts";

/** A connection that is erased, of which jobs remain. */
export interface ErasedConnection {
  readonly id: string;
  readonly clientId: string;
  readonly clientSlug: string;
}

export interface Referenced {
  readonly connections: readonly ListedConnection[];
  readonly erased: readonly ErasedConnection[];
  readonly attempts: readonly ListedAttempt[];
}

/** A request creates few jobs. */
const MOST_JOBS = 20;
/** Ids of the same minute begin with the same eight digits. */
const MOST_STARTED = 10;

/**
 * What an id names: a connection, a connect attempt, or a job; or what a request with this correlation id created. The
 * admin does not have to know which kind of id it is. An id without its application names no node of a distributed database, so each of these
 * statements asks all of them, each by an index. Each client of which something is shown gets an audit entry; an id of which
 * nothing is known shows nothing. The start of an id is enough for a connection or an attempt, by the same index.
 */
export async function findByReference(
  service: Service,
  actor: AdminActor,
  reference: string,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Referenced> {
  const ids = idsFrom(reference.trim());
  if (ids === null) return { connections: [], erased: [], attempts: [] };
  const [first, last] = ids;
  const found = await (first === last ? findById(service, first, query) : findStarted(service, ids, query));
  await recordLookUp(service, actor, found);
  return found;
}

async function findStarted(
  service: Service,
  [gte, lte]: readonly [string, string],
  query: ShownConnections,
): Promise<Referenced> {
  const where = { id: { gte, lte } };
  const [connections, attempts] = await Promise.all([
    listConnections(service, where, MOST_STARTED, query),
    listAttempts(service, where, MOST_STARTED),
  ]);
  return { connections, erased: [], attempts };
}

async function findById(service: Service, id: string, query: ShownConnections): Promise<Referenced> {
  const [attempts, jobs] = await Promise.all([listAttempts(service, { id }, 1), jobsOf(service, id)]);
  const ids = new Set([id, ...jobs.map(({ connectionId }) => connectionId)]);
  for (const { connectionId } of attempts) if (connectionId !== null) ids.add(connectionId);
  const connections = await listConnections(service, { id: { in: [...ids] } }, ids.size, query);
  const erased = new Map<string, ErasedConnection>();
  for (const { connectionId, application } of jobs) {
    if (connections.some((connection) => connection.id === connectionId)) continue;
    erased.set(connectionId, { id: connectionId, clientId: application.id, clientSlug: application.slug });
  }
  return { connections, erased: [...erased.values()], attempts };
}

async function recordLookUp(service: Service, actor: AdminActor, found: Referenced): Promise<void> {
  const now = await service.clock.now();
  const clients = new Map(found.connections.map(({ application }) => [application.id, application.slug]));
  for (const { clientId, clientSlug } of [...found.erased, ...found.attempts]) clients.set(clientId, clientSlug);
  for (const [id, slug] of clients) {
    await recordAudit(service.prisma, actor, now, connectionsSearched({ id, slug }, "reference"));
  }
}

/** The job with this id, jobs of the request, and jobs of the connection. Three statements, each with its index. */
async function jobsOf({ prisma }: Pick<Service, "prisma">, id: string) {
  const select = { connectionId: true, application: { select: { id: true, slug: true } } } as const;
  const found = await Promise.all([
    prisma.job.findMany({ where: { id }, select, take: 1 }),
    prisma.job.findMany({ where: { correlationId: id }, select, take: MOST_JOBS }),
    prisma.job.findMany({ where: { connectionId: id }, select, take: 1 }),
  ]);
  return found.flat();
}
