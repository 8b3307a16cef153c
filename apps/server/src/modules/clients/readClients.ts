import { accepted, notFound } from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Page, PageRequest } from "../admin/page.ts";
import { readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

/**
 * Clients in the order of their slugs; with a search string, those whose slug or display name contains it, ignoring
 * case.
 */
export function listClients(
  service: Service,
  { text = null, ...page }: PageRequest & { readonly text?: string | null },
): Promise<Page<Application>> {
  // `%` and `_` in the string are not wildcards.
  const contains = text?.replaceAll(/[\\%_]/g, "\\$&") ?? "";
  return readPage(service, page, {
    binding: ["clients", text ?? ""],
    positionOf: ({ slug }) => [slug],
    load: (after, take) =>
      service.prisma.application.findMany({
        where: {
          ...(after === null ? {} : { slug: { gt: after[0] ?? "" } }),
          ...(text === null
            ? {}
            : {
                OR: [{ slug: { contains, mode: "insensitive" } }, { displayName: { contains, mode: "insensitive" } }],
              }),
        },
        orderBy: { slug: "asc" },
        take,
      }),
  });
}

export async function readClient(
  { prisma }: Service,
  id: string,
  query: Omit<Prisma.ApplicationFindUniqueArgs, "where"> = {},
): Promise<Application> {
  const clientId = asUuid(id);
  const client = clientId && (await prisma.application.findUnique({ ...query, where: { id: clientId } }));
  return accepted(client || notFound("The client"));
}
