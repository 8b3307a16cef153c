import { connectionsSearched, idsFrom } from "@social-connect/domain";
import type { AdminApiKey, Job } from "../../_generated/prisma/client.ts";
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

/** An application key, active or not. */
export interface ReferencedKey {
  readonly id: string;
  readonly clientId: string;
  readonly clientSlug: string;
}

export interface Referenced {
  readonly connections: readonly ListedConnection[];
  readonly erased: readonly ErasedConnection[];
  readonly attempts: readonly ListedAttempt[];
  readonly apiKeys: readonly AdminApiKey[];
  readonly applicationKeys: readonly ReferencedKey[];
}

/** A request creates few jobs. */
const MOST_JOBS = 20;
/** Ids are random, so few begin with the same eight digits. */
const MOST_STARTED = 10;

/**
 * What an id, or how it begins, names: a connection, a connect attempt, a job, or a key; or what a request with this correlation id
 * created. The admin does not have to know which kind of id it is. An id without its application names no node of a distributed
 * database, so each of these statements asks all of them, each by a range of an index. Each client of whose users something is shown
 * gets an audit entry; an id of which nothing is known shows nothing.
 */
export async function findByReference(
  service: Service,
  actor: AdminActor,
  reference: string,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Referenced> {
  const ids = idsFrom(reference.trim());
  if (ids === null) return { connections: [], erased: [], attempts: [], apiKeys: [], applicationKeys: [] };
  const found = await findInRange(service, { gte: ids[0], lte: ids[1] }, query);
  await recordLookUp(service, actor, found);
  return found;
}

/** From the first id to the last, both included. */
interface IdRange {
  readonly gte: string;
  readonly lte: string;
}

/** The connections with such an id first, then those that an attempt or a job leads to. */
async function findInRange(service: Service, range: IdRange, query: ShownConnections): Promise<Referenced> {
  const keys = { where: { id: range }, take: MOST_STARTED };
  const [named, attempts, jobs, apiKeys, applicationKeys] = await Promise.all([
    listConnections(service, { id: range }, MOST_STARTED, query),
    listAttempts(service, { id: range }, MOST_STARTED),
    jobsOf(service, range),
    service.prisma.adminApiKey.findMany(keys),
    service.prisma.applicationKey.findMany({ ...keys, select: { id: true, application: OWNER } }),
  ]);
  const ids = new Set([...attempts, ...jobs].flatMap(({ connectionId }) => connectionId ?? []));
  for (const { id } of named) ids.delete(id);
  const others = ids.size === 0 ? [] : await listConnections(service, { id: { in: [...ids] } }, ids.size, query);
  const connections = [...named, ...others];
  const rest = jobs.filter(({ connectionId }) => connections.every(({ id }) => id !== connectionId));
  return {
    connections,
    erased: await erasedConnections(service, rest),
    attempts,
    apiKeys,
    applicationKeys: applicationKeys.map(({ id, application }) => {
      return { id, clientId: application.id, clientSlug: application.slug };
    }),
  };
}

const OWNER = { select: { id: true, slug: true } } as const;

/** Connections that are erased, of which these jobs remain. */
async function erasedConnections(
  { prisma }: Pick<Service, "prisma">,
  jobs: readonly FoundJob[],
): Promise<ErasedConnection[]> {
  if (jobs.length === 0) return [];
  const owners = new Map(jobs.map(({ connectionId, applicationId }) => [connectionId, applicationId]));
  const applications = await prisma.application.findMany({
    where: { id: { in: [...owners.values()] } },
    select: { id: true, slug: true },
  });
  const slugs = new Map(applications.map(({ id, slug }) => [id, slug]));
  return [...owners].map(([id, clientId]) => ({ id, clientId, clientSlug: slugs.get(clientId) ?? "" }));
}

async function recordLookUp(service: Service, actor: AdminActor, found: Referenced): Promise<void> {
  const now = await service.clock.now();
  const clients = new Map(found.connections.map(({ application }) => [application.id, application.slug]));
  for (const { clientId, clientSlug } of [...found.erased, ...found.attempts]) clients.set(clientId, clientSlug);
  for (const [id, slug] of clients) {
    await recordAudit(service.prisma, actor, now, connectionsSearched({ id, slug }, "reference"));
  }
}

type FoundJob = Pick<Job, "connectionId" | "applicationId">;

/** Jobs with such an id, jobs of such a request, and jobs of such connections. Three statements, each with its index. */
async function jobsOf({ prisma }: Pick<Service, "prisma">, range: IdRange): Promise<FoundJob[]> {
  const select = { connectionId: true, applicationId: true } as const;
  const found = await Promise.all([
    prisma.job.findMany({ where: { id: range }, select, take: MOST_STARTED }),
    prisma.job.findMany({ where: { correlationId: range }, select, take: MOST_JOBS }),
    prisma.job.groupBy({
      by: ["connectionId", "applicationId"],
      where: { connectionId: range },
      orderBy: { connectionId: "asc" },
      take: MOST_STARTED,
    }),
  ]);
  return found.flat();
}
