import type { PrismaClient } from "../../_generated/prisma/client.ts";

const known = new WeakMap<PrismaClient, boolean>();

/**
 * Whether the database is a cluster, where some statements need another form. Asked once for each client: the service is
 * stopped while its tables are distributed.
 */
export async function isCluster(prisma: PrismaClient): Promise<boolean> {
  const before = known.get(prisma);
  if (before !== undefined) return before;
  const found = await prisma.$queryRaw<unknown[]>`SELECT 1 FROM pg_extension WHERE extname = 'citus'`;
  known.set(prisma, found.length > 0);
  return found.length > 0;
}
