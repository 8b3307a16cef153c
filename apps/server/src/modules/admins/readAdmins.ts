import type { AdminMember, Prisma } from "../../_generated/prisma/client.ts";
import { NotFoundError } from "../admin/errors.ts";
import type { Service, Transaction } from "../service.ts";

/** All admins, the one who was added first at the top. */
export function listAdmins<Query extends Prisma.AdminMemberFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<AdminMember[]> {
  return prisma.adminMember.findMany({ ...query, orderBy: [{ addedAt: "asc" }, { id: "asc" }] });
}

/** Holds a member's row until the transaction ends, so that what is counted for the member is exact. */
export async function lockAdmin(transaction: Transaction, id: string): Promise<AdminMember> {
  await transaction.$queryRaw`SELECT 1 FROM admin_member WHERE id = ${id}::uuid FOR UPDATE`;
  const member = await transaction.adminMember.findUnique({ where: { id } });
  if (member === null) throw new NotFoundError("The admin");
  return member;
}
