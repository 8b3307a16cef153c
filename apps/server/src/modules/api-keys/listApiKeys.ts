import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import type { Page, PageRequest } from "../admin/page.ts";
import { NEWEST_FIRST, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

/** All admin keys, newest first, the dead ones as long as they are kept. Never a secret. */
export function listApiKeys(service: Service, page: PageRequest): Promise<Page<AdminApiKey>> {
  return readPage(service, page, {
    binding: ["apiKeys"],
    positionOf: ({ createdAt, id }) => NEWEST_FIRST.positionOf(createdAt, id),
    load: (after, take) => {
      const position = after === null ? null : NEWEST_FIRST.read(after);
      return service.prisma.adminApiKey.findMany({
        where:
          position === null
            ? {}
            : {
                createdAt: { lte: position.at },
                OR: [{ createdAt: { lt: position.at } }, { createdAt: position.at, id: { lt: position.id } }],
              },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take,
      });
    },
  });
}
