import type { AdminMember, Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

/** All admins, the one who was added first at the top. */
export function listAdmins<Query extends Prisma.AdminMemberFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<AdminMember[]> {
  return prisma.adminMember.findMany({ ...query, orderBy: [{ addedAt: "asc" }, { id: "asc" }] });
}
