import {
  asUuid,
  type ConnectionListFilter,
  connectionRank,
  InvalidInputError,
  listedStates,
} from "@social-connect/domain";
import { Prisma, type ProviderRegistration } from "../../_generated/prisma/client.ts";
import { isCluster } from "../../platform/distribution/isCluster.ts";
import { type Page, type PageRequest, readPage } from "../admin/page.ts";
import { foreseenReconnects } from "../grants/foreseenReconnects.ts";
import type { Service } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";
import { LISTED_CONNECTION, type ListedConnection, type ShownConnections } from "./searchConnections.ts";

/** The place of a connection in the list. */
interface Position {
  readonly rank: number;
  readonly createdAt: Date;
  readonly id: string;
}

type Registration = Pick<ProviderRegistration, "id" | "provider">;

/** The connections of all clients that a filter admits: needed reconnects first, then the newest first. */
export async function listAllConnections(
  service: Service,
  filter: ConnectionListFilter,
  page: PageRequest,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Page<ListedConnection>> {
  const { clientSlug, tenantKey, provider, status, syncStatus, errorCode, reconnectForeseen, from, to } = filter;
  const applicationId = clientSlug == null ? null : await applicationOf(service, clientSlug);
  const registration = filter.registrationId == null ? null : await registrationOf(service, filter.registrationId);
  const texts = [
    applicationId,
    registration?.id,
    tenantKey,
    provider,
    status,
    syncStatus,
    errorCode,
    reconnectForeseen ? "foreseen" : null,
    from?.toISOString(),
    to?.toISOString(),
  ];
  return readPage(service, page, {
    binding: ["allConnections", ...texts.map((text) => text ?? "")],
    positionOf: ({ status: shown, createdAt, id }) => [String(connectionRank(shown)), createdAt.toISOString(), id],
    load: async (after, take) => {
      const ids = await findIds(
        service,
        { ...filter, applicationId, registration },
        after === null ? null : positionFrom(after),
        take,
      );
      const rows = await service.prisma.connection.findMany({ ...query, where: { id: { in: ids } } });
      return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  });
}

async function applicationOf({ prisma }: Pick<Service, "prisma">, slug: string): Promise<string> {
  const application = await prisma.application.findUnique({ where: { slug }, select: { id: true } });
  if (application === null) throw new InvalidInputError("clientSlug", "No client has this slug.");
  return application.id;
}

async function registrationOf({ prisma }: Pick<Service, "prisma">, id: string): Promise<Registration> {
  const uuid = asUuid(id);
  const select = { id: true, provider: true };
  const registration =
    uuid === null ? null : await prisma.providerRegistration.findUnique({ where: { id: uuid }, select });
  if (registration === null) throw new InvalidInputError("registrationId", "No registration has this id.");
  return registration;
}

interface WantedRows extends ConnectionListFilter {
  readonly applicationId: string | null;
  readonly registration: Registration | null;
}

/** The conditions without those of the state. */
function conditionsOf({ applicationId, registration, tenantKey, from, to }: WantedRows): Prisma.Sql[] {
  return [
    ...(applicationId === null ? [] : [Prisma.sql`application_id = ${applicationId}::uuid`]),
    ...(registration === null ? [] : [Prisma.sql`registration_id = ${registration.id}::uuid`]),
    ...(tenantKey == null ? [] : [Prisma.sql`tenant_key = ${tenantKey}`]),
    ...(from == null ? [] : [Prisma.sql`created_at >= ${timestamp(from)}`]),
    ...(to == null ? [] : [Prisma.sql`created_at < ${timestamp(to)}`]),
  ];
}

async function findIds(service: Service, wanted: WantedRows, after: Position | null, take: number): Promise<string[]> {
  const query = wanted.reconnectForeseen
    ? foreseenRows(wanted, await service.clock.now(), after, take)
    : wanted.applicationId === null && (await isCluster(service.prisma))
      ? sortedRows(wanted, after, take)
      : listedRows(wanted, after, take);
  if (query === null) return [];
  const rows = await service.prisma.$queryRaw<{ id: string }[]>(query);
  return rows.map(({ id }) => id);
}

/** The conditions of the state. */
function statesOf({ provider, status, syncStatus, errorCode }: WantedRows): Prisma.Sql[] {
  return [
    ...(provider == null ? [] : [Prisma.sql`provider = ${provider}::social_provider`]),
    ...(status == null ? [] : [Prisma.sql`status = ${status}::connection_status`]),
    ...(syncStatus == null ? [] : [Prisma.sql`sync_status = ${syncStatus}::sync_status`]),
    ...(errorCode == null ? [] : [Prisma.sql`scan_error_code = ${errorCode}`]),
  ];
}

function whereAll(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...conditions], " AND ")}`;
}

function foreseenRows(wanted: WantedRows, now: Date, after: Position | null, take: number): Prisma.Sql {
  const { applicationId, registration } = wanted;
  const foreseen = foreseenReconnects(now, { applicationId, registrationId: registration?.id });
  const where = whereAll([...conditionsOf(wanted), ...statesOf(wanted), ...following(after)]);
  return Prisma.sql`SELECT id FROM ${foreseen} ${where} ORDER BY created_at DESC, id DESC LIMIT ${take}`;
}

/**
 * For a cluster, which cannot merge indexes of all its nodes: each node sorts its own connections, and the coordinator merges
 * the first of each.
 */
function sortedRows(wanted: WantedRows, after: Position | null, take: number): Prisma.Sql {
  const rank = Prisma.sql`(status <> 'RECONNECT_REQUIRED')::int`;
  const later =
    after === null
      ? []
      : [Prisma.sql`(${rank} > ${after.rank} OR (${rank} = ${after.rank} AND ${following(after)[0]}))`];
  const where = whereAll([...conditionsOf(wanted), ...statesOf(wanted), ...later]);
  return Prisma.sql`SELECT id FROM connection ${where} ORDER BY ${rank}, created_at DESC, id DESC LIMIT ${take}`;
}

function following(after: Position | null): Prisma.Sql[] {
  return after === null ? [] : [Prisma.sql`(created_at, id) < (${timestamp(after.createdAt)}, ${after.id}::uuid)`];
}

/**
 * Reads the beginning of each state from an index that has its rows in the order of the list, and merges them, so the work
 * does not depend on how many connections there are or how rare the state is.
 */
function listedRows(wanted: WantedRows, after: Position | null, take: number): Prisma.Sql | null {
  const { registration, applicationId } = wanted;
  const states = listedStates(wanted).filter(
    ({ provider, status }) =>
      provider === (registration?.provider ?? provider) && connectionRank(status) >= (after?.rank ?? 0),
  );
  const conditions = [
    ...conditionsOf(wanted),
    // The index of registrations has no provider.
    ...(registration !== null && applicationId === null ? [] : [Prisma.sql`provider = state.provider`]),
    Prisma.sql`status = state.status AND sync_status = state.sync_status`,
  ];
  const parts = [true, false].flatMap((hasCode) =>
    [0, 1].flatMap((rank) => {
      const some = states.filter(
        ({ status, scanErrorCode }) => connectionRank(status) === rank && (scanErrorCode !== null) === hasCode,
      );
      if (some.length === 0) return [];
      const code = hasCode ? Prisma.sql`scan_error_code = state.code` : Prisma.sql`scan_error_code IS NULL`;
      const all = [...conditions, code, ...following(after?.rank === rank ? after : null)];
      // The planner uses the index's order for `IS NULL` only if ORDER BY names the column.
      return Prisma.sql`
        SELECT ${rank}::int AS rank, listed.created_at, listed.id
          FROM unnest(${some.map(({ provider }) => provider)}::social_provider[],
                      ${some.map(({ status }) => status)}::connection_status[],
                      ${some.map(({ syncStatus }) => syncStatus)}::sync_status[],
                      ${some.map(({ scanErrorCode }) => scanErrorCode)}::text[]) AS state (provider, status, sync_status, code)
         CROSS JOIN LATERAL (
           SELECT created_at, id FROM connection WHERE ${Prisma.join(all, " AND ")}
            ORDER BY scan_error_code DESC, created_at DESC, id DESC LIMIT ${take}) listed`;
    }),
  );
  if (parts.length === 0) return null;
  return Prisma.sql`${Prisma.join(parts, " UNION ALL ")} ORDER BY rank, created_at DESC, id DESC LIMIT ${take}`;
}

function positionFrom([rank, createdAt, id]: readonly string[]): Position {
  return { rank: Number(rank), createdAt: new Date(createdAt ?? ""), id: id ?? "" };
}
