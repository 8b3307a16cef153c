import type { Service } from "../service.ts";

/** Keys without their secrets, newest first; those of one client if `applicationId` is given. An admin's key is owned by an email address. */
export async function listKeys(
  { prisma }: Pick<Service, "prisma">,
  { applicationId, limit }: { readonly applicationId?: string; readonly limit: number },
) {
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const ofClients = await prisma.applicationKey.findMany({
    where: { ...(applicationId && { applicationId }) },
    include: { application: { select: { slug: true } } },
    orderBy,
    take: limit,
  });
  const ofAdmins = applicationId === undefined ? await prisma.adminApiKey.findMany({ orderBy, take: limit }) : [];
  const keys = [
    ...ofClients.map(({ application, id, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
      ...{ id, type: "application" as const, owner: application.slug, scope: null },
      ...{ createdAt, expiresAt, lastUsedAt, revokedAt },
    })),
    ...ofAdmins.map(({ id, createdBy, scope, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
      ...{ id, type: "admin" as const, owner: createdBy, scope },
      ...{ createdAt, expiresAt, lastUsedAt, revokedAt },
    })),
  ];
  return keys.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime()).slice(0, limit);
}
