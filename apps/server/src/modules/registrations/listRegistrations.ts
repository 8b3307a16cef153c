import type { Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { NotFoundError } from "../admin/errors.ts";
import type { Service } from "../service.ts";

/** All registrations, by provider, the newest first. */
export function listRegistrations<Query extends Prisma.ProviderRegistrationFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<ProviderRegistration[]> {
  return prisma.providerRegistration.findMany({
    ...query,
    orderBy: [{ provider: "asc" }, { createdAt: "desc" }, { id: "desc" }],
  });
}

/** One registration by its id. NOT_FOUND when there is none. */
export async function readRegistration(
  { prisma }: Service,
  id: string,
  query: Omit<Prisma.ProviderRegistrationFindUniqueArgs, "where"> = {},
): Promise<ProviderRegistration> {
  const registrationId = asUuid(id);
  const registration =
    registrationId && (await prisma.providerRegistration.findUnique({ ...query, where: { id: registrationId } }));
  if (!registration) throw new NotFoundError("The registration");
  return registration;
}
