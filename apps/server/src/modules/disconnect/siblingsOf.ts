import type { Connection, Prisma } from "../../_generated/prisma/client.ts";

type SiblingColumns = Pick<
  Connection,
  "id" | "applicationId" | "provider" | "tenantKey" | "externalSubjectId" | "providerAccountId" | "providerUserKey"
>;

/** `isSibling` of the domain as a query. Three indexes find the rows, so a disconnect reads no others. */
export function siblingsOf(connection: SiblingColumns): Prisma.ConnectionWhereInput {
  const { id, applicationId, provider, tenantKey, externalSubjectId, providerAccountId, providerUserKey } = connection;
  return {
    id: { not: id },
    applicationId,
    provider,
    OR: [
      { tenantKey, externalSubjectId },
      { providerAccountId },
      ...(providerUserKey === null ? [] : [{ providerUserKey }]),
    ],
  };
}
