import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Service } from "../service.ts";

/** The keys of an admin that are good, newest first: what dies with the admin's removal. At most five. */
export async function listActiveApiKeys(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  memberId: string,
): Promise<AdminApiKey[]> {
  const id = asUuid(memberId);
  if (id === null) return [];
  return prisma.adminApiKey.findMany({
    where: { memberId: id, revokedAt: null, expiresAt: { gt: await clock.now() } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}
