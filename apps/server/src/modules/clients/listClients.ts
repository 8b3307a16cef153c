import type { Application } from "../../_generated/prisma/client.ts";
import type { Page, PageRequest } from "../admin/page.ts";
import { readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

/** Clients in the order of their slugs; with a text, those whose slug or display name holds it, in whatever case. */
export function listClients(
  service: Service,
  { text = null, ...page }: PageRequest & { readonly text?: string | null },
): Promise<Page<Application>> {
  // The text is meant as it stands: `%` and `_` are no wildcards.
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
