import { idsFrom } from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { type Page, type PageRequest, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

/** The columns that a list of clients may be ordered by. */
export const CLIENT_POSITION = { id: true, slug: true, displayName: true, createdAt: true, updatedAt: true } as const;
export type ListedClient = Pick<Application, keyof typeof CLIENT_POSITION>;

/** The order of a list of clients. The slug decides between equal values. */
const ORDERS = {
  SLUG: { column: "slug", positionOf: ({ slug }: ListedClient) => slug, read: (text: string) => text },
  NAME: {
    column: "displayName",
    positionOf: ({ displayName }: ListedClient) => displayName,
    read: (text: string) => text,
  },
  CREATED: {
    column: "createdAt",
    positionOf: ({ createdAt }: ListedClient) => createdAt.toISOString(),
    read: readDate,
  },
  UPDATED: {
    column: "updatedAt",
    positionOf: ({ updatedAt }: ListedClient) => updatedAt.toISOString(),
    read: readDate,
  },
} as const;
export type ClientOrderName = keyof typeof ORDERS;

function readDate(text: string): Date {
  return new Date(text);
}

interface ClientListRequest extends PageRequest {
  readonly text?: string;
  readonly orderBy?: ClientOrderName | null | undefined;
  readonly descending?: boolean | null | undefined;
}

/**
 * Clients in the order of their slugs, or in another order; with a search string, those whose slug or display name contains
 * it, ignoring case.
 */
export function listClients(
  service: Service,
  { text = "", orderBy: order, descending, ...page }: ClientListRequest,
  query: { readonly select: typeof CLIENT_POSITION } = { select: CLIENT_POSITION },
): Promise<Page<ListedClient>> {
  const [orderBy, isDescending] = [order ?? "SLUG", descending ?? false];
  const { column, positionOf, read } = ORDERS[orderBy];
  const direction = isDescending ? "desc" : "asc";
  const after = (value: unknown) => (isDescending ? { lt: value } : { gt: value });
  return readPage(service, page, {
    binding: ["clients", text, ...(orderBy === "SLUG" && !isDescending ? [] : [orderBy, direction])],
    positionOf: (client) => (orderBy === "SLUG" ? [client.slug] : [positionOf(client), client.slug]),
    load: (position, take) =>
      service.prisma.application.findMany({
        ...query,
        where: { AND: [matching(text), position === null ? {} : followers(position)] },
        orderBy: orderBy === "SLUG" ? { slug: direction } : [{ [column]: direction }, { slug: direction }],
        take,
      }),
  });

  function followers([first = "", slug = ""]: readonly string[]): Prisma.ApplicationWhereInput {
    if (orderBy === "SLUG") return { slug: after(first) as Prisma.StringFilter };
    const value = read(first);
    return { OR: [{ [column]: after(value) }, { [column]: value, slug: after(slug) as Prisma.StringFilter }] };
  }
}

/** How many clients a search finds. */
export function countClients({ prisma }: Pick<Service, "prisma">, text: string): Promise<number> {
  return prisma.application.count({ where: matching(text) });
}

function matching(text: string): Prisma.ApplicationWhereInput {
  if (text === "") return {};
  // `%` and `_` in the string are not wildcards.
  const contains = text.replaceAll(/[\\%_]/g, "\\$&");
  const ids = idsFrom(text);
  return {
    OR: [
      { slug: { contains, mode: "insensitive" } },
      { displayName: { contains, mode: "insensitive" } },
      ...(ids === null ? [] : [{ id: { gte: ids[0], lte: ids[1] } }]),
    ],
  };
}
