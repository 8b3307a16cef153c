import { accepted, notFound } from "@social-connect/domain";
import type { AdminApiKey, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

/** Any admin's API key, active or not. Never its secret. */
export async function readApiKey({ prisma }: Pick<Service, "prisma">, id: string): Promise<AdminApiKey> {
  const keyId = asUuid(id);
  const key = keyId && (await prisma.adminApiKey.findUnique({ where: { id: keyId } }));
  return accepted(key || notFound("The key"));
}

/** All admin API keys, newest first; inactive ones while they are retained. Never a secret. */
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

/** Active API keys of an admin, newest first: the keys that removing the admin revokes. At most five. */
export async function listActiveApiKeys<Query extends Prisma.AdminApiKeyFindManyArgs>(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  memberId: string,
  query?: Query,
): Promise<AdminApiKey[]> {
  const id = asUuid(memberId);
  return prisma.adminApiKey.findMany({
    ...query,
    where: { memberId: { in: id === null ? [] : [id] }, revokedAt: null, expiresAt: { gt: await clock.now() } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
