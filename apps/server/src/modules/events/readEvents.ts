import type { EventTypeName } from "@social-connect/contract";
import type { Event, EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from "../admin/page.ts";
import { readClient } from "../applications/client.ts";
import type { Service } from "../service.ts";

/** What the list needs of an event: its position. */
export const EVENT_POSITION = { id: true, applicationId: true, occurredAt: true } as const;
export type ListedEvent = Pick<Event, keyof typeof EVENT_POSITION>;

export interface EventFilter {
  readonly clientId: string;
  readonly type?: EventTypeName | null | undefined;
  /** The complete id of a user. */
  readonly externalSubjectId?: string | null | undefined;
  /** Only events whose last try failed at an endpoint. */
  readonly failed?: boolean | null | undefined;
}

/** The stored events of a client, newest first. */
export async function listEvents(
  service: Service,
  { clientId, type, externalSubjectId, failed }: EventFilter,
  page: PageRequest,
  query: { readonly select: typeof EVENT_POSITION } = { select: EVENT_POSITION },
): Promise<Page<ListedEvent>> {
  const { id: applicationId } = await readClient(service, clientId, { select: { id: true } });
  const where: Prisma.EventWhereInput = {
    applicationId,
    ...(type == null ? {} : { type }),
    ...(externalSubjectId == null ? {} : { externalSubjectId }),
    ...(failed ? { deliveries: { some: { applicationId, problem: { not: null } } } } : {}),
  };
  return readPage(service, page, {
    binding: ["events", applicationId, type ?? "", externalSubjectId ?? "", failed ? "failed" : ""],
    positionOf: ({ occurredAt, id }) => NEWEST_FIRST.positionOf(occurredAt, id),
    load: (after, take) =>
      service.prisma.event.findMany({
        ...query,
        where: after === null ? where : { AND: [where, older(after)] },
        orderBy: [{ occurredAt: "desc" }, { id: "desc" }],
        take,
      }),
  });
}

function older(position: readonly string[]): Prisma.EventWhereInput {
  const { at, id } = NEWEST_FIRST.read(position);
  // The first condition is implied by the second; it lets the index start at the position.
  return { occurredAt: { lte: at }, OR: [{ occurredAt: { lt: at } }, { occurredAt: at, id: { lt: id } }] };
}

/** The endpoints whose last try failed, and those that were turned off because they failed. The longest failing ones first. */
export const FAILING_ENDPOINTS = {
  where: { OR: [{ enabled: true, failingSince: { not: null } }, { turnedOffReason: { in: ["GONE", "FAILING"] } }] },
  orderBy: [{ failingSince: { sort: "asc", nulls: "last" } }, { id: "asc" }],
  take: 100,
} satisfies Prisma.EventEndpointFindManyArgs;

/** Those of them that still fail, in SQL: a new URL ends a failure, also while the endpoint is off. */
export const IS_FAILING = "failing_since IS NOT NULL AND turned_off_reason IS DISTINCT FROM 'BY_ADMIN'";

/** The failing endpoints of all clients. */
export function listFailingEndpoints<Query extends Prisma.EventEndpointFindManyArgs>(
  { prisma }: Pick<Service, "prisma">,
  query?: Query,
): Promise<EventEndpoint[]> {
  return prisma.eventEndpoint.findMany({ ...query, ...FAILING_ENDPOINTS });
}
