import { type ConnectionListFilter, connectionRank, InvalidInputError, listedStates } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { type Page, type PageRequest, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";
import { LISTED_CONNECTION, type ListedConnection, type ShownConnections } from "./searchConnections.ts";

/** The place of a connection in the list. */
interface Position {
  readonly rank: number;
  readonly createdAt: Date;
  readonly id: string;
}

/** The connections of all clients that a filter admits: needed reconnects first, then the newest first. */
export async function listAllConnections(
  service: Service,
  filter: ConnectionListFilter,
  page: PageRequest,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Page<ListedConnection>> {
  const { clientSlug, tenantKey, provider, status, syncStatus, errorCode, from, to } = filter;
  const applicationId = clientSlug == null ? null : await applicationOf(service, clientSlug);
  const texts = [
    applicationId,
    tenantKey,
    provider,
    status,
    syncStatus,
    errorCode,
    from?.toISOString(),
    to?.toISOString(),
  ];
  return readPage(service, page, {
    binding: ["allConnections", ...texts.map((text) => text ?? "")],
    positionOf: ({ status: shown, createdAt, id }) => [String(connectionRank(shown)), createdAt.toISOString(), id],
    load: async (after, take) => {
      const ids = await findIds(
        service,
        { ...filter, applicationId },
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

/**
 * Reads the beginning of each state from an index that has its rows in the order of the list, and merges them, so the work
 * does not depend on how many connections there are or how rare the state is.
 */
async function findIds(
  { prisma }: Pick<Service, "prisma">,
  filter: ConnectionListFilter & { readonly applicationId: string | null },
  after: Position | null,
  take: number,
): Promise<string[]> {
  const { applicationId, tenantKey, from, to } = filter;
  const states = listedStates(filter).filter(({ status }) => connectionRank(status) >= (after?.rank ?? 0));
  const conditions = [
    ...(applicationId === null ? [] : [Prisma.sql`application_id = ${applicationId}::uuid`]),
    ...(tenantKey == null ? [] : [Prisma.sql`tenant_key = ${tenantKey}`]),
    ...(from == null ? [] : [Prisma.sql`created_at >= ${timestamp(from)}`]),
    ...(to == null ? [] : [Prisma.sql`created_at < ${timestamp(to)}`]),
    Prisma.sql`provider = state.provider AND status = state.status AND sync_status = state.sync_status`,
  ];
  const parts = [true, false].flatMap((hasCode) =>
    [0, 1].flatMap((rank) => {
      const some = states.filter(
        ({ status, scanErrorCode }) => connectionRank(status) === rank && (scanErrorCode !== null) === hasCode,
      );
      if (some.length === 0) return [];
      const code = hasCode ? Prisma.sql`scan_error_code = state.code` : Prisma.sql`scan_error_code IS NULL`;
      const following =
        after?.rank === rank ? [Prisma.sql`(created_at, id) < (${timestamp(after.createdAt)}, ${after.id}::uuid)`] : [];
      // The planner uses the index's order for `IS NULL` only if ORDER BY names the column.
      return Prisma.sql`
        SELECT ${rank}::int AS rank, listed.created_at, listed.id
          FROM unnest(${some.map(({ provider }) => provider)}::social_provider[],
                      ${some.map(({ status }) => status)}::connection_status[],
                      ${some.map(({ syncStatus }) => syncStatus)}::sync_status[],
                      ${some.map(({ scanErrorCode }) => scanErrorCode)}::text[]) AS state (provider, status, sync_status, code)
         CROSS JOIN LATERAL (
           SELECT created_at, id FROM connection WHERE ${Prisma.join([...conditions, code, ...following], " AND ")}
            ORDER BY scan_error_code DESC, created_at DESC, id DESC LIMIT ${take}) listed`;
    }),
  );
  if (parts.length === 0) return [];
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    ${Prisma.join(parts, " UNION ALL ")} ORDER BY rank, created_at DESC, id DESC LIMIT ${take}`;
  return rows.map(({ id }) => id);
}

function positionFrom([rank, createdAt, id]: readonly string[]): Position {
  return { rank: Number(rank), createdAt: new Date(createdAt ?? ""), id: id ?? "" };
}
