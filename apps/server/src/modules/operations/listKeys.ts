import type { Service } from "../service.ts";

/** An application key or a key of the admin API, without its secret. */
export interface KeyShown {
  readonly id: string;
  readonly type: "application" | "admin";
  /** Slug of the client, or email address of the admin who minted it. */
  readonly owner: string;
  readonly scope: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Keys, newest first; those of one client if `applicationId` is given. */
export async function listKeys(
  { prisma }: Pick<Service, "prisma">,
  { applicationId, limit }: { readonly applicationId?: string; readonly limit: number },
): Promise<KeyShown[]> {
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const ofClients = await prisma.applicationKey.findMany({
    where: { ...(applicationId && { applicationId }) },
    include: { application: { select: { slug: true } } },
    orderBy,
    take: limit,
  });
  const ofAdmins = applicationId === undefined ? await prisma.adminApiKey.findMany({ orderBy, take: limit }) : [];
  const keys: KeyShown[] = [
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
